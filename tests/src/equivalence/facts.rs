//! The disk at the path of an operation, before it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::case::Case;
use crate::name;
use crate::places::Places;

/// The disk at the path of an operation, before it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The path as spelled, absolute.
    pub spelled: Option<PathBuf>,
    /// Where a dangling link on the way leads.
    pub dangling: Option<PathBuf>,
    /// Where the kernel says that the path leads; a missing last name is kept.
    pub kernel: Option<PathBuf>,
    /// The content there.
    pub content: Option<Vec<u8>>,
    /// The permission bits there.
    pub mode: Option<u32>,
}

impl Facts {
    /// Looks at the path of an operation.
    #[must_use]
    pub fn look(case: &Case, op: &Value, places: &Places) -> Self {
        let Some(spelled) = spelled(case, op, places) else {
            return Self::default();
        };
        let kernel = kernel(&spelled);
        Self {
            dangling: dangling(&spelled),
            content: fs::metadata(&spelled)
                .is_ok_and(|meta| meta.is_file())
                .then(|| fs::read(&spelled).ok())
                .flatten(),
            mode: fs::metadata(&spelled).ok().map(|meta| meta.mode() & 0o7777),
            kernel,
            spelled: Some(spelled),
        }
    }

    /// The path with `.` and `..` taken out by the text alone, as the reference does.
    #[must_use]
    pub fn lexical(&self) -> Option<PathBuf> {
        let mut clean = PathBuf::new();
        for part in self.spelled.as_ref()?.components() {
            match part {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                other => clean.push(other),
            }
        }
        Some(clean)
    }

    /// Whether the path as spelled must be a directory.
    #[must_use]
    pub fn wants_directory(&self) -> bool {
        let text = self
            .spelled
            .as_ref()
            .map(|path| path.to_string_lossy().into_owned());
        text.is_some_and(|text| text.ends_with('/') || text.ends_with("/."))
    }
}

fn spelled(case: &Case, op: &Value, places: &Places) -> Option<PathBuf> {
    let tool = op["op"] == "tool";
    let path = if tool {
        op["args"]["file_path"].as_str()
    } else {
        op["path"].as_str()
    };
    let path = places.fill(path.filter(|path| !path.trim().is_empty())?);
    let given = case.given.session_cwd.clone().flatten().filter(|_| tool);
    let base = op["cwd"]
        .as_str()
        .map(str::to_owned)
        .or(given)
        .unwrap_or_else(|| "$WS".to_owned());
    let meant = if path.starts_with('/') {
        path
    } else {
        format!("{}/{path}", places.fill(&base))
    };
    Some(name::to_path(&meant))
}

/// Where a path leads by the kernel's rules; nothing where a directory on the way is missing.
pub(super) fn kernel(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Some(real);
    }
    let last = path.file_name()?;
    Some(fs::canonicalize(path.parent()?).ok()?.join(last))
}

/// Where the first dangling link on a path leads, with the rest of the path behind it.
fn dangling(path: &Path) -> Option<PathBuf> {
    let link = path.ancestors().find(|part| {
        fs::symlink_metadata(part).is_ok_and(|meta| meta.is_symlink())
            && fs::metadata(part).is_err()
    })?;
    let target = fs::read_link(link).ok()?;
    let led = kernel(&fs::canonicalize(link.parent()?).ok()?.join(target))?;
    let rest = path.strip_prefix(link).ok()?;
    let whole = if rest.as_os_str().is_empty() {
        led
    } else {
        led.join(rest)
    };
    (whole != path).then_some(whole)
}
