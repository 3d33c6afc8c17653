//! Whether it was the program of a command that kept it from being started.
//!
//! Asked only where it is proved that the command has not run. What was printed is then the
//! runner's, and no command has had a hand in it.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::{Environment, Place};
use crate::confined::Confined;
use crate::place::{self, Kind};
use crate::verdict::Verdict;

/// How bubblewrap begins to say that a program cannot be started.
const BUBBLEWRAP: &str = "bwrap: execvp ";

/// How it ends where there is none.
const NONE: &str = ": No such file or directory";

/// Where a program is looked for without a `PATH`.
const PATH: &str = "/bin:/usr/bin";

/// The verdict on a program that could not be started, by what bubblewrap has printed; where
/// that was not seen, by looking for it.
pub(super) fn missing(
    confined: &Confined,
    place: Place<'_>,
    printed: Option<&str>,
) -> Option<Verdict> {
    let program = confined.command.first()?;
    let kind = match printed {
        Some(printed) => {
            let (_, said) = printed.split_once(BUBBLEWRAP)?;
            match said.trim_end().ends_with(NONE) {
                true => ErrorKind::NotFound,
                false => ErrorKind::PermissionDenied,
            }
        }
        None => looked_for(program, place)?,
    };
    Some(Verdict::no_program(program, &io::Error::from(kind)))
}

/// Why a program cannot be started; nothing where it can.
fn looked_for(program: &OsStr, (cwd, env): Place<'_>) -> Option<ErrorKind> {
    let paths = candidates(program, cwd, env).into_iter();
    let mut found = paths.filter_map(|path| place::canonical(&path)).peekable();
    if found.peek().is_none() {
        return Some(ErrorKind::NotFound);
    }
    let runs = |path: PathBuf| {
        place::kind(&path) == Some(Kind::File)
            && accessat(CWD, &path, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
    };
    (!found.any(runs)).then_some(ErrorKind::PermissionDenied)
}

/// The paths that a program may be meant by.
fn candidates(program: &OsStr, cwd: &Path, env: &Environment) -> Vec<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return vec![cwd.join(program)];
    }
    let searched = env.variables().find(|(name, _)| *name == "PATH");
    let searched = searched.map_or(OsStr::new(PATH), |(_, value)| value);
    let folders = searched.as_bytes().split(|byte| *byte == b':');
    let folders = folders.map(|folder| cwd.join(OsStr::from_bytes(folder)));
    folders.map(|folder| folder.join(program)).collect()
}
