//! A provider that remembers what was read through it, and explains what became stale.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::{History, change, whole};
use crate::cancel::Cancel;
use crate::error::{Code, Error};
use crate::provider::{Provider, TextStream};
use crate::types::{
    DirEntry, Edit, EditGuard, Info, Mutation, PathInfo, ReadWindow, Removal, Report, Target,
    TextContent, TextWindow, WriteGuard,
};
use crate::within::Within;
use crate::wording;

/// Any provider, with a history. Streams and raw contents are not remembered.
pub(crate) struct Remembering {
    inner: Arc<dyn Provider>,
    history: Arc<History>,
}

impl Remembering {
    /// Remembers in this history what is read and written through the provider.
    pub(crate) fn new(inner: Arc<dyn Provider>, history: Arc<History>) -> Self {
        Self { inner, history }
    }

    /// Keeps the content that a window was taken from: from the window itself where it
    /// shows the whole, which costs no further look at the file.
    fn remember_window(&self, target: &Target, window: &TextWindow, cancel: &Cancel) {
        let version = &window.version;
        if self.history.knows(version) {
            return;
        }
        let whole = whole::content(window);
        if !whole.is_some_and(|content| self.history.keep_as(version, content.as_bytes())) {
            self.remember(target, version, cancel);
        }
    }

    /// Keeps what the target holds, unless this version is known. The content is read
    /// once more: what was handed out may be a part of it, or another spelling.
    fn remember(&self, target: &Target, version: &str, cancel: &Cancel) {
        if !self.history.knows(version) {
            let kept = self.keep(target, cancel);
            if let Some(size) = (!kept).then(|| self.size(target, cancel)).flatten() {
                self.history.keep_size(version, size);
            }
        }
    }

    /// Keeps what the target holds now; `false` where it is too long or cannot be read.
    fn keep(&self, target: &Target, cancel: &Cancel) -> bool {
        let most = self.history.text_bytes();
        let content = match most {
            0 => None,
            _ => self.inner.read_bytes(target, most, cancel).ok(),
        };
        content.map(|content| self.history.keep(&content)).is_some()
    }

    fn size(&self, target: &Target, cancel: &Cancel) -> Option<u64> {
        self.inner.stat(target, cancel).ok()??.size
    }

    /// Before a change: what it will displace, if that is not known yet.
    fn prepare(&self, target: &Target, expected: Option<&str>, cancel: &Cancel) {
        match expected {
            Some(version) => self.remember(target, version, cancel),
            None => {
                self.keep(target, cancel);
            }
        }
    }

    /// After a change: the displaced text outlives this process.
    fn displaced(&self, mutation: &Mutation) {
        if let Some(previous) = &mutation.previous {
            self.history.save(previous);
        }
    }

    /// A stale error that has no reason of its own says what changed.
    fn explained(&self, error: Error, target: &Target, seen: Option<&str>) -> Error {
        match seen {
            Some(version) if error.code == Code::StaleVersion && error.detail.is_none() => {
                match self.what_changed(target, version) {
                    Some(detail) => wording::detailed(error, detail),
                    None => error,
                }
            }
            _ => error,
        }
    }

    /// `None` where nothing is there any more: the error says so itself.
    fn what_changed(&self, target: &Target, version: &str) -> Option<String> {
        // The call has failed already; a cancellation would only take the reason away.
        let cancel = Cancel::new();
        let most = self.history.text_bytes();
        let now = match self.inner.read_bytes(target, most, &cancel) {
            Ok(now) => Some(now),
            Err(error) if error.code == Code::NotFound => return None,
            Err(_) => None,
        };
        let lines = now.and_then(|now| match self.history.find(version) {
            Some(old) if *old == *now => Some(wording::history::CHANGED_BACK.to_owned()),
            Some(old) => change::between(&old, &now),
            None => None,
        });
        Some(lines.unwrap_or_else(|| self.sizes(target, version, &cancel)))
    }

    fn sizes(&self, target: &Target, version: &str, cancel: &Cancel) -> String {
        let since = |modified| SystemTime::now().duration_since(modified).ok();
        wording::history::sizes(
            self.history.size(version),
            self.size(target, cancel),
            self.inner.modified(target).and_then(since),
        )
    }
}

impl Provider for Remembering {
    fn resolve(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Target, Error> {
        self.inner.resolve(path, base, cancel)
    }

    fn process_path(&self, key: &str) -> Result<PathBuf, Error> {
        self.inner.process_path(key)
    }

    fn file_url(&self, key: &str) -> Result<String, Error> {
        self.inner.file_url(key)
    }

    fn contains(&self, parent: &str, child: &str) -> bool {
        self.inner.contains(parent, child)
    }

    fn stat(&self, target: &Target, cancel: &Cancel) -> Result<Option<Info>, Error> {
        self.inner.stat(target, cancel)
    }

    fn lstat(&self, path: &str, base: &str, cancel: &Cancel) -> Result<Option<PathInfo>, Error> {
        self.inner.lstat(path, base, cancel)
    }

    fn modified(&self, target: &Target) -> Option<SystemTime> {
        self.inner.modified(target)
    }

    fn read_text(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<TextContent, Error> {
        let content = self.inner.read_text(target, max_bytes, cancel)?;
        self.remember(target, &content.version, cancel);
        Ok(content)
    }

    fn read_window(
        &self,
        target: &Target,
        window: &ReadWindow,
        cancel: &Cancel,
    ) -> Result<TextWindow, Error> {
        let window = self.inner.read_window(target, window, cancel)?;
        self.remember_window(target, &window, cancel);
        Ok(window)
    }

    fn stream_text(&self, target: &Target) -> Box<dyn TextStream> {
        self.inner.stream_text(target)
    }

    fn read_bytes(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Error> {
        self.inner.read_bytes(target, max_bytes, cancel)
    }

    fn list_dir(&self, target: &Target, cancel: &Cancel) -> Result<Vec<DirEntry>, Error> {
        self.inner.list_dir(target, cancel)
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
        let expected = match guard {
            WriteGuard::ReplaceIfVersion(version) => Some(version.as_str()),
            WriteGuard::CreateIfAbsent | WriteGuard::Unconditional => None,
        };
        if *guard != WriteGuard::CreateIfAbsent {
            self.prepare(target, expected, cancel);
        }
        let mutation = self
            .inner
            .write_text(target, within, content, guard, report, cancel)
            .map_err(|error| self.explained(error, target, expected))?;
        self.displaced(&mutation);
        self.history.keep(content.as_bytes());
        Ok(mutation)
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
        let expected = match guard {
            EditGuard::IfVersion(version) => Some(version.as_str()),
            EditGuard::Unconditional => None,
        };
        self.prepare(target, expected, cancel);
        let mutation = self
            .inner
            .edit_text(target, within, edit, guard, report, cancel)
            .map_err(|error| self.explained(error, target, expected))?;
        self.displaced(&mutation);
        self.remember(target, &mutation.version, cancel);
        Ok(mutation)
    }

    fn remove(
        &self,
        target: &Target,
        within: &Within,
        version: &str,
        cancel: &Cancel,
    ) -> Result<Removal, Error> {
        self.prepare(target, Some(version), cancel);
        let removal = self
            .inner
            .remove(target, within, version, cancel)
            .map_err(|error| self.explained(error, target, Some(version)))?;
        self.history.save(&removal.previous);
        Ok(removal)
    }
}
