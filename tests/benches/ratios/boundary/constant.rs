//! A provider with one answer for everything.

use std::path::PathBuf;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::provider::{Provider, TextStream};
use dsh_fs::types::{
    DirEntry, Edit, EditGuard, EntryKind, Grade, Info, LineEndings, Mutation, Operation, PathInfo,
    ReadWindow, Removal, Report, Target, TextContent, TextWindow, WriteGuard,
};
use dsh_fs::within::Within;

/// As long as the versions of the local backend.
const VERSION: &str = "AAAAAAAAAAAAAAAAAAAAAA";

/// Whatever is asked, a text of 4 KiB is there, and a mutation is done.
pub(crate) struct Constant(TextWindow);

/// 64 lines of 64 bytes.
pub(crate) fn content() -> String {
    format!("{}\n", "x".repeat(63)).repeat(64)
}

impl Constant {
    /// The only one.
    pub(crate) fn new() -> Self {
        Self(TextWindow {
            version: VERSION.to_owned(),
            text: content(),
            first_line: 1,
            line_count: 64,
            total_lines: 64,
            capped: false,
            cut_lines: Vec::new(),
            line_endings: LineEndings::Lf,
            final_newline: true,
            byte_order_mark: false,
        })
    }
}

/// A text without a piece.
struct Nothing;

impl TextStream for Nothing {
    fn next(&mut self, _: &Cancel) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn version(&self) -> Option<String> {
        Some(VERSION.to_owned())
    }
}

fn done(target: &Target) -> Mutation {
    Mutation {
        operation: Operation::Update,
        target: target.clone(),
        version: VERSION.to_owned(),
        previous: Some(VERSION.to_owned()),
        replacements: None,
        grade: Grade::Atomic,
        grade_reason: None,
        hunks: Vec::new(),
        hunks_cut: false,
        before: None,
        after: None,
    }
}

impl Provider for Constant {
    fn resolve(&self, path: &str, _: &str, _: &Cancel) -> Result<Target, Error> {
        Ok(Target {
            key: path.to_owned(),
            display: path.to_owned(),
        })
    }

    fn process_path(&self, key: &str) -> Result<PathBuf, Error> {
        Ok(PathBuf::from(key))
    }

    fn file_url(&self, key: &str) -> Result<String, Error> {
        Ok(format!("file://{key}"))
    }

    fn contains(&self, parent: &str, child: &str) -> bool {
        child.starts_with(parent)
    }

    /// The workspace is a directory; it is all that is asked about.
    fn stat(&self, _: &Target, _: &Cancel) -> Result<Option<Info>, Error> {
        Ok(Some(Info {
            kind: EntryKind::Directory,
            size: None,
        }))
    }

    fn lstat(&self, _: &str, _: &str, _: &Cancel) -> Result<Option<PathInfo>, Error> {
        Ok(None)
    }

    fn read_text(&self, _: &Target, _: u64, _: &Cancel) -> Result<TextContent, Error> {
        Ok(TextContent {
            version: VERSION.to_owned(),
            text: self.0.text.clone(),
        })
    }

    fn read_window(&self, _: &Target, _: &ReadWindow, _: &Cancel) -> Result<TextWindow, Error> {
        Ok(self.0.clone())
    }

    fn stream_text(&self, _: &Target) -> Box<dyn TextStream> {
        Box::new(Nothing)
    }

    fn read_bytes(&self, _: &Target, _: u64, _: &Cancel) -> Result<Vec<u8>, Error> {
        Ok(self.0.text.clone().into_bytes())
    }

    fn list_dir(&self, _: &Target, _: &Cancel) -> Result<Vec<DirEntry>, Error> {
        Ok(Vec::new())
    }

    fn write_text(
        &self,
        target: &Target,
        _: &Within,
        _: &str,
        _: &WriteGuard,
        _: Report,
        _: &Cancel,
    ) -> Result<Mutation, Error> {
        Ok(done(target))
    }

    fn edit_text(
        &self,
        target: &Target,
        _: &Within,
        _: &Edit,
        _: &EditGuard,
        _: Report,
        _: &Cancel,
    ) -> Result<Mutation, Error> {
        Ok(done(target))
    }

    fn remove(
        &self,
        target: &Target,
        _: &Within,
        version: &str,
        _: &Cancel,
    ) -> Result<Removal, Error> {
        Ok(Removal {
            target: target.clone(),
            previous: version.to_owned(),
            grade: Grade::Atomic,
            grade_reason: None,
        })
    }
}
