//! Publication: a new content is staged beside the target and takes its name in one step.
//!
//! WASI has neither leases nor an exchange of names: the old content is compared once more
//! right before the name is taken, and the grade says that this is all.

use std::rc::Rc;

use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode as System, OpenFlags, PathFlags,
};
use wasip2::random::random;

use crate::bindings::dsh::fs::types::{Error, ErrorCode, Grade, Target};
use crate::content::{self, Parent};
use crate::failure::{self, cannot};
use crate::fence::Within;
use crate::ground::Ground;
use crate::walk;

/// Why a replacement is graded as it is.
const BEST_EFFORT: &str = "WASI can hold no other program off, and the permissions, the owner \
     and the times of the replaced file are not kept";

/// Why a creation without hard links is graded as it is.
const NOT_STAGED: &str = "the file system has no hard links, so the new file was written under \
     its own name, and a crash half way leaves a part of it";

/// What a publication came to.
pub(crate) struct Published {
    pub(crate) grade: Grade,
    pub(crate) reason: Option<String>,
}

/// A directory that was made for a file.
pub(crate) struct Made {
    parent: Rc<Descriptor>,
    name: String,
}

/// Opens the directory of a mutation; missing ones are made, and told to `made`.
pub(crate) fn folder(
    within: Within,
    verb: &str,
    display: &str,
    made: &mut Vec<Made>,
) -> Result<Parent, Error> {
    let mut directory = within.directory;
    for name in within.above {
        let opened = match walk::open_directory(&directory, &name) {
            Err(System::NoEntry) if verb == "write" => {
                make(&directory, &name, display, made)?;
                walk::open_directory(&directory, &name)
            }
            opened => opened,
        };
        directory = Rc::new(opened.map_err(|error| content::step_failed(verb, display, error))?);
    }
    Ok(Parent {
        directory,
        name: within.name,
    })
}

fn make(
    parent: &Rc<Descriptor>,
    name: &str,
    display: &str,
    made: &mut Vec<Made>,
) -> Result<(), Error> {
    match parent.create_directory_at(name) {
        Ok(()) => made.push(Made {
            parent: Rc::clone(parent),
            name: name.to_owned(),
        }),
        Err(System::Exist) => {}
        Err(error) => return Err(failure::from_system("write", display, error)),
    }
    Ok(())
}

/// Removes directories that were made for a file that was not.
pub(crate) fn unmake(made: Vec<Made>) {
    for folder in made.iter().rev() {
        // Somebody else may use it by now: then it stays.
        let _ = folder.parent.remove_directory_at(&folder.name);
    }
}

/// Makes a file that is not there; a racing creator keeps its own.
pub(crate) fn create(folder: &Parent, target: &Target, content: &[u8]) -> Result<Published, Error> {
    let display = &target.display_path;
    let directory = &folder.directory;
    let staged = stage(directory, content, "write", display)?;
    let linked = directory.link_at(PathFlags::empty(), &staged, directory, &folder.name);
    remove(directory, &staged);
    match linked {
        Ok(()) => Ok(Published {
            grade: Grade::Atomic,
            reason: None,
        }),
        Err(System::Exist) => Err(exists(folder, display)),
        Err(System::Unsupported | System::NotPermitted) => {
            create_in_place(folder, display, content)
        }
        Err(error) => Err(failure::from_system("write", display, error)),
    }
}

fn create_in_place(folder: &Parent, display: &str, content: &[u8]) -> Result<Published, Error> {
    match write_new(&folder.directory, &folder.name, content) {
        Ok(()) => Ok(Published {
            grade: Grade::BestEffort,
            reason: Some(NOT_STAGED.to_owned()),
        }),
        Err(System::Exist) => Err(exists(folder, display)),
        Err(error) => Err(failure::from_system("write", display, error)),
    }
}

/// Puts a new content in the place of one that still has this version.
pub(crate) fn replace(
    ground: &Ground,
    folder: &Parent,
    (verb, target): (&str, &Target),
    content: &[u8],
    version: &str,
) -> Result<Published, Error> {
    let display = &target.display_path;
    let directory = &folder.directory;
    let staged = stage(directory, content, verb, display)?;
    let renamed = still_there(ground, folder, verb, display, version).and_then(|()| {
        let renamed = directory.rename_at(&staged, directory, &folder.name);
        renamed.map_err(|error| failure::from_system(verb, display, error))
    });
    if let Err(error) = renamed {
        remove(directory, &staged);
        return Err(error);
    }
    Ok(Published {
        grade: Grade::BestEffort,
        reason: Some(BEST_EFFORT.to_owned()),
    })
}

/// Compares the content with the version once more; other names of the file would keep
/// the old content.
fn still_there(
    ground: &Ground,
    folder: &Parent,
    verb: &str,
    display: &str,
    version: &str,
) -> Result<(), Error> {
    let file = content::open_in(folder, verb, display).map_err(|error| match error.code {
        ErrorCode::NotFound => failure::gone(verb, display),
        _ => error,
    })?;
    let links = file.stat().map_or(1, |stat| stat.link_count);
    if links > 1 {
        let reason = format!(
            "the file has {links} hard links, and replacing it would leave the other names \
             with the old content"
        );
        return Err(cannot(ErrorCode::PermissionDenied, verb, display, &reason));
    }
    let now = content::whole(&file, verb, display, content::MOST)?;
    match content::version(ground, &now) == version {
        true => Ok(()),
        false => Err(failure::stale(verb, display)),
    }
}

/// The failure for something that is there and was never seen.
fn exists(folder: &Parent, display: &str) -> Error {
    let found = folder.directory.stat_at(PathFlags::empty(), &folder.name);
    match found.map(|stat| stat.type_) {
        Ok(DescriptorType::RegularFile | DescriptorType::SymbolicLink) | Err(_) => {
            failure::exists(display)
        }
        Ok(_) => failure::not_regular("write", display),
    }
}

fn stage(
    directory: &Descriptor,
    content: &[u8],
    verb: &str,
    display: &str,
) -> Result<String, Error> {
    let name = format!(".dsh-fs-{:016x}", random::get_random_u64());
    if let Err(error) = write_new(directory, &name, content) {
        remove(directory, &name);
        return Err(failure::from_system(verb, display, error));
    }
    Ok(name)
}

/// Writes a file that is not there yet, to the disk.
fn write_new(directory: &Descriptor, name: &str, content: &[u8]) -> Result<(), System> {
    let file = directory.open_at(
        PathFlags::empty(),
        name,
        OpenFlags::CREATE | OpenFlags::EXCLUSIVE,
        DescriptorFlags::WRITE,
    )?;
    let mut at = 0;
    while at < content.len() {
        let end = content.len().min(at + (1 << 20));
        let written = file.write(&content[at..end], at as u64)?;
        at += usize::try_from(written).unwrap_or(0);
        if written == 0 {
            return Err(System::Io);
        }
    }
    file.sync()
}

fn remove(directory: &Descriptor, name: &str) {
    // A file that cannot be removed has a name that nobody else uses.
    let _ = directory.unlink_file_at(name);
}
