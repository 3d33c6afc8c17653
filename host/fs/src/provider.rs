//! The provider seam: what a source of files must be able to do.
//!
//! A mutation says *what must hold* (a guard) and *where it may land* ([`Within`]); the
//! provider enforces both inside its critical section. Reads are not confined here, but they
//! open a key as it is: one that a link has come onto is `FS_STALE_VERSION`.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::cancel::Cancel;
use crate::error::Error;
use crate::types::{
    DirEntry, Edit, EditGuard, Info, Mutation, PathInfo, ReadWindow, Report, Target, TextContent,
    TextWindow, WriteGuard,
};
use crate::within::Within;

/// A source of files.
///
/// Every method may be called from several threads at once. Mutations of one target run
/// in the order in which they arrived. `cancel` is looked at between system calls and
/// while waiting; a cancelled call is `FS_ABORTED`.
pub trait Provider: Send + Sync {
    /// Finds out which file a path means, following links one component at a time as the
    /// kernel does. A missing target is keyed on its nearest existing ancestor.
    ///
    /// `FS_NOT_FOUND`: blank, NUL, too long, a loop of links, a file used as a directory.
    fn resolve(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Target, Error>;

    /// The path that a process of this machine would use for a target.
    fn process_path(&self, key: &str) -> Result<PathBuf, Error>;

    /// A target as a `file:` URL.
    fn file_url(&self, key: &str) -> Result<String, Error>;

    /// Whether `child` is `parent` or beneath it, by whole names.
    fn contains(&self, parent: &str, child: &str) -> bool;

    /// Facts about a target, links followed; `None` where it is absent.
    fn stat(&self, target: &Target, cancel: &Cancel) -> Result<Option<Info>, Error>;

    /// Facts about a path itself; `None` where it is absent.
    fn lstat(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Option<PathInfo>, Error>;

    /// When the content of a target was last changed, where the source can tell. For people
    /// and models to read: nothing is decided by it.
    fn modified(&self, _target: &Target) -> Option<SystemTime> {
        None
    }

    /// A whole text of at most `max_bytes`, with its version from the same descriptor.
    fn read_text(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<TextContent, Error>;

    /// A part of a text; the whole file is checked and hashed, in constant memory.
    fn read_window(
        &self,
        target: &Target,
        window: &ReadWindow,
        cancel: &Cancel,
    ) -> Result<TextWindow, Error>;

    /// A text of any size, a piece at a time. Opening never fails; the first piece does.
    fn stream_text(&self, target: &Target) -> Box<dyn TextStream>;

    /// Raw content of at most `max_bytes`.
    fn read_bytes(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Error>;

    /// The direct children of a directory, by the bytes of their names.
    fn list_dir(&self, target: &Target, cancel: &Cancel) -> Result<Vec<DirEntry>, Error>;

    /// Publishes a whole file; missing parents are made, and unmade if it fails.
    fn write_text(
        &self,
        target: &Target,
        within: &Within,
        content: &str,
        guard: &WriteGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error>;

    /// Replaces text in a file; the version is checked before the text is searched.
    fn edit_text(
        &self,
        target: &Target,
        within: &Within,
        edit: &Edit,
        guard: &EditGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error>;
}

/// A text that is read a piece at a time.
pub trait TextStream: Send {
    /// The next piece, at most 64 KiB, `None` at the end.
    fn next(&mut self, cancel: &Cancel) -> Result<Option<String>, Error>;

    /// The version of the whole, once `next` has answered `None`.
    fn version(&self) -> Option<String>;
}
