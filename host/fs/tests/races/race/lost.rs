//! Lost updates: guarded cycles against outside writers, and against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::sandbox::Files;
use dsh_fs::types::{Edit, EditGuard, Grade, Mutation, Report, Target, TextContent, WriteGuard};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accounts::{Content, from_ranges, to_ranges};
use super::actor::Part;
use super::outsider::{Displaced, Outsider, Style};
use super::place::{self, Place};
use super::second::Second;
use super::user::{User, is_root};
use super::{Bound, Outcome};

const QUIET: Report = Report {
    hunks: false,
    texts: false,
};

/// Read-edit and read-write cycles of one file, in turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Cycles {
    pub(crate) path: PathBuf,
}

/// Raises the number in one file; others do the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Raise {
    pub(crate) path: PathBuf,
}

/// What was done and how it ended.
#[derive(Default)]
struct Tally {
    cycles: u64,
    published: u64,
    grades: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    seen: BTreeSet<u64>,
    /// The cycles that published.
    done: BTreeSet<u64>,
    /// Of these, the ones whose grade is not firm, and the highest number that they saw.
    weak: BTreeMap<u64, u64>,
}

impl Tally {
    fn take(&mut self, done: Result<Mutation, Error>) -> bool {
        self.cycles += 1;
        match done {
            Ok(made) => {
                self.published += 1;
                *self.grades.entry(graded(&made)).or_default() += 1;
                true
            }
            Err(error) => {
                let words = match &error.detail {
                    Some(detail) => format!("{} ({detail})", error.code.name()),
                    None => error.code.name().to_owned(),
                };
                *self.refused.entry(words).or_default() += 1;
                false
            }
        }
    }
}

/// The grade of a mutation, with its reason.
pub(crate) fn graded(made: &Mutation) -> String {
    named(made.grade, made.grade_reason.as_deref())
}

/// A grade with its reason.
pub(crate) fn named(grade: Grade, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{}: {reason}", grade.name()),
        None => grade.name().to_owned(),
    }
}

/// One file of one session.
struct Open {
    files: Files,
    target: Target,
}

impl Open {
    fn new(path: &Path, bound: Bound) -> Self {
        let workspace = path.parent().expect("it is in a folder");
        let files = place::session(workspace, &place::secret(), bound);
        let text = path.to_str().expect("text");
        let target = files.resolve(text, None, &Cancel::new()).expect("resolves");
        Self { files, target }
    }

    fn read(&self) -> Option<TextContent> {
        let read = self.files.read_text(&self.target, 1 << 24, &Cancel::new());
        read.ok()
    }

    fn write(&self, content: &str, version: String) -> Result<Mutation, Error> {
        let guard = WriteGuard::ReplaceIfVersion(version);
        self.files
            .write_text(&self.target, content, &guard, QUIET, &Cancel::new())
    }

    fn edit(&self, edit: &Edit, version: String) -> Result<Mutation, Error> {
        let guard = EditGuard::IfVersion(version);
        self.files
            .edit_text(&self.target, edit, &guard, QUIET, &Cancel::new())
    }
}

impl Cycles {
    pub(crate) fn play(&self, bound: Bound) -> Value {
        let open = Open::new(&self.path, bound);
        let mut tally = Tally::default();
        let until = Instant::now() + Duration::from_millis(bound.milliseconds);
        while tally.cycles < bound.cycles && Instant::now() < until {
            if let Some(read) = open.read() {
                one(&open, read, &mut tally);
            }
        }
        json!({
            "cycles": tally.cycles, "published": tally.published, "grades": tally.grades,
            "refused": tally.refused, "seen": to_ranges(&tally.seen),
            "done": to_ranges(&tally.done), "weak": tally.weak,
        })
    }
}

