//! What every mutation passes: mode, guard, place. Where there is no place for it there is
//! no directory to write in either.

use std::rc::Rc;

use wasip2::filesystem::types::Descriptor;

use crate::bindings::dsh::fs::types::{Error, ErrorCode, SandboxMode, Target};
use crate::content;
use crate::failure::{self, cannot, denied, detailed};
use crate::ground::{Ground, Root};
use crate::walk;

/// Where a mutation may land: a directory to start from, and the names from there.
pub(crate) struct Within {
    pub(crate) directory: Rc<Descriptor>,
    /// The names above the last one.
    pub(crate) above: Vec<String>,
    pub(crate) name: String,
}

/// The place of a mutation, or why it may not happen. Nothing is written here.
pub(crate) fn admit(
    ground: &Ground,
    mode: SandboxMode,
    verb: &str,
    target: &Target,
    guarded: bool,
) -> Result<Within, Error> {
    let display = &target.display_path;
    if mode == SandboxMode::ReadOnly {
        return Err(denied(display, mode));
    }
    if !guarded {
        let reason = "these files are open for guarded mutations only, and no guard was given";
        return Err(cannot(ErrorCode::NotObserved, verb, display, reason));
    }
    let root = ground
        .root
        .as_ref()
        .filter(|_| mode == SandboxMode::WorkspaceWrite);
    match root {
        Some(root) => beneath_root(ground, root, mode, verb, target),
        None if mode == SandboxMode::WorkspaceWrite => Err(denied(display, mode)),
        None => anywhere(ground, verb, target),
    }
}

fn anywhere(ground: &Ground, verb: &str, target: &Target) -> Result<Within, Error> {
    let (folder, names) = content::beneath(ground, target)?;
    within(Rc::clone(&folder.directory), names, verb, target)
}

fn beneath_root(
    ground: &Ground,
    root: &Root,
    mode: SandboxMode,
    verb: &str,
    target: &Target,
) -> Result<Within, Error> {
    let display = &target.display_path;
    let now = leads_to(ground, verb, target)?;
    if now == root.key {
        return Err(failure::not_regular(verb, display));
    }
    let Some(rest) = rest_of(&root.key, &now) else {
        return Err(denied(display, mode));
    };
    if now != target.key {
        return Err(failure::leads_elsewhere(verb, display));
    }
    if !is_unmoved(ground, root) {
        let detail = "the workspace root is no longer the directory that this session started with";
        return Err(detailed(denied(display, mode), detail));
    }
    if let Some(kept) = protecting(ground, &rest) {
        let detail = format!("\"{kept}\" is kept read-only");
        return Err(detailed(denied(display, mode), detail));
    }
    within(Rc::clone(&root.directory), rest, verb, target)
}

fn within(
    directory: Rc<Descriptor>,
    names: Vec<String>,
    verb: &str,
    target: &Target,
) -> Result<Within, Error> {
    let mut above = names;
    let name = above.pop();
    let name = name.ok_or_else(|| failure::not_regular(verb, &target.display_path))?;
    Ok(Within {
        directory,
        above,
        name,
    })
}

/// Where the path that the caller was shown leads now.
fn leads_to(ground: &Ground, verb: &str, target: &Target) -> Result<String, Error> {
    let display = &target.display_path;
    let by_key = walk::walk(ground, &target.key, "/");
    let shown = walk::walk(ground, display, "/");
    match (by_key, shown) {
        (Ok(by_key), _) if by_key.target.key != target.key => Ok(by_key.target.key),
        (Ok(_), Ok(shown)) => Ok(shown.target.key),
        (Err(error), _) | (_, Err(error)) => match error.code {
            ErrorCode::NotFound => Err(failure::leads_elsewhere(verb, display)),
            _ => Err(error),
        },
    }
}

/// The names from a directory to what is strictly beneath it, by whole names.
fn rest_of(root: &str, key: &str) -> Option<Vec<String>> {
    let root: Vec<&str> = walk::names(root).collect();
    let key: Vec<&str> = walk::names(key).collect();
    let beneath = key.len() > root.len() && key.starts_with(&root);
    let rest = beneath.then(|| key[root.len()..].iter())?;
    rest.map(|name| walk::to_runtime(name)).collect()
}

fn is_unmoved(ground: &Ground, root: &Root) -> bool {
    walk::walk(ground, &root.key, "/")
        .ok()
        .and_then(|now| now.directory)
        .is_some_and(|now| now.is_same_object(&root.directory))
}

/// The protected sub-path that a change of this path would touch: in it, or above it.
fn protecting<'a>(ground: &'a Ground, rest: &[String]) -> Option<&'a str> {
    let mut kept = ground.options.protected.iter();
    let touched = kept.find(|kept| {
        let names: Vec<&str> = walk::names(kept).collect();
        let both = names.iter().zip(rest);
        !names.is_empty() && both.into_iter().all(|(kept, name)| kept == name)
    });
    touched.map(String::as_str)
}
