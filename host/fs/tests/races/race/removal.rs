//! Removals of a file that somebody else keeps making and writing to.
//!
//! The other party writes the numbers 1, 2, 3 … as lines `oN`. Each of them must in the end
//! have been in a file that we removed, in one that the other party itself replaced, in
//! the file that is there, or in one that is kept beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use dsh_fs::types::Grade;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accounts::{Content, from_ranges, to_ranges};
use super::actor::Part;
use super::place::{self, Place};
use super::second::Second;
use super::user::User;
use super::{Bound, Outcome};

/// How far before a weakly graded removal a number may have been lost by it.
const NEAR: u64 = 64;

/// Makes the file where it is missing, and adds to it or replaces it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Maker {
    path: PathBuf,
    /// Whether it renames new files into place, in place of adding lines.
    renames: bool,
    /// Microseconds between two writes; 0 for full speed.
    pause: u64,
}

impl Maker {
    pub(crate) fn play(&self, stop: &AtomicBool) -> Value {
        let (mut number, mut replaced) = (0, BTreeSet::new());
        while !stop.load(Ordering::Relaxed) {
            number += 1;
            match self.renames {
                true => replaced.extend(self.rename(number)),
                false => add(&self.path, number),
            }
            if self.pause > 0 {
                thread::sleep(Duration::from_micros(self.pause));
            }
        }
        json!({ "written": number, "replaced": to_ranges(&replaced) })
    }

    /// Answers the numbers that it has displaced.
    fn rename(&self, number: u64) -> Vec<u64> {
        let beside = self.path.with_extension("new");
        fs::write(&beside, format!("o{number}\n")).expect("written");
        let rename = |flags| renameat_with(CWD, &beside, CWD, &self.path, flags).is_ok();
        loop {
            if rename(RenameFlags::NOREPLACE) {
                return Vec::new();
            }
            if rename(RenameFlags::EXCHANGE) {
                let found = fs::read_to_string(&beside).expect("readable");
                fs::remove_file(&beside).expect("it is ours now");
                return Content::parse(&found).outside;
            }
        }
    }
}

fn add(path: &Path, number: u64) {
    let mut options = OpenOptions::new();
    let mut file = options
        .append(true)
        .create(true)
        .open(path)
        .expect("opened");
    writeln!(file, "o{number}").expect("appended");
}

/// Reads the file and removes what it has read, again and again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Remover {
    path: PathBuf,
}

impl Remover {
    pub(crate) fn play(&self, bound: Bound) -> Value {
        let workspace = self.path.parent().expect("it is in a folder");
        let files = place::session(workspace, &place::secret(), bound);
        let text = self.path.to_str().expect("text");
        let target = files.resolve(text, None, &Cancel::new()).expect("resolves");
        let until = Instant::now() + Duration::from_millis(bound.milliseconds);
        let mut tally = Tally::default();
        while tally.cycles < bound.cycles && Instant::now() < until {
            let Ok(read) = files.read_text(&target, 1 << 24, &Cancel::new()) else {
                continue;
            };
            tally.cycles += 1;
            let numbers = Content::parse(&read.text).outside;
            match files.remove(&target, &read.version, &Cancel::new()) {
                Ok(removal) => tally.removed(&numbers, removal.grade),
                Err(error) => *tally.refused.entry(error.code.name()).or_default() += 1,
            }
        }
        tally.report()
    }
}

#[derive(Default)]
struct Tally {
    cycles: u64,
    grades: BTreeMap<&'static str, u64>,
    refused: BTreeMap<&'static str, u64>,
    seen: BTreeSet<u64>,
    /// The highest numbers of the removals that were not graded firm.
    weak: BTreeSet<u64>,
}

impl Tally {
    fn removed(&mut self, numbers: &[u64], grade: Grade) {
        *self.grades.entry(grade.name()).or_default() += 1;
        self.seen.extend(numbers);
        if grade != Grade::LeaseChecked {
            self.weak.extend(numbers.iter().max());
        }
    }

    fn report(&self) -> Value {
        json!({
            "cycles": self.cycles, "removed": self.grades.values().sum::<u64>(),
            "grades": self.grades, "refused": self.refused, "seen": to_ranges(&self.seen),
            "weak": to_ranges(&self.weak),
        })
    }
}

/// One race.
pub(crate) fn run(renames: bool, pause: u64, parent: &Path, bound: Bound) -> Outcome {
    let place = Place::beneath(parent);
    let path = place.path("file");
    let maker = Maker {
        path: path.clone(),
        renames,
        pause,
    };
    let maker = Second::start(Part::Maker(maker), User::Same, bound).ready();
    let ours = Second::start(Part::Remover(Remover { path }), User::Same, bound).finish();
    let outside = maker.stop();
    let names = place::names(place.root());
    let lost = lost(&place, &names, &ours, &outside);
    let weak = from_ranges(&ours["weak"]);
    let weakly = |number: &&u64| {
        weak.range(number.saturating_sub(NEAR)..**number)
            .next()
            .is_some()
    };
    let lost_firmly = lost.iter().filter(|number| !weakly(number)).count();
    let mut line = json!({
        "race": "removal", "file system": place.file_system, "renames": renames,
        "pause in microseconds": pause, "written outside": outside["written"],
        "lost": lost.len(), "lost under a firm grade": lost_firmly,
        "kept beside": kept_beside(&names).len(),
    });
    for fact in ["cycles", "removed", "grades", "refused"] {
        line[fact] = ours[fact].clone();
    }
    let mut outcome = Outcome::new(line);
    outcome.demand(lost_firmly == 0, "an update was lost under a firm grade");
    outcome.demand(lost.is_empty() || pause == 0, "an update was lost");
    let bare = place::empty_directories(&names);
    outcome.demand(bare.is_empty(), format!("directories were left: {bare:?}"));
    // At full speed the file may never stand still.
    let removed = ours["removed"] != json!(0);
    outcome.demand(removed || pause == 0, "nothing was removed");
    outcome
}

fn lost(place: &Place, names: &[String], ours: &Value, outside: &Value) -> Vec<u64> {
    let mut known = from_ranges(&ours["seen"]);
    known.extend(from_ranges(&outside["replaced"]));
    let mut there = kept_beside(names);
    there.extend(["file", "file.new"].map(str::to_owned));
    for name in there {
        let content = fs::read_to_string(place.path(&name)).unwrap_or_default();
        known.extend(Content::parse(&content).outside);
    }
    let written = outside["written"].as_u64().expect("a number");
    (1..=written)
        .filter(|number| !known.contains(number))
        .collect()
}

/// Files of the other party that came out, while it had made another one.
fn kept_beside(names: &[String]) -> Vec<String> {
    let kept = names.iter().filter(|name| name.ends_with("/file"));
    kept.cloned().collect()
}
