//! Links of /proc lead anywhere, also to what lies in the workspace: they are read through
//! and never written through.

use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;

use dsh_fs::error::Code;

use crate::verbs::{Answers, Place};

const DENIED: Option<Code> = Some(Code::SandboxDenied);
const READ_ONLY: Answers = [None, DENIED, DENIED, Some(Code::NotDirectory)];

/// Fails when `is_magic` of `resolve/walk.rs` finds none: the key is then what the link says.
#[test]
fn an_open_file_is_read_and_not_written() {
    let place = Place::new("ws/f = kept\nout/x = kept");
    for name in ["ws/f", "out/x"] {
        let open = fs::File::options()
            .read(true)
            .write(true)
            .open(place.tree.path(name));
        let open = open.expect("opened");
        let magic = format!("/proc/self/fd/{}", open.as_raw_fd());
        let thread = format!("/proc/thread-self/fd/{}", open.as_raw_fd());
        let device = format!("/dev/fd/{}", open.as_raw_fd());
        let link = place.tree.path("ws/l");
        symlink(&magic, &link).expect("linked");
        for path in [&magic, &thread, &device, "l"] {
            assert_eq!(place.all(path), READ_ONLY, "{path}");
        }
        fs::remove_file(link).expect("removed");
        let content = fs::read_to_string(place.tree.path(name));
        assert_eq!(content.ok().as_deref(), Some("kept"));
    }
}

/// A file that has no name any more, or never had one, is reached by its descriptor alone.
#[test]
fn a_file_without_a_name_is_not_made_again() {
    let place = Place::new("ws/f = kept");
    let open = fs::File::open(place.tree.path("ws/f")).expect("opened");
    fs::remove_file(place.tree.path("ws/f")).expect("removed");
    let magic = format!("/proc/self/fd/{}", open.as_raw_fd());
    assert_eq!(place.all(&magic), READ_ONLY);
    assert!(place.names(".").is_empty());
}

#[test]
fn a_folder_behind_a_link_of_proc_is_listed_and_not_written_to() {
    let place = Place::new("ws/d/f = kept");
    let open = fs::File::open(place.tree.path("ws/d")).expect("opened");
    let magic = format!("/proc/self/fd/{}", open.as_raw_fd());
    assert_eq!(place.names(&magic), ["f"]);
    assert_eq!(place.all(&format!("{magic}/f")), READ_ONLY);
    let root = format!("/proc/self/root{}", place.tree.text("ws/d/f"));
    assert_eq!(place.all(&root), READ_ONLY);
    let new = [Some(Code::NotFound), DENIED, DENIED, Some(Code::NotFound)];
    assert_eq!(place.all(&format!("{magic}/new")), new);
    assert_eq!(place.names("d"), ["f"]);
}

/// Files of /proc that can be written change the machine, not a file.
#[test]
fn files_of_proc_are_not_written() {
    let place = Place::new("ws/\nws/l => /proc/self/comm");
    for path in ["/proc/self/comm", "l"] {
        let [read, write, edit, _] = place.all(path);
        assert_eq!([read, write, edit], [None, DENIED, DENIED], "{path}");
    }
}