/// Drops the outside lines by a write, or keeps them and marks the first by an edit.
fn one(open: &Open, read: TextContent, tally: &mut Tally) {
    let content = Content::parse(&read.text);
    if !content.is_whole {
        return;
    }
    let newest = content.newest();
    let ours = format!("upto {newest} by {}\n", tally.cycles);
    let done = match tally.cycles % 2 {
        0 => open.write(&ours, read.version),
        _ => {
            let first = read.text.lines().next().expect("it is whole");
            let edit = Edit {
                old_text: format!("{first}\n"),
                new_text: ours,
                replace_all: false,
            };
            open.edit(&edit, read.version)
        }
    };
    let weak = done
        .as_ref()
        .is_ok_and(|made| made.grade != Grade::LeaseChecked);
    let cycle = tally.cycles;
    if tally.take(done) {
        tally.seen.extend(&content.outside);
        tally.done.insert(cycle);
        if weak {
            tally.weak.insert(cycle, newest);
        }
    }
}

impl Raise {
    pub(crate) fn play(&self, bound: Bound) -> Value {
        let open = Open::new(&self.path, bound);
        let mut tally = Tally::default();
        let until = Instant::now() + Duration::from_millis(bound.milliseconds);
        while tally.cycles < bound.cycles && Instant::now() < until {
            let Some(read) = open.read() else { continue };
            let number: u64 = read.text.trim().parse().expect("only guarded writers");
            tally.take(open.write(&format!("{}\n", number + 1), read.version));
        }
        json!({
            "cycles": tally.cycles, "published": tally.published,
            "grades": tally.grades, "refused": tally.refused,
        })
    }
}

/// Cycles against one outside writer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Against {
    pub(crate) style: Style,
    pub(crate) pause: u64,
    pub(crate) reader: bool,
    /// Who runs the cycles; the file is root's.
    pub(crate) user: User,
}

impl Against {
    pub(crate) fn run(&self, parent: &Path, bound: Bound) -> Outcome {
        let place = Place::beneath(parent);
        let path = place.path("file");
        fs::write(&path, "upto 0\n").expect("written");
        self.prepare(&path);
        let outsider = Outsider {
            path: path.clone(),
            style: self.style,
            pause: self.pause,
        };
        let outsider = Second::start(Part::Outsider(outsider), User::Same, bound).ready();
        let reader = self
            .reader
            .then(|| Second::start(Part::Reader(path.clone()), User::Same, bound).ready());
        let cycles = Part::Cycles(Cycles { path: path.clone() });
        let ours = Second::start(cycles, self.user, bound).finish();
        let outside = outsider.stop();
        let reads = reader.map(Second::stop);
        self.outcome(&place, &ours, &outside, reads)
    }

    fn prepare(&self, path: &Path) {
        if self.user != User::Same {
            place::open_to_all(path);
        }
        if self.user == User::WithoutLease && is_root() {
            super::user::give_away(path);
        }
    }

    fn outcome(
        &self,
        place: &Place,
        ours: &Value,
        outside: &Value,
        reads: Option<Value>,
    ) -> Outcome {
        let content = fs::read_to_string(place.path("file")).expect("readable");
        let lost = self.lost(&Content::parse(&content), ours, outside);
        let lost_firmly = lost.iter().filter(|lost| !lost.weakly).count();
        let written = &outside["written"];
        let names = place::names(place.root());
        let mut line = json!({
            "race": "lost update", "file system": place.file_system, "style": self.style,
            "pause in microseconds": self.pause, "user": self.user.name(),
            "written outside": written, "lost": lost.len(), "lost under a firm grade": lost_firmly,
            "older for a moment": outside["older"], "leftovers": place::leftovers(&names),
        });
        for fact in ["cycles", "published", "grades", "refused"] {
            line[fact] = ours[fact].clone();
        }
        if let Some(reads) = reads {
            line["reads"] = reads["reads"].clone();
        }
        if !lost.is_empty() {
            line["lost numbers"] = json!(
                lost.iter()
                    .map(|lost| lost.number)
                    .take(20)
                    .collect::<Vec<_>>()
            );
        }
        let mut outcome = Outcome::new(line);
        outcome.demand(lost_firmly == 0, "an update was lost under a firm grade");
        outcome.demand(lost.is_empty() || self.may_lose(), "an update was lost");
        // What was displaced without a lease, and written to at that moment, is kept.
        let tidy = place::leftovers(&names) == 0 || self.may_lose();
        outcome.demand(tidy, "staging files were left behind");
        let published = ours["published"] != json!(0);
        outcome.demand(published || !self.must_publish(), "nothing was published");
        outcome
    }

