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
    /// Each directory that appears under the name is moved aside, and a link to the outside
    /// takes its place for a moment.
    Replace {
        name: PathBuf,
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
                name,
                aside,
                outside,
            } => {
                let mut swaps = 0;
                while !stop.load(Ordering::Relaxed) {
                    swaps += u64::from(replace(name, &aside.join(swaps.to_string()), outside));
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

fn replace(name: &Path, aside: &Path, outside: &Path) -> bool {
    if fs::rename(name, aside).is_err() {
        // Each try holds the folder locked, which keeps the other party out.
        wait(20);
        return false;
    }
    let linked = std::os::unix::fs::symlink(outside, name).is_ok();
    wait(50);
    if linked {
        fs::remove_file(name).expect("the link is ours");
    }
    true
}
