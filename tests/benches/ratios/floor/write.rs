//! Resolve, read and hash the old, stage, write, sync, lease, exchange, sync.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, fsync, linkat, openat, renameat_with, unlinkat,
};
use xxhash_rust::xxh3::xxh3_128_with_secret;

use super::{SECRET, lease, open_read, read, resolve};

/// The name of the staged file.
const STAGED: &str = ".staged";

/// Replaces a file; answers the old digest and the new one.
pub(crate) fn write(path: &Path, content: &[u8]) -> (u128, u128) {
    resolve(path);
    let old = open_read(path);
    let (_, digest) = read::content(&old);
    (digest, publish(path, &old, content))
}

/// Replaces the only place of a text in a file.
pub(crate) fn edit(path: &Path, old_text: &str, new_text: &str) -> (u128, u128) {
    resolve(path);
    let old = open_read(path);
    let (content, digest) = read::content(&old);
    let content = String::from_utf8(content).expect("the file is text");
    let at = content.find(old_text).expect("the text is there");
    assert_eq!(content.rfind(old_text), Some(at), "and only once");
    let mut content = content.into_bytes();
    content.splice(at..at + old_text.len(), new_text.bytes());
    (digest, publish(path, &old, &content))
}

fn publish(path: &Path, old: &OwnedFd, content: &[u8]) -> u128 {
    let folder = open_read(path.parent().expect("it has a folder"));
    let name = path.file_name().expect("it has a name");
    let digest = xxh3_128_with_secret(content, &SECRET);
    stage(&folder, content);
    lease::take(old);
    renameat_with(&folder, STAGED, &folder, name, RenameFlags::EXCHANGE).expect("both exist");
    fsync(&folder).expect("the disk is well");
    lease::release(old);
    unlinkat(&folder, STAGED, AtFlags::empty()).expect("the old file has that name");
    digest
}

fn stage(folder: &OwnedFd, content: &[u8]) {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let staged = openat(folder, ".", flags, Mode::RUSR | Mode::WUSR).expect("no name is needed");
    let written = rustix::io::write(&staged, content).expect("there is room");
    assert_eq!(written, content.len());
    fsync(&staged).expect("the disk is well");
    // By the descriptor: the way through /proc is a third of the speed.
    linkat(&staged, "", folder, STAGED, AtFlags::EMPTY_PATH).expect("the name is free");
}
