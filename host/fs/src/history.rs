//! Old texts, by version: what a file held when it was read, and what a change displaced.
//!
//! They are there so that an error can say what changed, and a change can be taken back.
//! Nothing is decided by them: a text that was not kept costs an explanation, and no call
//! fails because of this store.

mod change;
mod folder;
mod recent;
mod remembering;
mod whole;

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::folder::Folder;
use self::recent::Recent;
use crate::version::VersionSecret;

pub(crate) use remembering::Remembering;

/// What a text that is kept counts for at least, in bytes: about what it takes up.
const LEAST: u64 = 4096;

/// How many versions of files that were not kept have their size remembered.
const SIZES: u64 = 4096;

/// How much is kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryLimits {
    /// A longer text is not kept, in bytes.
    pub text_bytes: u64,
    /// The most that is kept in memory, in bytes; the oldest go first.
    pub memory_bytes: u64,
    /// The most that is kept in the folder, in bytes; the oldest go first. A text counts
    /// for at least 4 KiB. Other processes that use the folder at the same time may each
    /// exceed it by a sixteenth, until one of them looks again.
    pub folder_bytes: u64,
    /// A text in the folder is not used, and is removed, when it is older.
    pub age: Duration,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self {
            text_bytes: 1 << 20,
            memory_bytes: 16 << 20,
            folder_bytes: 64 << 20,
            age: Duration::from_hours(7 * 24),
        }
    }
}

/// Old texts, by version. May be used from several threads at once.
///
/// What was only read stays in memory. A text that a change displaced is put into the
/// folder as well, if there is one, as a file that only this user can read.
pub struct History {
    secret: VersionSecret,
    limits: HistoryLimits,
    texts: Mutex<Recent<Arc<[u8]>>>,
    sizes: Mutex<Recent<u64>>,
    folder: Option<Folder>,
}

impl History {
    /// A history that ends with this process. The secret is that of the provider.
    #[must_use]
    pub fn in_memory(secret: VersionSecret, limits: HistoryLimits) -> Self {
        Self {
            secret,
            limits,
            texts: Mutex::new(Recent::new(limits.memory_bytes)),
            sizes: Mutex::new(Recent::new(SIZES)),
            folder: None,
        }
    }

    /// A history that keeps no text at all, and remembers sizes only.
    #[must_use]
    pub fn of_sizes(secret: VersionSecret) -> Self {
        let limits = HistoryLimits {
            text_bytes: 0,
            memory_bytes: 0,
            ..HistoryLimits::default()
        };
        Self::in_memory(secret, limits)
    }

    /// A history that puts displaced texts into this folder, which is made if its parent
    /// is there. Several processes may use it at once.
    ///
    /// # Errors
    /// The folder cannot be made, is no directory, or is open to other users.
    pub fn in_folder(
        secret: VersionSecret,
        limits: HistoryLimits,
        path: &Path,
    ) -> io::Result<Self> {
        Ok(Self {
            folder: Some(Folder::open(path, &limits)?),
            ..Self::in_memory(secret, limits)
        })
    }

    /// Keeps a content in memory, unless it is too long; answers its version.
    pub fn keep(&self, content: &[u8]) -> String {
        let version = self.secret.version_of(content);
        self.put(&version, content);
        version
    }

    /// Keeps a content if it is that of this version; `false` where it is not.
    fn keep_as(&self, version: &str, content: &[u8]) -> bool {
        let is_that = self.secret.version_of(content) == version;
        if is_that {
            self.put(version, content);
        }
        is_that
    }

    fn put(&self, version: &str, content: &[u8]) {
        let length = content.len() as u64;
        if length > 0 && length <= self.limits.text_bytes {
            let weight = length.max(LEAST);
            lock(&self.texts).put(version, content.into(), weight);
        } else {
            self.keep_size(version, length);
        }
    }

    /// Puts a text that is in memory into the folder, if there is one.
    pub fn save(&self, version: &str) {
        let Some(folder) = &self.folder else { return };
        let Some(content) = lock(&self.texts).find(version) else {
            return;
        };
        if let Err(error) = folder.save(version, &content) {
            tracing::debug!(%error, "an old text was not kept");
        }
    }

    /// The content of that version, from memory or from the folder.
    #[must_use]
    pub fn find(&self, version: &str) -> Option<Arc<[u8]>> {
        if let Some(content) = lock(&self.texts).find(version) {
            return Some(content);
        }
        if self.secret.version_of(&[]) == version {
            return Some(Arc::default());
        }
        let content = self.folder.as_ref()?.load(version)?;
        // A file that somebody changed is not the text of that version.
        (self.secret.version_of(&content) == version).then(|| content.into())
    }

    /// The size in bytes of the content of that version, as far as memory knows.
    #[must_use]
    pub fn size(&self, version: &str) -> Option<u64> {
        let kept = lock(&self.texts).find(version);
        kept.map(|content| content.len() as u64)
            .or_else(|| lock(&self.sizes).find(version))
    }

    /// The most bytes of a text that is kept.
    fn text_bytes(&self) -> u64 {
        self.limits.text_bytes
    }

    /// Whether memory has the text or the size of that version.
    fn knows(&self, version: &str) -> bool {
        lock(&self.texts).has(version) || lock(&self.sizes).has(version)
    }

    fn keep_size(&self, version: &str, size: u64) {
        lock(&self.sizes).put(version, size, 1);
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// A panic in between leaves a store that is at worst incomplete.
fn lock<T>(store: &Mutex<T>) -> MutexGuard<'_, T> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
