//! Builds the tree that a vector gives.
//!
//! Values: text; `{text|hex|repeat|parts, mode}`; `{dir: true, mode}`; `{link}`; `{hard}`;
//! `{fifo: true}`. Plain nodes come first, then links, then what lies beyond a link, and
//! modes of directories last, so that the order of fields does not matter.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::case::{Given, Tree};
use crate::content;
use crate::name;
use crate::places::Places;

/// Builds the three trees of a vector.
pub fn build(given: &Given, places: &Places) -> Result<()> {
    let base = places.base();
    for dir in ["ws", "out"] {
        let path = base.join(dir);
        if !names_whole(&given.base, dir) {
            fs::create_dir_all(path)?;
        }
    }
    let mut nodes = Vec::new();
    for (prefix, tree) in [("", &given.base), ("ws", &given.ws), ("out", &given.out)] {
        for (path, value) in tree {
            let filled = places.fill(path);
            nodes.push((
                base.join(prefix).join(name::to_path(&filled)),
                places.fill_value(value),
            ));
        }
    }
    plant(&nodes)
}

/// Whether the tree of the base says itself what is at `dir`.
fn names_whole(tree: &Tree, dir: &str) -> bool {
    !tree.is_empty() && !tree.keys().any(|path| path.starts_with(&format!("{dir}/")))
}

fn plant(nodes: &[(PathBuf, Value)]) -> Result<()> {
    let links: Vec<&PathBuf> = nodes
        .iter()
        .filter(|(_, value)| is_link(value))
        .map(|(path, _)| path)
        .collect();
    let beyond = |path: &Path| {
        links
            .iter()
            .any(|link| path != **link && path.starts_with(link))
    };
    let mut order: Vec<&(PathBuf, Value)> = nodes.iter().collect();
    order.sort_by_key(|(path, value)| {
        (
            beyond(path),
            is_link(value),
            is_hard(value),
            value["dir"] != true,
        )
    });
    for (path, value) in order {
        node(path, value).with_context(|| format!("building {}", path.display()))?;
    }
    for (path, value) in nodes.iter().filter(|(_, value)| value["dir"] == true) {
        set_mode(path, value)?;
    }
    Ok(())
}

fn is_link(value: &Value) -> bool {
    value.get("link").is_some()
}

fn is_hard(value: &Value) -> bool {
    value.get("hard").is_some()
}

fn node(path: &Path, value: &Value) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    if value["dir"] == true {
        return Ok(fs::create_dir_all(path)?);
    }
    if let Some(target) = value["link"].as_str() {
        return Ok(symlink(name::to_path(target), path)?);
    }
    if let Some(target) = value["hard"].as_str() {
        let target = name::to_path(target);
        // A name beside the link, or below a directory above it.
        let from = path.ancestors().skip(1).map(|dir| dir.join(&target));
        let from = from.into_iter().find(|from| from.exists());
        return Ok(fs::hard_link(
            from.context("what a hard link is of")?,
            path,
        )?);
    }
    if value["fifo"] == true {
        return make_fifo(path);
    }
    fs::write(path, content::bytes(value)?)?;
    set_owner(path, value)?;
    set_mode(path, value)
}

/// Makes a FIFO; its mode is the usual one.
pub fn make_fifo(path: &Path) -> Result<()> {
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    Ok(rustix::fs::mknodat(
        rustix::fs::CWD,
        path,
        rustix::fs::FileType::Fifo,
        mode,
        0,
    )?)
}

fn set_owner(path: &Path, value: &Value) -> Result<()> {
    let Some(owner) = value["owner"].as_str() else {
        return Ok(());
    };
    let Some((user, group)) = owner.split_once(':') else {
        bail!("an owner is user:group")
    };
    Ok(std::os::unix::fs::chown(
        path,
        Some(user.parse()?),
        Some(group.parse()?),
    )?)
}

fn set_mode(path: &Path, value: &Value) -> Result<()> {
    let Some(mode) = value["mode"].as_str() else {
        return Ok(());
    };
    let bits = u32::from_str_radix(mode, 8).context("a mode is octal")?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(bits))?)
}
