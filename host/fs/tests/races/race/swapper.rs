//! A program that swaps names, to lead a mutation astray between two of its steps.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is swapped.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Swap {
    /// Two names, by an exchange: one of them is a link to the outside.
    Exchange {
        one: PathBuf,
        other: PathBuf,
        /// Microseconds between two swaps; 0 for full speed.
        pause: u64,
    },
    /// Each directory in the making that appears in the folder is moved aside, and a link
    /// to the outside takes its place for a moment.
    Replace {
        folder: PathBuf,
        aside: PathBuf,
        outside: PathBuf,
    },
}

impl Swap {
    /// Swaps until it is stopped. At the end everything has its first name again.
    pub(crate) fn play(&self, stop: &AtomicBool) -> Value {
        let swaps = match self {
            Self::Exchange { one, other, pause } => {
                let mut swaps = 0_u64;
                while !stop.load(Ordering::Relaxed) || !swaps.is_multiple_of(2) {
                    let swapped = renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE);
                    swapped.expect("both names are there");
                    swaps += 1;
                    wait(*pause);
                }
                swaps
            }
            Self::Replace {
                folder,
                aside,
                outside,
            } => {
                let mut swaps = 0;
                while !stop.load(Ordering::Relaxed) {
                    swaps += u64::from(replace(folder, &aside.join(swaps.to_string()), outside));
                }
                swaps
            }
        };
        json!({ "swaps": swaps })
    }
}

fn wait(pause: u64) {
    if pause > 0 {
        thread::sleep(Duration::from_micros(pause));
    }
}

fn replace(folder: &Path, aside: &Path, outside: &Path) -> bool {
    let made = in_the_making(folder).filter(|name| fs::rename(name, aside).is_ok());
    let Some(name) = made else {
        // Each look holds the folder locked, which keeps the other party out.
        wait(20);
        return false;
    };
    let name = name.as_path();
    let linked = std::os::unix::fs::symlink(outside, name).is_ok();
    wait(50);
    if linked {
        // By now it may have been moved into place, in the name of what was made.
        let _ = fs::remove_file(name);
    }
    true
}

fn in_the_making(folder: &Path) -> Option<PathBuf> {
    let names = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let made = |name: &fs::DirEntry| {
        name.file_name()
            .as_encoded_bytes()
            .starts_with(b".dsh-fs-d-")
    };
    names.into_iter().find(made).map(|name| name.path())
}
