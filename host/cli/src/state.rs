//! The state folder of the installation: `$XDG_STATE_HOME/dsh-fs`, private to the user.

use std::fs::DirBuilder;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::transaction::Transactions;
use dsh_fs::version::VersionSecret;
use dsh_fs_state::Store;
use rustix::fs::Access;

use crate::exit::{Failure, Reason};

/// The secret under which versions are made. Where no state folder can be kept, one for
/// this process: versions are then comparable within it only.
pub(crate) fn version_secret() -> Result<VersionSecret, Failure> {
    if let Some(folder) = folder()
        && usable(&folder)
    {
        let file = folder.join("version-secret");
        let secret = VersionSecret::load_or_create(&file)
            .with_context(|| format!("version secret {}", file.display()))?;
        return Ok(secret);
    }
    Ok(VersionSecret::random().context("random bytes for the version secret")?)
}

/// Whether state can be kept there; if not, that is said once.
fn usable(folder: &Path) -> bool {
    match make_private(folder) {
        Ok(()) => true,
        Err(error) => {
            let folder = folder.display();
            // Where standard error is closed, nobody can be told.
            let _ = writeln!(
                io::stderr(),
                "dsh-fs: note: nothing is kept in {folder} ({error})"
            );
            false
        }
    }
}

/// The database of sessions: of the file that is named, else in the state folder. Where no
/// folder can be kept for it there is none, as was said already; a file that is named, or is
/// there, and cannot be used is an error.
pub(crate) fn store(named: Option<&Path>) -> Result<Option<Store>, Failure> {
    let file = match named {
        Some(file) => file.to_owned(),
        None => match folder().filter(|folder| make_private(folder).is_ok()) {
            Some(folder) => folder.join("state.db"),
            None => return Ok(None),
        },
    };
    let store = Store::open(&file).map_err(|error| {
        let why = anyhow!("{error}").context(format!("database {}", file.display()));
        Failure::new(Reason::Database, why)
    })?;
    Ok(Some(store))
}

/// What this program keeps for itself: its folder, and the files of a database that is
/// named. An agent that could write there could give itself a mode, or permissions; one that
/// could read there would find old texts of files that it may not read, and the secret that
/// versions are made under.
pub(crate) fn own_files(named: Option<&Path>) -> Vec<PathBuf> {
    let mut own = folder().as_deref().map(places).unwrap_or_default();
    for suffix in ["", "-wal", "-shm", "-locks"] {
        let beside = named.map(|file| {
            let mut name = file.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        });
        own.extend(beside.as_deref().map(places).unwrap_or_default());
    }
    own
}

/// Where a file is, or would be made, and where it leads if it is a link.
pub(crate) fn places(path: &Path) -> Vec<PathBuf> {
    let here = || {
        let path = std::path::absolute(path).ok()?;
        let folder = path.parent()?.canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let mut places: Vec<PathBuf> = here().into_iter().collect();
    places.extend(path.canonicalize().ok());
    places.dedup();
    places
}

/// The same for a command that is about nothing else.
pub(crate) fn needed_store(named: Option<&Path>) -> Result<Store, Failure> {
    store(named)?.ok_or_else(|| {
        let why = anyhow!("there is no folder in which a database could be kept");
        Failure::new(Reason::Database, why).hint("name a file with --state FILE")
    })
}

/// Old texts, in the state folder; in memory where no folder can be kept for them.
pub(crate) fn history(secret: VersionSecret) -> History {
    let limits = HistoryLimits::default();
    folder()
        .filter(|folder| make_private(folder).is_ok())
        .and_then(|folder| History::in_folder(secret.clone(), limits, &folder.join("history")).ok())
        .unwrap_or_else(|| History::in_memory(secret, limits))
}

/// Where compiled code of other components is kept; without a private folder it is compiled
/// each time. The runtime makes the folder when there is something to keep.
pub(crate) fn code_cache() -> Option<PathBuf> {
    let folder = folder().filter(|folder| make_private(folder).is_ok())?;
    Some(folder.join("code"))
}

/// The journals of changes of several files, in the state folder; none where they cannot be
/// kept. The secret must be the lasting one, as it is where the folder can be used.
pub(crate) fn transactions(secret: VersionSecret) -> Option<Transactions> {
    let folder = folder().filter(|folder| make_private(folder).is_ok())?;
    let journals = folder.join("transactions");
    match Transactions::in_folder(secret, &journals) {
        Ok(transactions) => Some(transactions),
        Err(error) => {
            let journals = journals.display();
            // Where standard error is closed, nobody can be told.
            let _ = writeln!(
                io::stderr(),
                "dsh-fs: note: no journals of several changes at once in {journals} ({error})"
            );
            None
        }
    }
}

/// Where the state belongs, by the XDG base directory specification: an absolute
/// `XDG_STATE_HOME`, else `.local/state` in the home directory.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))?;
    Some(base.join("dsh-fs"))
}

/// Makes the folder if need be. One that others could change is not used: whoever knows
/// or plants the secret can make up versions.
fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let found = std::fs::symlink_metadata(folder)?;
    let own = found.uid() == rustix::process::geteuid().as_raw();
    if !found.is_dir() || !own || found.mode() & 0o022 != 0 {
        let why = "not a directory of this user alone";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    // In a command of an agent it is hidden, or read-only.
    let all = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
    rustix::fs::access(folder, all)?;
    Ok(())
}
