//! Reading the file, and refusing one that somebody else could have written.

#![allow(
    clippy::disallowed_methods,
    reason = "the one file here is named by whoever starts the agents"
)]

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use super::error::{ConfigCode, ConfigError, Problem};
use super::{Deployment, wording};

/// The longest file, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// How many links are followed on the way to it, as the kernel does.
const MOST_LINKS: usize = 40;

/// Reads a file and everything about it.
pub(super) fn deployment(path: &Path) -> Result<Deployment, ConfigError> {
    let name = path.display().to_string();
    let unreadable =
        |reason: String| ConfigError::of(Problem::of_file(ConfigCode::Unreadable, &name, reason));
    let (text, found) = content(path).map_err(unreadable)?;
    let way = way_to(path).map_err(|error| unreadable(wording::unreadable(error)))?;
    let mut deployment = Deployment::parse(&text, &name)?;
    let unsafe_file =
        |reason| ConfigError::of(Problem::of_file(ConfigCode::UnsafeFile, &name, reason));
    let reason = in_a_root(&deployment, &way)
        .or_else(|| unsafe_way(&way, &found))
        .or_else(|| led_by_agents(&deployment));
    if let Some(reason) = reason {
        return Err(unsafe_file(reason));
    }
    deployment.file = way.last().cloned();
    Ok(deployment)
}

/// Why an agent decides what a root means, or what confines its commands: a link on the
/// way to a root, or the runner itself, lies where it may write.
fn led_by_agents(deployment: &Deployment) -> Option<String> {
    let roots = deployment.workspace.iter().chain(&deployment.roots);
    for root in roots {
        let mut way = way_to(root).unwrap_or_default();
        way.retain(|place| fs::symlink_metadata(place).is_ok_and(|found| found.is_symlink()));
        if let Some(reason) = in_a_root(deployment, &way) {
            return Some(reason);
        }
    }
    let runner = deployment.shell.runner.as_ref()?.argv.first()?;
    let way = way_to(Path::new(runner)).unwrap_or_default();
    in_a_root(deployment, &way)
}

/// Why the file of a deployment is within the reach of its agents.
pub(super) fn in_reach(deployment: &Deployment) -> Option<String> {
    let way = way_to(deployment.file.as_deref()?);
    match way {
        Ok(way) => in_a_root(deployment, &way),
        Err(error) => Some(wording::unreadable(error)),
    }
}

/// Why a program is within the reach of the agents; nothing where there is none.
pub(super) fn program_in_reach(deployment: &Deployment, program: &Path) -> Option<String> {
    in_a_root(deployment, &way_to(program).ok()?)
}

fn content(path: &Path) -> Result<(String, Metadata), String> {
    let read = || {
        // A FIFO would wait for a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("it is no regular file"));
        }
        let file = File::open(path)?;
        let found = file.metadata()?;
        let mut text = String::new();
        file.take(LONGEST + 1).read_to_string(&mut text)?;
        Ok((text, found))
    };
    let (text, found) = read().map_err(wording::unreadable)?;
    if text.len() as u64 > LONGEST {
        return Err(wording::unreadable(wording::too_long(LONGEST)));
    }
    Ok((text, found))
}

/// Every canonical name on the way to a file: the directories, the links, the file last.
fn way_to(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut pending: Vec<OsString> = names(&std::path::absolute(path)?);
    let mut way = Vec::new();
    let mut reached = PathBuf::from("/");
    let mut links = 0;
    while let Some(name) = pending.pop() {
        if name == ".." {
            reached.pop();
            continue;
        }
        let place = reached.join(&name);
        way.push(place.clone());
        if !fs::symlink_metadata(&place)?.is_symlink() {
            reached = place;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(std::io::Error::other("too many symbolic links"));
        }
        let target = fs::read_link(&place)?;
        if target.is_absolute() {
            reached = PathBuf::from("/");
        }
        pending.extend(names(&target));
    }
    Ok(way)
}

/// The names of a path, the first one last.
fn names(path: &Path) -> Vec<OsString> {
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    names.collect()
}

/// Why something on the way lies where an agent may write: it is beneath a root of this
/// deployment, whatever the mode of now is.
fn in_a_root(deployment: &Deployment, way: &[PathBuf]) -> Option<String> {
    let temp = deployment.temp_roots.then(|| PathBuf::from("/tmp"));
    let roots = deployment.workspace.iter().chain(&deployment.roots);
    for root in roots.chain(&temp) {
        // One that does not exist contains nothing, and may exist later.
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let inside = way
            .iter()
            .find(|place| place.starts_with(&root) && **place != root);
        if let Some(place) = inside {
            return Some(wording::in_root(place, &root));
        }
    }
    None
}

/// Why somebody else could have written the file, or put another one in its place.
fn unsafe_way(way: &[PathBuf], found: &Metadata) -> Option<String> {
    let (file, above) = way.split_last()?;
    let now = fs::symlink_metadata(file).ok()?;
    if (now.dev(), now.ino()) != (found.dev(), found.ino()) {
        return Some(wording::exchanged());
    }
    if found.nlink() > 1 {
        return Some(wording::linked(found.nlink()));
    }
    if found.mode() & 0o022 != 0 {
        return Some(wording::writable(file));
    }
    if !is_trusted(found.uid()) {
        return Some(wording::foreign(file, found.uid()));
    }
    above
        .iter()
        .find_map(|place| unsafe_directory(place, file.parent() == Some(place)))
}

/// In a sticky directory nobody renames what belongs to another; that is enough for the
/// ones further up, not for the one that the file itself lies in.
fn unsafe_directory(place: &Path, holds_file: bool) -> Option<String> {
    let found = fs::symlink_metadata(place).ok()?;
    let sticky = found.mode() & 0o1000 != 0;
    if found.is_symlink() {
        return (!is_trusted(found.uid())).then(|| wording::foreign(place, found.uid()));
    }
    if found.mode() & 0o022 != 0 && (holds_file || !sticky) {
        return Some(wording::writable(place));
    }
    (!is_trusted(found.uid())).then(|| wording::foreign(place, found.uid()))
}

fn is_trusted(uid: u32) -> bool {
    uid == 0 || uid == rustix::process::geteuid().as_raw()
}

/// Whether a directory is another or beneath it, links followed; both must exist.
pub(super) fn is_at_or_beneath(path: &Path, above: &Path) -> bool {
    match (fs::canonicalize(path), fs::canonicalize(above)) {
        (Ok(path), Ok(above)) => path.starts_with(above),
        _ => false,
    }
}
