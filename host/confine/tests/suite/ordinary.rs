//! All of it, as a user without rights.

use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The user and the group nobody.
const NOBODY: u32 = 65_534;

/// Root starts this program again as nobody; for any other user the tests already are that.
#[test]
fn everything_holds_for_an_ordinary_user() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // Opened by root and run through the descriptor: the folder may be closed to others.
    let program = std::env::current_exe().expect("the path of the tests");
    let program = std::fs::File::open(program).expect("it runs");
    rustix::io::fcntl_setfd(&program, rustix::io::FdFlags::empty()).expect("it is open");
    let through = format!("/proc/self/fd/{}", program.as_raw_fd());
    let mut command = Command::new(through);
    // The list of paths is the same for everybody and takes long; the program of the
    // orphans may lie where this user cannot start it.
    command.args(["--skip", "parity", "--skip", "orphan", "--show-output"]);
    let output = command.uid(NOBODY).gid(NOBODY).current_dir("/").output();
    let output = output.expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    for line in text.lines().filter(|line| line.starts_with("SKIPPED")) {
        println!("{line} (as an ordinary user)");
    }
}
