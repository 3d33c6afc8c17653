//! Changes from outside, made to the disk and to the map alike.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::map::{Map, Node, parent};
use crate::step::Change;

/// Makes a change, if it can be made where nothing but folders leads to the path.
pub(crate) fn apply(map: &mut Map, base: &Path, path: &str, change: &Change, new_mode: u32) {
    let key = format!("/{path}");
    let disk = base.join(path);
    let is_file = matches!(map.get(&key), Some(Node::File { .. }));
    if map.get(parent(&key)) != Some(&Node::Folder) || key == "/ws" {
        return;
    }
    match change {
        Change::Write(bytes) if is_file || !map.contains_key(&key) => {
            fs::write(&disk, bytes).expect("written");
            put(map, &key, bytes.clone(), new_mode);
        }
        Change::Append(more) if is_file => {
            let bytes = [&bytes(map, &key)[..], more].concat();
            let file = fs::OpenOptions::new().append(true).open(&disk);
            std::io::Write::write_all(&mut file.expect("opened"), more).expect("written");
            put(map, &key, bytes, new_mode);
        }
        Change::Touch if is_file => {
            let file = fs::File::options()
                .append(true)
                .open(&disk)
                .expect("opened");
            file.set_modified(std::time::UNIX_EPOCH).expect("touched");
        }
        Change::SameBytes if is_file => fs::write(&disk, bytes(map, &key)).expect("written"),
        Change::Mode(mode) if is_file => {
            fs::set_permissions(&disk, fs::Permissions::from_mode(*mode)).expect("changed");
            let bytes = bytes(map, &key);
            map.insert(key, Node::File { bytes, mode: *mode });
        }
        Change::RenameOver(to) => rename(map, base, path, to),
        Change::Remove => remove(map, base, &key),
        Change::Folder => {
            remove(map, base, &key);
            fs::create_dir(&disk).expect("made");
            map.insert(key, Node::Folder);
        }
        Change::Link(target) => {
            remove(map, base, &key);
            let full = target.replace('$', base.to_str().expect("text"));
            symlink(full, &disk).expect("linked");
            map.insert(key, Node::Link(target.replace('$', "")));
        }
        _ => {}
    }
}

/// Renames a file or link over another, or to a name that is free.
fn rename(map: &mut Map, base: &Path, from: &str, to: &str) {
    let (source, key) = (format!("/{from}"), format!("/{to}"));
    let movable = |node: Option<&Node>| matches!(node, Some(Node::File { .. } | Node::Link(_)));
    let fits = movable(map.get(&source))
        && (movable(map.get(&key)) || !map.contains_key(&key))
        && map.get(parent(&key)) == Some(&Node::Folder)
        && source != key;
    if fits {
        fs::rename(base.join(from), base.join(to)).expect("renamed");
        let node = map.remove(&source).expect("it is there");
        map.insert(key, node);
    }
}

fn remove(map: &mut Map, base: &Path, key: &str) {
    let disk = base.join(&key[1..]);
    match map.remove(key) {
        Some(Node::Folder) => fs::remove_dir_all(disk).expect("removed"),
        Some(_) => fs::remove_file(disk).expect("removed"),
        None => {}
    }
    let beneath = format!("{key}/");
    map.retain(|path, _| !path.starts_with(&beneath));
}

fn put(map: &mut Map, key: &str, bytes: Vec<u8>, new_mode: u32) {
    let mode = match map.get(key) {
        Some(Node::File { mode, .. }) => *mode,
        _ => new_mode,
    };
    map.insert(key.to_owned(), Node::File { bytes, mode });
}

fn bytes(map: &Map, key: &str) -> Vec<u8> {
    match map.get(key) {
        Some(Node::File { bytes, .. }) => bytes.clone(),
        _ => Vec::new(),
    }
}
