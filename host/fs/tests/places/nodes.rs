//! What is neither a file nor a folder.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use dsh_fs::error::Code;
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

use crate::verbs::{Answers, Place};

const NO_FILE: Answers = [
    Some(Code::NotRegularFile),
    Some(Code::NotRegularFile),
    Some(Code::NotRegularFile),
    Some(Code::NotDirectory),
];

/// Fails, or hangs, when `Old::find` opens before it looks at the type.
#[test]
fn fifos_and_sockets_are_refused_and_stay() {
    let place = Place::new("ws/p |\nws/lp => p");
    let _socket = UnixListener::bind(place.tree.path("ws/s")).expect("a socket");
    let begun = Instant::now();
    for path in ["p", "lp", "s"] {
        assert_eq!(place.all(path), NO_FILE, "{path}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5));
    let kind = |path| {
        fs::symlink_metadata(place.tree.path(path))
            .expect("there")
            .file_type()
    };
    assert!(kind("ws/p").is_fifo() && kind("ws/s").is_socket());
    assert_eq!(place.names("."), ["lp", "p", "s"]);
}

#[test]
fn devices_are_refused_and_stay() {
    let place = Place::new("ws/");
    let disk = place.tree.path("ws/null");
    let made = mknodat(
        CWD,
        &disk,
        FileType::CharacterDevice,
        Mode::RUSR,
        makedev(1, 3),
    );
    if let Err(errno) = made {
        println!("SKIPPED: no device can be made: {errno}");
        return;
    }
    assert_eq!(place.all("null"), NO_FILE);
    assert!(
        fs::symlink_metadata(disk)
            .expect("there")
            .file_type()
            .is_char_device()
    );
}

#[test]
fn devices_outside_are_denied() {
    let place = Place::new("ws/\nws/l => /dev/null");
    for path in ["/dev/null", "/dev/zero", "l"] {
        let mut denied = NO_FILE;
        denied[1] = Some(Code::SandboxDenied);
        denied[2] = Some(Code::SandboxDenied);
        assert_eq!(place.all(path), denied, "{path}");
    }
}
