//! A program that knows nothing of us: it writes to the file, never the same twice.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accounts::Content;

/// How it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Style {
    /// Opens the file and adds a line.
    Append,
    /// Opens the file, empties it, and writes a line.
    Truncate,
    /// Renames a new file over it.
    Rename,
    /// Has opened the file long ago and adds lines through that descriptor.
    Holds,
}

impl Style {
    /// Whether the file keeps every line until somebody drops it who has seen it.
    pub(crate) fn adds(self) -> bool {
        matches!(self, Self::Append | Self::Holds)
    }
}

/// One outside writer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outsider {
    pub(crate) path: PathBuf,
    pub(crate) style: Style,
    /// Microseconds between two writes; 0 for full speed.
    pub(crate) pause: u64,
}

/// It found something in the place of what it had written, and that was older.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Displaced {
    /// The number that should have been there.
    pub(crate) number: u64,
    /// The cycle of ours that was there instead, if it was one.
    pub(crate) by: Option<u64>,
}

impl Outsider {
    /// Writes rising numbers. Reports how many, how often a look at the file by its name
    /// showed an older state than the one that this process had written, and what it
    /// found when it wrote the next.
    pub(crate) fn play(&self, stop: &AtomicBool) -> Value {
        let mut held = (self.style == Style::Holds).then(|| to_append(&self.path));
        let (mut number, mut older) = (0, 0);
        let mut displaced = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            number += 1;
            let found = match &mut held {
                Some(file) => add(file, number),
                None => self.write(number),
            };
            displaced.extend(found.and_then(|found| older_than(&found, number - 1)));
            older += u64::from(self.shows_older_than(number));
            if self.pause > 0 {
                thread::sleep(Duration::from_micros(self.pause));
                older += u64::from(self.shows_older_than(number));
            }
        }
        json!({ "written": number, "older": older, "displaced": displaced })
    }

    /// Answers what it has displaced, unless it adds to it.
    fn write(&self, number: u64) -> Option<String> {
        match self.style {
            Style::Append | Style::Holds => add(&mut to_append(&self.path), number),
            Style::Truncate => Some(self.rewrite(number)),
            Style::Rename => Some(self.rename_over(number)),
        }
    }

    fn rewrite(&self, number: u64) -> String {
        let mut options = OpenOptions::new();
        let opened = options.read(true).write(true).open(&self.path);
        let mut file = opened.expect("the name is never free");
        let mut found = String::new();
        file.read_to_string(&mut found).expect("readable");
        file.set_len(0).expect("emptied");
        file.write_all_at(line(number).as_bytes(), 0)
            .expect("written");
        found
    }

    /// By an exchange, so that it sees what it has displaced; to everybody else it is a
    /// rename.
    fn rename_over(&self, number: u64) -> String {
        let beside = self.path.with_extension("new");
        fs::write(&beside, line(number)).expect("written");
        renameat_with(CWD, &beside, CWD, &self.path, RenameFlags::EXCHANGE).expect("renamed");
        let found = fs::read_to_string(&beside).expect("readable");
        fs::remove_file(&beside).expect("it is ours now");
        found
    }

    fn shows_older_than(&self, number: u64) -> bool {
        let content = fs::read_to_string(&self.path).expect("the name is never free");
        Content::parse(&content).newest() < number
    }
}

fn line(number: u64) -> String {
    format!("upto 0\no{number}\n")
}

fn add(file: &mut File, number: u64) -> Option<String> {
    writeln!(file, "o{number}").expect("appended");
    None
}

fn older_than(found: &str, number: u64) -> Option<Displaced> {
    let found = Content::parse(found);
    (found.newest() < number).then_some(Displaced {
        number,
        by: found.by,
    })
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
        (&file).read_to_string(&mut content).expect("readable");
        open.push(file);
        if open.len() > 8 {
            open.remove(0);
        }
        reads += 1;
    }
    json!({ "reads": reads })
}
