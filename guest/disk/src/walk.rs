//! Which file a path means: a walk from a folder of the program, one name at a time.
//!
//! Every directory on the way is held open, and a step up goes back to the one before:
//! what is renamed meanwhile leads nowhere else. A link is read and its text walked; one
//! that is absolute, or steps out of the folder, is refused.

use std::rc::Rc;

use dsh_fs_text::name;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode as System, OpenFlags, PathFlags,
};

use crate::bindings::dsh::fs::types::{Error, ErrorCode, Target};
use crate::failure::{self, cannot};
use crate::ground::{Given, Ground};

const MOST_LINKS: u32 = 40;
const LONGEST_PATH: usize = 4095;
const LONGEST_NAME: usize = 255;
const VERB: &str = "resolve";

/// Where a path leads.
pub(crate) struct Walked {
    pub(crate) target: Target,
    /// The directory that is there, if it is one.
    pub(crate) directory: Option<Rc<Descriptor>>,
}

/// Walks a path, links followed.
pub(crate) fn walk(ground: &Ground, path: &str, base: &str) -> Result<Walked, Error> {
    let spelled = spelled(path, base)?;
    let names: Vec<&str> = names(&spelled).collect();
    let folder = containing(ground, &names).ok_or_else(|| failure::outside(&spelled))?;
    let start = folder.names.len();
    let mut walk = Walk {
        spelled: &spelled,
        reached: Vec::new(),
        folder,
        pending: names[start..]
            .iter()
            .rev()
            .map(|name| (*name).to_owned())
            .collect(),
        wants_directory: says_directory(&spelled),
        links: 0,
        missing: false,
    };
    while let Some(name) = walk.pending.pop() {
        walk.step(name)?;
    }
    let (key, directory) = walk.finish()?;
    let display = match names.contains(&"..") {
        true => key.clone(),
        false => self::path(&names),
    };
    let target = Target {
        key,
        display_path: display,
    };
    Ok(Walked { target, directory })
}

/// The innermost folder of the program that a path begins with.
pub(crate) fn containing<'a>(ground: &'a Ground, names: &[&str]) -> Option<&'a Given> {
    let begins = |folder: &&Given| {
        let own = &folder.names;
        own.len() <= names.len() && own.iter().zip(names).all(|(own, name)| own == name)
    };
    let folders = ground.folders.iter().filter(begins);
    folders.max_by_key(|folder| folder.names.len())
}

/// The names of a path; `.` and empty ones are left out.
pub(crate) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !matches!(*name, "" | "."))
}

/// The absolute path of these names.
pub(crate) fn path<S: AsRef<str>>(names: &[S]) -> String {
    let mut path = String::new();
    for name in names {
        path.push('/');
        path.push_str(name.as_ref());
    }
    match path.is_empty() {
        true => "/".to_owned(),
        false => path,
    }
}

/// The name that the runtime takes; one that is not UTF-8 cannot cross to it.
pub(crate) fn to_runtime(name: &str) -> Option<String> {
    String::from_utf8(name::to_bytes(name)).ok()
}

fn spelled(path: &str, base: &str) -> Result<String, Error> {
    if path.trim().is_empty() {
        let message = "file_path must be a non-empty string";
        return Err(failure::plain(ErrorCode::NotFound, message));
    }
    let spelled = match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{base}/{path}"),
    };
    let why = if spelled.contains('\0') {
        "the path contains a NUL character"
    } else if name::to_bytes(&spelled).len() > LONGEST_PATH {
        "the path is longer than 4095 bytes"
    } else if !spelled.starts_with('/') {
        "the base directory is not absolute"
    } else {
        return Ok(spelled);
    };
    let shown: String = spelled.chars().take(120).collect();
    Err(cannot(ErrorCode::NotFound, VERB, &shown, why))
}

fn says_directory(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("" | "."))
}

/// One name that was walked; a directory is held open.
struct Reached {
    name: String,
    directory: Option<Rc<Descriptor>>,
}

struct Walk<'a> {
    spelled: &'a str,
    folder: &'a Given,
    reached: Vec<Reached>,
    /// The names still to be walked, the next one last.
    pending: Vec<String>,
    wants_directory: bool,
    links: u32,
    /// Whether what was reached does not exist.
    missing: bool,
}

