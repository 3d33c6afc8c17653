//! A program that is held up while it opens the file, after the kernel has counted it as
//! a writer and before it comes to the lease: a listener for opens, as scanners of files
//! are, keeps it there.
#![allow(unsafe_code, reason = "rustix has no fanotify")]

use std::ffi::CString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use dsh_fs::error::Code;
use dsh_fs::local::Call;

use crate::tree::{Tree, code};
use crate::watch::Script;

const EVENT: usize = size_of::<libc::fanotify_event_metadata>();

/// Holds up whoever else opens the file to write, for a while; this process goes through.
struct Listener(File);

impl Listener {
    /// Nothing where the kernel has no such listeners or this user may not have one.
    fn of(path: &Path) -> Option<Self> {
        let path = CString::new(path.as_os_str().as_encoded_bytes()).expect("no NUL");
        let class = libc::FAN_CLASS_CONTENT | libc::FAN_CLOEXEC;
        // SAFETY: the descriptor is new and owned by nobody else; the path outlives the call.
        unsafe {
            let listener = libc::fanotify_init(class, libc::O_RDONLY as u32);
            if listener < 0 {
                return None;
            }
            let listener = File::from_raw_fd(listener);
            let added = libc::fanotify_mark(
                listener.as_raw_fd(),
                libc::FAN_MARK_ADD,
                libc::FAN_OPEN_PERM,
                libc::AT_FDCWD,
                path.as_ptr(),
            );
            (added == 0).then_some(Self(listener))
        }
    }

    /// Serves until the file is closed for good, that is, for as long as the test runs.
    fn serve(mut self, arrived: Sender<()>) {
        let mut buffer = [0_u8; EVENT];
        while self.0.read(&mut buffer).is_ok_and(|read| read == EVENT) {
            // SAFETY: the kernel filled in exactly one event, which is plain data.
            let event: libc::fanotify_event_metadata =
                unsafe { std::ptr::read_unaligned(buffer.as_ptr().cast()) };
            // SAFETY: the event hands its descriptor over.
            let opened = unsafe { File::from_raw_fd(event.fd) };
            if event.pid.cast_unsigned() != std::process::id() {
                let _ = arrived.send(());
                thread::sleep(Duration::from_millis(150));
            }
            let [a, b, c, d] = opened.as_raw_fd().to_ne_bytes();
            let [e, f, g, h] = libc::FAN_ALLOW.to_ne_bytes();
            if self.0.write_all(&[a, b, c, d, e, f, g, h]).is_err() {
                return;
            }
        }
    }
}

fn append(path: &Path) -> Child {
    let script = "echo theirs >> \"$0\"";
    let mut shell = Command::new("sh");
    let started = shell.arg("-c").arg(script).arg(path).spawn();
    started.expect("there is a shell")
}

/// Fails when `is_contended` does not take the lease again: the mutation is then reported
/// as done, and the other program writes to a file that has no name any more.
#[test]
fn a_writer_that_is_held_up_while_opening_is_not_lost() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old\n");
    let version = tree.version("a");
    let Some(listener) = Listener::of(&path) else {
        println!("SKIPPED: this kernel or user has no listener for opens");
        return;
    };
    let (arrived, arrival) = channel();
    thread::spawn(|| listener.serve(arrived));
    let (started, other) = channel();
    let opener = path.clone();
    script.at(Call::Exchange, move || {
        started.send(append(&opener)).expect("the test waits");
        arrival.recv().expect("it opens the file");
    });
    let guard = dsh_fs::types::WriteGuard::ReplaceIfVersion(version);
    let made = tree.write("a", "new\n", &guard);
    let mut other = other.recv().expect("the exchange was reached");
    assert!(other.wait().expect("it ends").success());
    assert_eq!(code(made), Code::StaleVersion);
    assert_eq!(tree.content("a"), "old\ntheirs\n");
    assert_eq!(tree.names(), ["a"]);
}