    fn lost(&self, at_the_end: &Content, ours: &Value, outside: &Value) -> Vec<Lost> {
        let written = outside["written"].as_u64().expect("a number");
        let weak: BTreeMap<u64, u64> = read(&ours["weak"]);
        match self.style.adds() {
            true => never_seen(self.style, written, at_the_end, ours, &weak),
            false => {
                let mut displaced: Vec<Displaced> = read(&outside["displaced"]);
                if at_the_end.newest() < written {
                    displaced.push(Displaced {
                        number: written,
                        by: at_the_end.by,
                    });
                }
                overwritten(&displaced, &from_ranges(&ours["done"]), &weak)
            }
        }
    }

    /// Whether a loss under a weak grade is within the promise.
    fn may_lose(&self) -> bool {
        self.pause == 0 || self.style == Style::Holds || self.user != User::Same
    }

    /// Not where the file changes faster than anybody can read it, nor over one whose
    /// owner cannot be kept.
    fn must_publish(&self) -> bool {
        self.pause > 0 && self.style != Style::Holds && self.user != User::Ordinary
    }
}

/// An outside number that is gone.
struct Lost {
    number: u64,
    /// Whether the mutation that did it said that its grade is weak.
    weakly: bool,
}

/// Numbers that no mutation of ours had seen when it dropped them, and that are not there.
/// One that was displaced weakly was so by a mutation that saw the numbers shortly before;
/// whoever holds a descriptor writes to the displaced file from then on.
fn never_seen(
    style: Style,
    written: u64,
    at_the_end: &Content,
    ours: &Value,
    weak: &BTreeMap<u64, u64>,
) -> Vec<Lost> {
    let mut known = from_ranges(&ours["seen"]);
    known.extend(&at_the_end.outside);
    let is_weak = |lost: u64| {
        let near = match style {
            Style::Holds => 0..lost,
            _ => lost.saturating_sub(64)..lost,
        };
        weak.values().any(|newest| near.contains(newest))
    };
    (1..=written)
        .filter(|number| !known.contains(number))
        .map(|number| Lost {
            number,
            weakly: is_weak(number),
        })
        .collect()
}

/// Numbers in whose place a published change of ours was found that had not seen them.
/// What was there for a moment, and was taken back, is no loss: the next number of the
/// same writer took the place of the one before.
fn overwritten(
    displaced: &[Displaced],
    done: &BTreeSet<u64>,
    weak: &BTreeMap<u64, u64>,
) -> Vec<Lost> {
    let by_ours = |found: &&Displaced| found.by.is_some_and(|cycle| done.contains(&cycle));
    let lost = |found: &Displaced| Lost {
        number: found.number,
        weakly: found.by.is_some_and(|cycle| weak.contains_key(&cycle)),
    };
    displaced.iter().filter(by_ours).map(lost).collect()
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("a report of ours")
}

/// Two of our own processes raise one number.
pub(crate) fn each_other(parent: &Path, bound: Bound) -> Outcome {
    let place = Place::beneath(parent);
    let path = place.path("file");
    fs::write(&path, "0\n").expect("written");
    let start = || {
        let raise = Part::Raise(Raise { path: path.clone() });
        Second::start(raise, User::Same, bound)
    };
    let both = [start(), start()].map(Second::finish);
    let published: u64 = both
        .iter()
        .map(|one| one["published"].as_u64().expect("a number"))
        .sum();
    let content = fs::read_to_string(&path).expect("readable");
    let there: u64 = content.trim().parse().expect("a number");
    let names = place::names(place.root());
    let lost = published.abs_diff(there);
    let mut outcome = Outcome::new(json!({
        "race": "each other", "file system": place.file_system, "published": published,
        "lost": lost, "leftovers": place::leftovers(&names), "processes": both,
    }));
    outcome.demand(lost == 0, "an update was lost");
    outcome.demand(
        place::leftovers(&names) == 0,
        "staging files were left behind",
    );
    outcome.demand(published > 0, "nothing was published");
    outcome
}
