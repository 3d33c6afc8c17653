//! The backend over the file system of this machine.
//!
//! A key is the canonical path, in the name escape. Reading follows the key wherever it
//! leads by now: reads are not confined. What a read answers comes from one descriptor.

mod fence;
pub(crate) mod key;
mod list;
mod mutate;
mod open;
mod publish;
mod queue;
mod read;
pub(crate) mod resolve;
mod stat;
mod stream;
pub(crate) mod sys;
mod window;

use std::path::PathBuf;
use std::time::SystemTime;

use crate::cancel::Cancel;
use crate::error::Error;
use crate::provider::{Provider, TextStream};
use crate::types::{
    DirEntry, Edit, EditGuard, Info, Mutation, PathInfo, ReadWindow, Removal, Report, Target,
    TextContent, TextWindow, WriteGuard,
};
use crate::within::Within;

pub use fence::Walk;
pub use mutate::LocalFileSystem;
pub use publish::{Durability, PublishOptions};
pub use sys::{Call, Watch};

impl Provider for LocalFileSystem {
    fn resolve(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Target, Error> {
        resolve::resolve(path, base, cancel)
    }

    fn process_path(&self, key: &str) -> Result<PathBuf, Error> {
        key::process_path(key)
    }

    fn file_url(&self, key: &str) -> Result<String, Error> {
        key::file_url(key)
    }

    fn contains(&self, parent: &str, child: &str) -> bool {
        key::contains(parent, child)
    }

    fn stat(&self, target: &Target, cancel: &Cancel) -> Result<Option<Info>, Error> {
        stat::stat(target, cancel)
    }

    fn lstat(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Option<PathInfo>, Error> {
        stat::lstat(path, base, cancel)
    }

    fn modified(&self, target: &Target) -> Option<SystemTime> {
        stat::modified(target)
    }

    fn read_text(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<TextContent, Error> {
        read::read_text(self.secret(), target, max_bytes, cancel)
    }

    fn read_window(
        &self,
        target: &Target,
        window: &ReadWindow,
        cancel: &Cancel,
    ) -> Result<TextWindow, Error> {
        window::read_window(self.secret(), target, window, cancel)
    }

    fn stream_text(&self, target: &Target) -> Box<dyn TextStream> {
        Box::new(stream::LocalStream::new(self.secret(), target))
    }

    fn read_bytes(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Error> {
        read::read_bytes(target, max_bytes, cancel)
    }

    fn list_dir(&self, target: &Target, cancel: &Cancel) -> Result<Vec<DirEntry>, Error> {
        list::list_dir(target, cancel)
    }

    fn write_text(
        &self,
        target: &Target,
        within: &Within,
        content: &str,
        guard: &WriteGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        self.publisher()
            .write(target, within, content, guard, report, cancel)
    }

    fn edit_text(
        &self,
        target: &Target,
        within: &Within,
        edit: &Edit,
        guard: &EditGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        self.publisher()
            .edit(target, within, edit, guard, report, cancel)
    }

    fn remove(
        &self,
        target: &Target,
        within: &Within,
        version: &str,
        cancel: &Cancel,
    ) -> Result<Removal, Error> {
        self.publisher().remove(target, within, version, cancel)
    }
}
