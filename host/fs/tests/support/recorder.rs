//! A provider that reads for real and only notes where a mutation would have landed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::local::LocalFileSystem;
use dsh_fs::provider::{Provider, TextStream};
use dsh_fs::types::{
    DirEntry, Edit, EditGuard, Grade, Info, Mutation, Operation, PathInfo, ReadWindow, Removal,
    Report, Target, TextContent, TextWindow, WriteGuard,
};
use dsh_fs::within::Within;

/// Stands for the local backend behind the fence.
pub struct Recorder {
    local: Arc<LocalFileSystem>,
    landed: Mutex<Vec<(Target, Option<String>)>>,
}

impl Recorder {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            local: super::local(),
            landed: Mutex::default(),
        })
    }

    /// The targets let through so far, each with the root that it must stay beneath.
    pub fn landed(&self) -> Vec<(Target, Option<String>)> {
        self.landed
            .lock()
            .expect("no test panics while it holds this")
            .clone()
    }

    fn land(&self, target: &Target, within: &Within) -> Mutation {
        let root = within.root().map(|root| root.text());
        let mut landed = self
            .landed
            .lock()
            .expect("no test panics while it holds this");
        landed.push((target.clone(), root));
        Mutation {
            operation: Operation::Create,
            target: target.clone(),
            version: String::new(),
            previous: None,
            replacements: None,
            grade: Grade::Atomic,
            grade_reason: None,
            hunks: Vec::new(),
            hunks_cut: false,
            before: None,
            after: None,
        }
    }
}

impl Provider for Recorder {
    fn resolve(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Target, Error> {
        self.local.resolve(path, base, cancel)
    }
    fn process_path(&self, key: &str) -> Result<PathBuf, Error> {
        self.local.process_path(key)
    }
    fn file_url(&self, key: &str) -> Result<String, Error> {
        self.local.file_url(key)
    }
    fn contains(&self, parent: &str, child: &str) -> bool {
        self.local.contains(parent, child)
    }
    fn stat(&self, target: &Target, cancel: &Cancel) -> Result<Option<Info>, Error> {
        self.local.stat(target, cancel)
    }
    fn lstat(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Option<PathInfo>, Error> {
        self.local.lstat(path, base, cancel)
    }
    fn read_text(&self, target: &Target, max: u64, cancel: &Cancel) -> Result<TextContent, Error> {
        self.local.read_text(target, max, cancel)
    }
    fn read_window(
        &self,
        target: &Target,
        window: &ReadWindow,
        cancel: &Cancel,
    ) -> Result<TextWindow, Error> {
        self.local.read_window(target, window, cancel)
    }
    fn stream_text(&self, target: &Target) -> Box<dyn TextStream> {
        self.local.stream_text(target)
    }
    fn read_bytes(&self, target: &Target, max: u64, cancel: &Cancel) -> Result<Vec<u8>, Error> {
        self.local.read_bytes(target, max, cancel)
    }
    fn list_dir(&self, target: &Target, cancel: &Cancel) -> Result<Vec<DirEntry>, Error> {
        self.local.list_dir(target, cancel)
    }
    fn write_text(
        &self,
        target: &Target,
        within: &Within,
        _: &str,
        _: &WriteGuard,
        _: Report,
        _: &Cancel,
    ) -> Result<Mutation, Error> {
        Ok(self.land(target, within))
    }
    fn edit_text(
        &self,
        target: &Target,
        within: &Within,
        _: &Edit,
        _: &EditGuard,
        _: Report,
        _: &Cancel,
    ) -> Result<Mutation, Error> {
        Ok(self.land(target, within))
    }
    fn remove(
        &self,
        target: &Target,
        within: &Within,
        version: &str,
        _: &Cancel,
    ) -> Result<Removal, Error> {
        let landed = self.land(target, within);
        Ok(Removal {
            target: landed.target,
            previous: version.to_owned(),
            grade: landed.grade,
            grade_reason: landed.grade_reason,
        })
    }
}
