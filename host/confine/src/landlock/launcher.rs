//! The launcher: gives up rights, then becomes a command.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::enforce;
use super::ruleset::{Access, Grant, create, probe};
use crate::wording::{self, bare};

/// What the launcher fails with, so that it can be told from the command.
pub(crate) const FAILED: i32 = 125;

/// The entry of a launcher program: gives up the rights that the arguments do not leave,
/// then becomes the command. Returns the exit code of a failure (125), after printing one
/// line that begins with `landlock-run: `; on success it does not return.
///
/// | argument | what |
/// | --- | --- |
/// | `--ro PATH` | reading and running beneath it is left |
/// | `--rw PATH` | changing beneath it is left too |
/// | `--is DEVICE:INODE` | the path before must be this one |
/// | `--rw-try PATH` | as `--rw`, and no failure where there is none |
/// | `--no-tcp` | no TCP port is bound or connected to |
/// | `--probe` | alone: says how far this kernel can do it |
/// | `-- COMMAND…` | what to become |
#[must_use]
pub fn landlock_exec(args: impl IntoIterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    if args.first().is_some_and(|first| first == "--probe") {
        return say_how_far(&args[1..]);
    }
    match Launch::read(&args).and_then(Launch::become_command) {
        Ok(never) => match never {},
        Err(reason) => failed(&reason),
    }
}

/// What cannot be made: the launcher has become its command.
enum Never {}

fn failed(reason: &str) -> i32 {
    eprintln!("{}", wording::launcher(reason));
    FAILED
}

fn say_how_far(rest: &[OsString]) -> i32 {
    if !rest.is_empty() {
        return failed(&wording::usage("--probe takes no other arguments"));
    }
    match probe() {
        Ok(gaps) if gaps.is_empty() => println!("full"),
        Ok(_) => println!("partial"),
        Err(reason) => return failed(&reason),
    }
    0
}

/// The arguments, read.
#[derive(Default)]
struct Launch {
    grants: Vec<Grant>,
    reads_pass: bool,
    no_tcp: bool,
    command: Vec<OsString>,
}

impl Launch {
    fn read(args: &[OsString]) -> Result<Self, String> {
        let mut launch = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut path = || {
                let missing = || wording::usage(&format!("{} requires a path", arg.display()));
                args.next().ok_or_else(missing)
            };
            match arg.to_str() {
                Some("--ro") => launch.read_only(path()?)?,
                Some("--rw") => launch.grants.push(grant(path()?, Access::Write)?),
                Some("--rw-try") => {
                    let path = path()?;
                    launch.grants.extend(grant(path, Access::Write).ok());
                }
                Some("--is") => launch.check_last(path()?)?,
                Some("--no-tcp") => launch.no_tcp = true,
                Some("--") => {
                    launch.command = args.cloned().collect();
                    break;
                }
                _ => {
                    let unknown = format!("unknown argument: {}", arg.display());
                    return Err(wording::usage(&unknown));
                }
            }
        }
        if launch.command.is_empty() {
            return Err(wording::usage("missing `-- <argv>...` command"));
        }
        Ok(launch)
    }

    /// Where the whole disk may be read, reading is not given up at all.
    fn read_only(&mut self, path: &OsStr) -> Result<(), String> {
        if path == "/" {
            self.reads_pass = true;
        } else {
            self.grants.push(grant(path, Access::Read)?);
        }
        Ok(())
    }

    fn check_last(&self, is: &OsStr) -> Result<(), String> {
        let read = || {
            let (device, inode) = is.to_str()?.split_once(':')?;
            Some((device.parse().ok()?, inode.parse().ok()?))
        };
        let usage = || wording::usage("--is requires DEVICE:INODE after a path");
        let (device, inode) = read().ok_or_else(usage)?;
        let last = self.grants.last().ok_or_else(usage)?;
        match last.is(device, inode) {
            Ok(true) => Ok(()),
            Ok(false) => Err(wording::another_directory()),
            Err(error) => Err(bare(&error)),
        }
    }

    fn become_command(self) -> Result<Never, String> {
        let failed = |error: io::Error| wording::landlock_failed(&error);
        let ruleset = create(&self.grants, !self.reads_pass, self.no_tcp).map_err(failed)?;
        if probe().is_ok_and(|gaps| !gaps.is_empty()) {
            eprintln!("{}", wording::launcher(wording::OLDER_ABI));
        }
        enforce(&ruleset).map_err(failed)?;
        let error = Command::new(&self.command[0])
            .args(&self.command[1..])
            .exec();
        Err(wording::exec_failed(&error))
    }
}

fn grant(path: &OsStr, access: Access) -> Result<Grant, String> {
    let path = Path::new(path);
    Grant::open(path, access).map_err(|error| wording::no_rule_path(path, &error))
}
