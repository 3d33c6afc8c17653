//! Compiled code of components that do not ship, kept by digest in a private folder: a
//! gate written in JavaScript or Python takes seconds to compile.

#![allow(
    clippy::disallowed_methods,
    reason = "the embedder names the folder of the cache, which is no workspace"
)]

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dsh_fs_artifacts::digest;
use rustix::fs::{Mode, OFlags};
use wasmtime::Engine;

/// Length of the digest that every file begins with.
const DIGEST_CHARS: usize = 64;

/// A folder that only this user can write: what is in it will be run as it is.
pub(crate) struct CodeCache {
    folder: PathBuf,
    engine: u64,
}

impl CodeCache {
    /// Opens the folder, and makes it where it is missing. `None` where somebody else
    /// could write into it, or it cannot be used: then nothing is cached.
    pub(crate) fn open(folder: &Path, engine: &Engine) -> Option<Self> {
        // An existing folder is judged below, and any other trouble shows there as well.
        let _ = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        if !is_private(&fs::symlink_metadata(folder).ok()?) {
            tracing::warn!(folder = %folder.display(), "the code cache is not private: not used");
            return None;
        }
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        Some(Self {
            folder: folder.to_path_buf(),
            engine: hasher.finish(),
        })
    }

    /// The code of a component, if it was kept by this user and is whole.
    pub(crate) fn find(&self, component: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = read_private(&self.path(component))?;
        if bytes.len() < DIGEST_CHARS {
            return None;
        }
        let code = bytes.split_off(DIGEST_CHARS);
        (digest(&code).as_bytes() == bytes).then_some(code)
    }

    /// Keeps code. A cache that cannot be written is one that holds nothing: it costs
    /// time at the next start, and nothing else.
    pub(crate) fn keep(&self, component: &[u8], code: &[u8]) {
        let path = self.path(component);
        let staged = path.with_extension(format!("{}.part", std::process::id()));
        let written = write_private(&staged, code).and_then(|()| fs::rename(&staged, &path));
        if let Err(error) = written {
            tracing::debug!(%error, "compiled code could not be kept");
            // Nothing was published; what remains of the staged file is of no use.
            let _ = fs::remove_file(&staged);
        }
    }

    fn path(&self, component: &[u8]) -> PathBuf {
        let name = format!("{}-{:016x}.cwasm", digest(component), self.engine);
        self.folder.join(name)
    }
}

fn write_private(path: &Path, code: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(digest(code).as_bytes())?;
    file.write_all(code)
}

/// The content of a file of this user that nobody else may write. The digest in it is no
/// proof of where it comes from: the folder may have been open to others before.
fn read_private(path: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let facts = file.metadata().ok()?;
    if !facts.is_file() || !is_mine_alone(&facts) {
        tracing::warn!(file = %path.display(), "somebody else's code is not used");
        return None;
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn is_private(folder: &Metadata) -> bool {
    folder.is_dir() && is_mine_alone(folder)
}

/// Whether it is this user's, and nobody else may write it.
fn is_mine_alone(facts: &Metadata) -> bool {
    facts.uid() == rustix::process::geteuid().as_raw() && facts.mode() & 0o022 == 0
}
