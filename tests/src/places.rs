//! Where a vector runs: fresh directories, and the names by which vectors mean them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};
use serde_json::Value;
use tempfile::TempDir;

/// The directories of one run; dropping them removes them.
#[derive(Debug)]
pub struct Places {
    base: TempDir,
    temp: TempDir,
    base_path: String,
    temp_path: String,
    left: Mutex<Vec<PathBuf>>,
}

impl Places {
    /// Makes `$BASE`, `$WS` and `$OUT` below `above`, and `$TMP` below `/tmp`.
    pub fn below(above: &Path) -> Result<Self> {
        let base = tempfile::Builder::new()
            .prefix("vector-")
            .tempdir_in(above)?;
        let temp = tempfile::Builder::new()
            .prefix("vector-")
            .tempdir_in("/tmp")?;
        for dir in [base.path(), temp.path()] {
            fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
        }
        let places = Self {
            base_path: canonical(base.path())?,
            temp_path: canonical(temp.path())?,
            base,
            temp,
            left: Mutex::default(),
        };
        Ok(places)
    }

    /// The path that a name or a relative path of a vector means.
    #[must_use]
    pub fn path(&self, spelled: &str) -> PathBuf {
        let meant = self.fill(spelled);
        if meant.starts_with('/') {
            return PathBuf::from(meant);
        }
        Path::new(&self.fill("$WS")).join(meant)
    }

    /// Remembers the files directly in `/tmp` that a command names, which it may leave.
    pub fn leaves(&self, command: &str) {
        let words = command.split_whitespace().map(Path::new);
        let files = words.filter(|word| word.parent() == Some(Path::new("/tmp")));
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(files.map(Path::to_owned));
    }

    /// The base directory.
    #[must_use]
    pub fn base(&self) -> &Path {
        self.base.path()
    }

    /// The directory below `/tmp`.
    #[must_use]
    pub fn temp(&self) -> &Path {
        self.temp.path()
    }

    /// Puts the real directories in the place of their names.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        if !text.contains('$') {
            return text.to_owned();
        }
        text.replace("$WS", &format!("{}/ws", self.base_path))
            .replace("$OUT", &format!("{}/out", self.base_path))
            .replace("$BASE", &self.base_path)
            .replace("$TMP", &self.temp_path)
    }

    /// `fill`, for every string and every field name of a value.
    #[must_use]
    pub fn fill_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.fill_value(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, field)| (self.fill(name), self.fill_value(field)))
                .collect(),
            other => other.clone(),
        }
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        for file in self.left.get_mut().unwrap_or_else(PoisonError::into_inner) {
            // What was not left need not be removed.
            let _ = fs::remove_file(file);
        }
    }
}

/// A directory for bases that neither `/tmp` nor the temporary directory contains (both are
/// writable roots, so a case of denial built there would pass or fail for another reason),
/// and that, if asked, every user may enter.
pub fn base_directory(wanted: Option<&Path>, for_anybody: bool) -> Result<PathBuf> {
    let mut candidates: Vec<PathBuf> = wanted.map(Path::to_path_buf).into_iter().collect();
    if wanted.is_none() {
        let program = std::env::current_exe().context("the path of the runner")?;
        candidates.extend(program.parent().map(|dir| dir.join("vectors-base")));
        candidates.extend(["/var/tmp", "/dev/shm", "/srv", "/"].map(PathBuf::from));
    }
    candidates
        .into_iter()
        .find_map(|dir| suitable(&dir, wanted.is_some(), for_anybody))
        .ok_or_else(|| anyhow!("no directory outside the temporary ones; name one by --base"))
}

fn suitable(dir: &Path, named: bool, for_anybody: bool) -> Option<PathBuf> {
    fs::create_dir_all(dir).ok()?;
    let real = fs::canonicalize(dir).ok()?;
    let temporary = [PathBuf::from("/tmp"), std::env::temp_dir()];
    let inside = temporary
        .iter()
        .filter_map(|temp| fs::canonicalize(temp).ok())
        .any(|temp| real.starts_with(temp));
    let enterable = !for_anybody || real.ancestors().all(anybody_enters);
    let usable = (named || !inside) && enterable && tempfile::tempdir_in(&real).is_ok();
    usable.then_some(real)
}

fn anybody_enters(dir: &Path) -> bool {
    fs::metadata(dir).is_ok_and(|meta| meta.permissions().mode() & 0o001 != 0)
}

fn canonical(dir: &Path) -> Result<String> {
    let real = fs::canonicalize(dir)?;
    Ok(real
        .to_str()
        .context("a base directory with a plain name")?
        .to_owned())
}
