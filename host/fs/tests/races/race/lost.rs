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

use super::accounts::{Content, missing, to_ranges};
use super::actor::Part;
use super::outsider::{Outsider, Style};
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
    /// Seen by a mutation that was not firm.
    weakly: BTreeMap<u64, u64>,
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

/// A grade with its reason.
pub(crate) fn graded(made: &Mutation) -> String {
    let name = match made.grade {
        Grade::Atomic => "atomic",
        Grade::LeaseChecked => "lease-checked",
        Grade::BestEffort => "best-effort",
    };
    match &made.grade_reason {
        Some(reason) => format!("{name}: {reason}"),
        None => name.to_owned(),
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
            "weakly": tally.weakly.keys().collect::<Vec<_>>(),
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
    let firm = done.as_ref().map(|made| made.grade == Grade::LeaseChecked);
    let weak = firm == Ok(false);
    if tally.take(done) {
        tally.seen.extend(&content.outside);
        if weak {
            tally.weakly.insert(newest, tally.cycles);
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
        let written = outside["written"].as_u64().expect("a number");
        let lost = missing(
            written,
            std::slice::from_ref(&ours["seen"]),
            &Content::parse(&content),
        );
        let lost_firmly = lost
            .iter()
            .filter(|number| !is_weak(&ours["weakly"], **number))
            .count() as u64;
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
            line["lost numbers"] = json!(lost.iter().take(20).collect::<Vec<_>>());
        }
        let mut outcome = Outcome::new(line);
        outcome.demand(lost_firmly == 0, "an update was lost under a firm grade");
        outcome.demand(lost.is_empty() || self.may_lose(), "an update was lost");
        outcome.demand(
            place::leftovers(&names) == 0,
            "staging files were left behind",
        );
        let published = ours["published"] != json!(0);
        outcome.demand(published || !self.must_publish(), "nothing was published");
        outcome
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

/// A number can only be displaced by a mutation that was made from the one before, or
/// from a few before where an outside writer wrote several times while it was published.
fn is_weak(weakly: &Value, lost: u64) -> bool {
    let near = lost.saturating_sub(64)..lost;
    let weakly = weakly.as_array().expect("numbers").iter();
    weakly
        .filter_map(Value::as_u64)
        .any(|base| near.contains(&base))
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
