//! A program that knows nothing of us: it writes to the file, never the same twice.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accounts::Content;

/// How it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Style {
    /// Opens the file and adds a line.
    Append,
    /// Reads the file, empties it, and writes it anew with a line more.
    Truncate,
    /// Reads the file and renames a new one over it.
    Rename,
    /// Has opened the file long ago and adds lines through that descriptor.
    Holds,
}

/// One outside writer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outsider {
    pub(crate) path: PathBuf,
    pub(crate) style: Style,
    /// Microseconds between two writes; 0 for full speed.
    pub(crate) pause: u64,
}

impl Outsider {
    /// Writes rising numbers. Reports how many, and how often a look at the file by its
    /// name showed an older state than the one that this process had written.
    pub(crate) fn play(&self, stop: &AtomicBool) -> Value {
        let mut held = (self.style == Style::Holds).then(|| to_append(&self.path));
        let (mut number, mut older) = (0, 0);
        while !stop.load(Ordering::Relaxed) {
            number += 1;
            match &mut held {
                Some(file) => writeln!(file, "o{number}").expect("appended"),
                None => self.write(number),
            }
            older += u64::from(self.shows_older_than(number));
            if self.pause > 0 {
                thread::sleep(Duration::from_micros(self.pause));
                older += u64::from(self.shows_older_than(number));
            }
        }
        json!({ "written": number, "older": older })
    }

    fn write(&self, number: u64) {
        match self.style {
            Style::Append | Style::Holds => {
                writeln!(to_append(&self.path), "o{number}").expect("appended");
            }
            Style::Truncate => fs::write(&self.path, self.with(number)).expect("written"),
            Style::Rename => {
                let beside = self.path.with_extension("new");
                fs::write(&beside, self.with(number)).expect("written");
                fs::rename(beside, &self.path).expect("renamed");
            }
        }
    }

    fn with(&self, number: u64) -> String {
        let old = fs::read_to_string(&self.path).expect("readable");
        format!("{old}o{number}\n")
    }

    fn shows_older_than(&self, number: u64) -> bool {
        let content = fs::read_to_string(&self.path).expect("the name is never free");
        Content::parse(&content).newest() < number
    }
}

fn to_append(path: &Path) -> File {
    let opened = OpenOptions::new().append(true).open(path);
    opened.expect("the name is never free")
}

/// Reads as `tail -f` does: descriptors stay open for a while.
pub(crate) fn read_on(path: &Path, stop: &AtomicBool) -> Value {
    let mut open = Vec::new();
    let mut reads = 0_u64;
    while !stop.load(Ordering::Relaxed) {
        let file = File::open(path).expect("the name is never free");
        let mut content = String::new();
        std::io::Read::read_to_string(&mut &file, &mut content).expect("readable");
        open.push(file);
        if open.len() > 8 {
            open.remove(0);
        }
        reads += 1;
    }
    json!({ "reads": reads })
}
