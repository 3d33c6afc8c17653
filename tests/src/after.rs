//! Compares the files that are there afterwards with what a vector expects.
//!
//! Values: text; `{text|hex|repeat|parts, mode, owner}`; null (absent); `{dir: true, names, mode}`;
//! `{link}`; `{fifo: true}`; `{any: [...]}` (one of several).

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::content;
use crate::name;

/// The difference between a path and its expectation; nothing where there is none.
#[must_use]
pub fn difference(path: &Path, expect: &Value) -> Option<String> {
    if let Some(choices) = expect.get("any").and_then(Value::as_array) {
        let all: Option<Vec<String>> = choices
            .iter()
            .map(|choice| difference(path, choice))
            .collect();
        return all.map(|reasons| reasons.join("; or "));
    }
    let Ok(meta) = fs::symlink_metadata(path) else {
        return (!expect.is_null()).then(|| format!("{} is absent", path.display()));
    };
    if expect.is_null() {
        return Some(format!("{} is there", path.display()));
    }
    of_kind(path, expect, &meta)
        .or_else(|| of_mode(path, expect, &meta))
        .or_else(|| of_owner(path, expect, &meta))
}

fn of_kind(path: &Path, expect: &Value, meta: &fs::Metadata) -> Option<String> {
    let shown = path.display();
    if expect["dir"] == true {
        if !meta.is_dir() {
            return Some(format!("{shown} is no directory"));
        }
        return of_names(path, expect);
    }
    if let Some(target) = expect["link"].as_str() {
        let found = fs::read_link(path).ok();
        return (found != Some(name::to_path(target)))
            .then(|| format!("{shown} is no link to {target}: {found:?}"));
    }
    if expect["fifo"] == true {
        return (!meta.file_type().is_fifo()).then(|| format!("{shown} is no FIFO"));
    }
    if !meta.is_file() {
        return Some(format!("{shown} is no regular file"));
    }
    of_content(path, expect)
}

fn of_names(path: &Path, expect: &Value) -> Option<String> {
    let wanted = expect["names"].as_array()?;
    let mut wanted: Vec<String> = wanted
        .iter()
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect();
    wanted.sort();
    let found = names(path);
    (found != wanted).then(|| format!("{} has {found:?}, not {wanted:?}", path.display()))
}

fn names(path: &Path) -> Vec<String> {
    let mut found: Vec<String> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| name::to_text(&entry.file_name()))
        .collect();
    found.sort();
    found
}

fn of_content(path: &Path, expect: &Value) -> Option<String> {
    let stated = expect.is_string()
        || ["text", "hex", "repeat", "parts"]
            .iter()
            .any(|field| expect.get(field).is_some());
    if !stated {
        return None;
    }
    let found = match fs::read(path) {
        Ok(found) => found,
        Err(error) => return Some(format!("{}: {error}", path.display())),
    };
    match content::bytes(expect) {
        Ok(wanted) if wanted == found => None,
        Ok(wanted) => Some(format!(
            "{} holds {}, not {}",
            path.display(),
            shorten(&found),
            shorten(&wanted)
        )),
        Err(error) => Some(error.to_string()),
    }
}

fn of_mode(path: &Path, expect: &Value, meta: &fs::Metadata) -> Option<String> {
    let wanted = expect["mode"].as_str()?;
    let found = format!("{:04o}", meta.mode() & 0o7777);
    (found != format!("{wanted:0>4}"))
        .then(|| format!("{} has mode {found}, not {wanted}", path.display()))
}

fn of_owner(path: &Path, expect: &Value, meta: &fs::Metadata) -> Option<String> {
    let wanted = expect["owner"].as_str()?;
    let found = format!("{}:{}", meta.uid(), meta.gid());
    (found != wanted).then(|| format!("{} is of {found}, not {wanted}", path.display()))
}

fn shorten(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(120)];
    format!("{:?} ({} bytes)", String::from_utf8_lossy(cut), bytes.len())
}

/// Everything below a directory: the path, and kind, mode and content as text.
#[must_use]
pub fn photograph(dir: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(meta) = fs::symlink_metadata(&path) else {
                continue;
            };
            if meta.is_dir() {
                open.push(path.clone());
            }
            found.insert(path.clone(), likeness(&path, &meta));
        }
    }
    found
}

fn likeness(path: &Path, meta: &fs::Metadata) -> String {
    let inside = if meta.is_file() {
        fs::read(path)
            .map(|bytes| content::to_hex(&bytes))
            .unwrap_or_default()
    } else {
        fs::read_link(path)
            .map(|to| format!("{to:?}"))
            .unwrap_or_default()
    };
    format!("{:o} {inside}", meta.mode())
}