impl Walk<'_> {
    fn step(&mut self, name: String) -> Result<(), Error> {
        if name == ".." {
            return self.step_up();
        }
        if name::to_bytes(&name).len() > LONGEST_NAME {
            return Err(self.refused("a name in the path is longer than the file system allows"));
        }
        if self.missing {
            self.push(name, None);
            return Ok(());
        }
        let Some(parent) = self.here() else {
            return Err(self.refused("a parent path segment is not a directory"));
        };
        let Some(runtime) = to_runtime(&name) else {
            return Err(self.refused("a name that is not UTF-8 cannot be used under WASI"));
        };
        match parent.stat_at(PathFlags::empty(), &runtime) {
            Ok(found) if found.type_ == DescriptorType::SymbolicLink => {
                let text = parent.readlink_at(&runtime);
                self.follow(text)
            }
            Ok(found) if found.type_ == DescriptorType::Directory => {
                let directory =
                    open_directory(&parent, &runtime).map_err(|error| self.failed(error))?;
                self.push(name, Some(Rc::new(directory)));
                Ok(())
            }
            Ok(_) => {
                self.push(name, None);
                Ok(())
            }
            Err(System::NoEntry) => {
                self.missing = true;
                self.push(name, None);
                Ok(())
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    fn push(&mut self, name: String, directory: Option<Rc<Descriptor>>) {
        self.reached.push(Reached { name, directory });
    }

    /// The directory that was reached.
    fn here(&self) -> Option<Rc<Descriptor>> {
        match self.reached.last() {
            Some(reached) => reached.directory.clone(),
            None => Some(Rc::clone(&self.folder.directory)),
        }
    }

    fn step_up(&mut self) -> Result<(), Error> {
        if self.missing {
            return Err(self.refused("\"..\" after a directory that does not exist"));
        }
        if self.here().is_none() {
            return Err(self.refused("a parent path segment is not a directory"));
        }
        match self.reached.pop() {
            Some(_) => Ok(()),
            None => Err(failure::outside(self.spelled)),
        }
    }

    fn follow(&mut self, text: Result<String, System>) -> Result<(), Error> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(self.refused("too many symbolic links (a loop, or more than 40 of them)"));
        }
        // The runtime does not even tell the text of an absolute link.
        let text = match text {
            Ok(text) if text.starts_with('/') => return Err(failure::outside(self.spelled)),
            Ok(text) => text,
            Err(System::NotPermitted) => return Err(failure::outside(self.spelled)),
            Err(error) => return Err(self.failed(error)),
        };
        self.wants_directory |= self.pending.is_empty() && says_directory(&text);
        let text = name::to_text(text.as_bytes());
        let names: Vec<String> = names(&text).map(str::to_owned).collect();
        self.pending.extend(names.into_iter().rev());
        Ok(())
    }

    fn finish(self) -> Result<(String, Option<Rc<Descriptor>>), Error> {
        let directory = match self.missing {
            true => None,
            false => self.here(),
        };
        if self.wants_directory && directory.is_none() {
            let reason = "a path that ends in \"/\" or \"/.\" names a directory, and none is there";
            return Err(self.refused(reason));
        }
        let own = self.folder.names.iter();
        let names: Vec<&String> = own
            .chain(self.reached.iter().map(|one| &one.name))
            .collect();
        Ok((path(&names), directory))
    }

    fn refused(&self, reason: &str) -> Error {
        cannot(ErrorCode::NotFound, VERB, self.spelled, reason)
    }

    fn failed(&self, error: System) -> Error {
        failure::from_system(VERB, self.spelled, error)
    }
}

/// Opens a directory; a link in its place is an error. A folder that was given for reading
/// alone has directories that are read alone, and so has a runtime that knows no other way
/// to open one (jco): there that is no limit.
pub(crate) fn open_directory(parent: &Descriptor, name: &str) -> Result<Descriptor, System> {
    let open = |flags| parent.open_at(PathFlags::empty(), name, OpenFlags::DIRECTORY, flags);
    match open(DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY) {
        Err(System::NotPermitted | System::ReadOnly | System::Unsupported) => {
            open(DescriptorFlags::READ)
        }
        opened => opened,
    }
}
