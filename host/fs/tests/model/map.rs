//! The map: paths to nodes, with the kernel's rules for links and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What a path holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    File { bytes: Vec<u8>, mode: u32 },
    Folder,
    Link(String),
}

/// Paths, from `/` as the base folder, to what they hold.
pub(crate) type Map = BTreeMap<String, Node>;

/// Where a path leads; `None` where it can lead nowhere.
pub(crate) fn resolve(map: &Map, path: &str) -> Option<String> {
    let mut left: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
    let mut at = String::new();
    let mut links = 0;
    while let Some(name) = left.pop() {
        if name.is_empty() {
            continue;
        }
        let next = format!("{at}/{name}");
        match map.get(&next) {
            Some(Node::Link(target)) => {
                links += 1;
                if links > 40 {
                    return None;
                }
                if target.starts_with('/') {
                    at.clear();
                }
                left.extend(target.split('/').rev().map(str::to_owned));
            }
            Some(Node::File { .. }) if !left.is_empty() => return None,
            _ => at = next,
        }
    }
    Some(at)
}

/// Whether a link stands on a path, before anything that ends the walk.
pub(crate) fn meets_link(map: &Map, path: &str) -> bool {
    let mut at = String::new();
    for name in path.split('/').filter(|name| !name.is_empty()) {
        at = format!("{at}/{name}");
        match map.get(&at) {
            Some(Node::Link(_)) => return true,
            Some(Node::Folder) => {}
            Some(Node::File { .. }) | None => return false,
        }
    }
    false
}

pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// What lies on the disk.
pub(crate) fn of_disk(base: &Path) -> Map {
    let mut map = Map::new();
    collect(base, base, &mut map);
    map
}

fn collect(base: &Path, folder: &Path, map: &mut Map) {
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("an entry").path();
        let metadata = fs::symlink_metadata(&path).expect("there");
        let node = if metadata.is_symlink() {
            let target = fs::read_link(&path).expect("a link");
            let target = target.to_str().expect("text").to_owned();
            let base = base.to_str().expect("text");
            Node::Link(
                target
                    .strip_prefix(base)
                    .map_or(target.clone(), str::to_owned),
            )
        } else if metadata.is_dir() {
            collect(base, &path, map);
            Node::Folder
        } else {
            let bytes = fs::read(&path).expect("readable");
            let mode = metadata.permissions().mode() & 0o7777;
            Node::File { bytes, mode }
        };
        let name = path.strip_prefix(base).expect("beneath it");
        map.insert(format!("/{}", name.to_str().expect("text")), node);
    }
}
