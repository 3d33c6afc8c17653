//! The direct children of a directory, by the bytes of their names.

use std::rc::Rc;

use dsh_fs_text::name;
use wasip2::filesystem::types::{
    Descriptor, DescriptorType, DirectoryEntryStream, ErrorCode as System, PathFlags,
};

use crate::bindings::dsh::fs::types::{DirEntry, EntryKind, Error, ErrorCode, Target};
use crate::facts;
use crate::failure::{self, cannot};
use crate::ground::Ground;
use crate::walk;

/// The most children of one listing.
const MOST: usize = 1 << 20;

/// Lists a directory. A child that cannot be examined is there with its trouble.
pub(crate) fn list(ground: &Ground, target: &Target) -> Result<Vec<DirEntry>, Error> {
    let display = &target.display_path;
    let directory = directory(ground, target)?;
    let failed = |error| failure::from_system("list", display, error);
    let stream = entries(&directory).map_err(failed)?;
    let mut names = Vec::new();
    while let Some(entry) = stream.read_directory_entry().map_err(failed)? {
        names.push(entry.name);
        if names.len() > MOST {
            let reason = format!("the directory has more than {MOST} entries");
            return Err(cannot(ErrorCode::TooLarge, "list", display, &reason));
        }
    }
    names.sort_unstable();
    let entries = names
        .iter()
        .filter_map(|name| entry(ground, &directory, target, name));
    Ok(entries.collect())
}

/// A runtime may not list the folder that it was given itself (jco), but the same folder
/// opened once more.
fn entries(directory: &Descriptor) -> Result<DirectoryEntryStream, System> {
    match directory.read_directory() {
        Err(System::BadDescriptor) => walk::open_directory(directory, ".")?.read_directory(),
        stream => stream,
    }
}

fn directory(ground: &Ground, target: &Target) -> Result<Rc<Descriptor>, Error> {
    let display = &target.display_path;
    let now = walk::walk(ground, &target.key, "/")?;
    if now.target.key != target.key {
        return Err(failure::leads_elsewhere("list", display));
    }
    if let Some(directory) = now.directory {
        return Ok(directory);
    }
    Err(match facts::stat(ground, target)? {
        None => failure::not_found("list", display),
        Some(_) => cannot(ErrorCode::NotDirectory, "list", display, "not a directory"),
    })
}

/// Nothing where it is gone by now.
fn entry(
    ground: &Ground,
    directory: &Descriptor,
    parent: &Target,
    runtime: &str,
) -> Option<DirEntry> {
    let name = name::to_text(runtime.as_bytes());
    let stat = directory.stat_at(PathFlags::empty(), runtime).ok()?;
    let target = facts::child(parent, &name);
    let plain = DirEntry {
        kind: facts::kind(stat.type_),
        is_link: false,
        size: facts::size(&stat),
        trouble: None,
        name,
        target,
    };
    match stat.type_ == DescriptorType::SymbolicLink {
        true => Some(linked(ground, plain)),
        false => Some(plain),
    }
}

/// A child that is a link tells what it leads to.
fn linked(ground: &Ground, plain: DirEntry) -> DirEntry {
    let led = walk::walk(ground, &plain.target.key, "/")
        .and_then(|now| Ok((facts::stat(ground, &now.target)?, now.target.key)));
    let (kind, size, key, trouble) = match led {
        Ok((Some(info), key)) => (info.kind, info.size, key, None),
        Ok((None, key)) => {
            let trouble = "the link leads to nothing".to_owned();
            (EntryKind::Other, None, key, Some(trouble))
        }
        Err(error) => {
            let key = plain.target.key.clone();
            (EntryKind::Other, None, key, Some(error.message))
        }
    };
    let target = Target {
        key,
        ..plain.target
    };
    DirEntry {
        kind,
        size,
        trouble,
        target,
        is_link: true,
        ..plain
    }
}
