//! Facts about a target, and about a path itself.

use wasip2::filesystem::types::{DescriptorStat, DescriptorType, ErrorCode as System, PathFlags};

use crate::bindings::dsh::fs::types::{EntryKind, Error, Info, PathInfo, Target};
use crate::content;
use crate::failure;
use crate::ground::Ground;
use crate::walk;

/// Facts about a target; nothing where it is absent.
pub(crate) fn stat(ground: &Ground, target: &Target) -> Result<Option<Info>, Error> {
    let found = look(ground, "stat", target)?;
    Ok(found.map(|stat| Info {
        kind: kind(stat.type_),
        size: size(&stat),
    }))
}

/// Facts about a path, a link in the last place not followed.
pub(crate) fn lstat(ground: &Ground, path: &str, base: &str) -> Result<Option<PathInfo>, Error> {
    let spelled = match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{base}/{path}"),
    };
    let (above, last) = spelled.rsplit_once('/').unwrap_or(("", &spelled));
    let plain = !matches!(last, "" | "." | "..");
    let above = walk::walk(
        ground,
        if plain && !above.is_empty() {
            above
        } else {
            &spelled
        },
        "/",
    )?;
    let target = match plain {
        true => child(&above.target, last),
        false => above.target,
    };
    let link = link(ground, &target);
    let found = look(ground, "lstat", &target)?;
    Ok(found.map(|stat| PathInfo {
        kind: kind(stat.type_),
        size: size(&stat),
        link_target: link,
    }))
}

/// A name in a directory, as a target.
pub(crate) fn child(parent: &Target, name: &str) -> Target {
    let child = |path: &str| format!("{}/{name}", path.strip_suffix('/').unwrap_or(path));
    Target {
        key: child(&parent.key),
        display_path: child(&parent.display_path),
    }
}

pub(crate) fn kind(found: DescriptorType) -> EntryKind {
    match found {
        DescriptorType::RegularFile => EntryKind::File,
        DescriptorType::Directory => EntryKind::Directory,
        DescriptorType::SymbolicLink => EntryKind::Symlink,
        _ => EntryKind::Other,
    }
}

pub(crate) fn size(stat: &DescriptorStat) -> Option<u64> {
    let regular = stat.type_ == DescriptorType::RegularFile;
    regular.then_some(stat.size)
}

fn look(ground: &Ground, verb: &str, target: &Target) -> Result<Option<DescriptorStat>, Error> {
    let display = &target.display_path;
    let (folder, rest) = content::beneath(ground, target)?;
    let found = match rest.is_empty() {
        true => folder.directory.stat(),
        false => match content::parent(ground, verb, target) {
            Ok(parent) => parent.directory.stat_at(PathFlags::empty(), &parent.name),
            Err(error) if error.code == failure::not_found(verb, display).code => return Ok(None),
            Err(error) => return Err(error),
        },
    };
    match found {
        Ok(stat) => Ok(Some(stat)),
        Err(System::NoEntry | System::NotDirectory) => Ok(None),
        Err(error) => Err(failure::from_system(verb, display, error)),
    }
}

fn link(ground: &Ground, target: &Target) -> Option<String> {
    let parent = content::parent(ground, "lstat", target).ok()?;
    parent.directory.readlink_at(&parent.name).ok()
}
