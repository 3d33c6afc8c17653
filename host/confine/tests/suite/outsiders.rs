//! Other processes of the same user, which nothing confines, and what a command can do to
//! them and through them.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dsh_fs::types::Mode;
use dsh_fs_confine::{Backend, Machine, Network, Probe, Shell, ShellOptions, Used};

use crate::place::{Place, everywhere, mode, options, shells};

/// A process outside. It works in the directory beside the workspace, has the file `f` there
/// open for writing, and knows a secret.
struct Outsider<'a> {
    place: &'a Place,
    process: Child,
}

impl<'a> Outsider<'a> {
    fn of(place: &'a Place) -> Self {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exec 9>>f; : > ready; exec sleep 60"]);
        command.current_dir(place.out()).env("WORD", "secret-word");
        let process = command.stdin(Stdio::null()).spawn();
        let start = Instant::now();
        while !place.out().join("ready").exists() {
            assert!(start.elapsed() < Duration::from_secs(15), "it never ran");
            std::thread::sleep(Duration::from_millis(5));
        }
        Self {
            place,
            process: process.expect("it starts"),
        }
    }

    /// A script in which `$PID` is its number and `$OUT` its directory.
    fn script(&self, way: &str) -> String {
        let (pid, out) = (self.process.id(), self.place.out());
        format!("PID={pid}; OUT={}; export PID OUT; {way}", out.display())
    }

    /// Whether it was changed, or what it knows was told.
    fn is_reached(&mut self, told: &str) -> bool {
        let written = std::fs::read(self.place.out().join("f")).expect("it is there");
        let ended = self.process.try_wait().expect("it is ours").is_some();
        !written.is_empty() || ended || told.contains("secret-word")
    }
}

impl Drop for Outsider<'_> {
    fn drop(&mut self) {
        // It has ended where it cannot be killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Ways to reach it. The numbers are `pidfd_open` and `pidfd_getfd`, on every machine.
const WAYS: [&str; 6] = [
    "cat /proc/$PID/environ",
    "printf x > /proc/$PID/root$OUT/f",
    "printf x > /proc/$PID/cwd/f",
    "printf x > /proc/$PID/fd/9",
    "perl -e '$p = syscall(434, int $ENV{PID}, 0); $f = syscall(438, $p, 9, 0); \
     open(F, \">&=\", $f) and syswrite(F, \"x\")'",
    "kill -KILL $PID; sleep 0.1",
];

/// Each way works without confinement. Under Landlock the last one does without
/// `Scope::Signal` in ruleset.rs, and the others where nothing is restricted (`enforce`);
/// under bubblewrap they do without `--unshare-pid`.
#[test]
fn a_process_outside_is_not_reached() {
    let scoped = Machine.landlock().is_ok() && kernel() >= (6, 12);
    for (used, shell) in everywhere("a_process_outside_is_not_reached") {
        for way in WAYS {
            if used == Used::Landlock && way.starts_with("kill") && !scoped {
                println!("SKIPPED a_process_outside_is_not_reached: signals need Linux 6.12");
                continue;
            }
            let place = Place::new();
            let mut outsider = Outsider::of(&place);
            let finished = place.sh(&shell, mode(used), &outsider.script(way));
            let reached = outsider.is_reached(&finished.stdout.text());
            assert_eq!(
                reached,
                used == Used::Nothing,
                "{used:?}: {way}: {finished:?}"
            );
        }
    }
}

/// The version of the kernel.
fn kernel() -> (u32, u32) {
    let text = std::fs::read_to_string("/proc/sys/kernel/osrelease").expect("Linux");
    let mut numbers = text.split('.').map(|number| number.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    (next(), next())
}

/// A socket without a file. Under Landlock it is reached without
/// `Scope::AbstractUnixSocket`, under bubblewrap without `--unshare-net`.
#[test]
fn a_closed_network_has_no_abstract_sockets() {
    let name = format!("dsh-fs-confine-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).expect("a name");
    let _listener = UnixListener::bind_addr(&address).expect("a socket");
    let script = format!(
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); \
         print \"connected\" if connect(S, pack(\"S a*\", AF_UNIX, \"\\0{name}\"))'"
    );
    for (used, _) in shells("a_closed_network_has_no_abstract_sockets") {
        let backend = match used {
            Used::Landlock if kernel() < (6, 12) => {
                println!("SKIPPED a_closed_network_has_no_abstract_sockets: it needs Linux 6.12");
                continue;
            }
            Used::Landlock => Backend::Landlock,
            _ => Backend::Bubblewrap,
        };
        for (network, expected) in [(Network::Open, "connected"), (Network::Closed, "")] {
            let shell = Shell::new(ShellOptions {
                network,
                ..options(backend.clone())
            });
            let finished = Place::new().sh(&shell, Mode::ReadOnly, &script);
            assert_eq!(finished.stdout.text(), expected, "{used:?}: {finished:?}");
        }
    }
}
