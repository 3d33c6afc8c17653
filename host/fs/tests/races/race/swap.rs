//! Swapped names: nothing may land outside, and nothing may be left behind.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use dsh_fs::cancel::Cancel;
use dsh_fs::types::{Report, WriteGuard};
use serde_json::{Value, json};

use super::actor::Part;
use super::guarded::{Guarded, NAMED};
use super::place::{self, Place};
use super::second::Second;
use super::swapper::Swap;
use super::user::User;
use super::{Bound, Outcome};

/// What is swapped under the mutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swapped {
    /// A directory in the middle of the path, and a link to the outside.
    Ancestor,
    /// The file itself, and a link to a file outside.
    Leaf,
    /// A directory that a create is making, and a link to the outside.
    NewParent,
    /// The workspace, and a directory outside.
    Root,
}

impl Swapped {
    pub(crate) const ALL: [Self; 4] = [Self::Ancestor, Self::Leaf, Self::NewParent, Self::Root];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ancestor => "ancestor swap",
            Self::Leaf => "leaf swap",
            Self::NewParent => "new parent swap",
            Self::Root => "root swap",
        }
    }
}

/// One race.
pub(crate) fn run(swapped: Swapped, pause: u64, parent: &Path, bound: Bound) -> Outcome {
    let place = Place::beneath(parent);
    plant(&place);
    let before = outside(&place);
    let guarded = Part::Guarded(Guarded {
        workspace: place.path("root"),
        folder: "a/sub".to_owned(),
    });
    let start = |part| Second::start(part, User::Same, bound);
    // The session pins its root before that is swapped.
    let ours = start(guarded).ready();
    let swapper = start(Part::Swap(swap(swapped, pause, &place)));
    let ours = (ours.finish(), swapper.stop());
    finish(swapped, pause, &place, &before, ours)
}

/// `root/a/sub` with two files, and an outside that looks alike.
fn plant(place: &Place) {
    let folders = [
        "root/a/sub/new1",
        "root/aside",
        "outside/sub",
        "other/a/sub",
    ];
    for name in folders {
        fs::create_dir_all(place.path(name)).expect("made");
    }
    for name in [
        "root/a/sub/f",
        "root/a/sub/g",
        "outside/sub/f",
        "outside/sub/g",
    ] {
        fs::write(place.path(name), "0\n").expect("written");
    }
    for name in ["other/a/sub/f", "other/a/sub/g"] {
        fs::write(place.path(name), "0\n").expect("written");
    }
    symlink(place.path("outside"), place.path("root/spare")).expect("linked");
    symlink(place.path("outside/sub/f"), place.path("root/leaf")).expect("linked");
}

fn swap(swapped: Swapped, pause: u64, place: &Place) -> Swap {
    let exchange = |one: &str, other: &str| Swap::Exchange {
        one: place.path(one),
        other: place.path(other),
        pause,
    };
    match swapped {
        Swapped::Ancestor => exchange("root/a", "root/spare"),
        Swapped::Leaf => exchange("root/a/sub/f", "root/leaf"),
        Swapped::Root => exchange("root", "other"),
        Swapped::NewParent => Swap::Replace {
            folder: place.path("root/a/sub/new1"),
            aside: place.path("root/aside"),
            outside: place.path("outside"),
        },
    }
}

/// Everything outside the workspace, with its content.
fn outside(place: &Place) -> Vec<String> {
    let mut all = Vec::new();
    for folder in ["outside", "other"] {
        let folder = place.path(folder);
        for name in place::names(&folder) {
            let content = fs::read_to_string(folder.join(&name)).unwrap_or_default();
            all.push(format!("{}/{name}: {content}", folder.display()));
        }
    }
    all
}

fn finish(
    swapped: Swapped,
    pause: u64,
    place: &Place,
    before: &[String],
    (ours, swapper): (Value, Value),
) -> Outcome {
    let now = outside(place);
    let outside: Vec<String> = now
        .iter()
        .filter(|line| !before.contains(line))
        .chain(before.iter().filter(|line| !now.contains(line)))
        .cloned()
        .collect();
    one_more_write(place);
    let inside = place::names(&place.path("root"));
    let bare: Vec<String> = place::empty_directories(&inside)
        .into_iter()
        .filter(|name| name.contains("deep"))
        .cloned()
        .collect();
    let staged = place::leftovers(&inside);
    let number = |fact: &str| ours[fact].as_u64().expect("a number");
    let verbs = ["written", "created", "edited", "created beside"];
    let published: u64 = verbs.map(number).iter().sum();
    let named = number(NAMED);
    let links = ["root/spare", "root/leaf"].map(|name| place.path(name).is_symlink());
    let line = json!({
        "race": swapped.name(), "file system": place.file_system, "pause in microseconds": pause,
        "swaps": swapper["swaps"], "ours": ours, "outside": outside.len(),
        "leftovers": staged, "bare directories": bare.len(),
    });
    let mut outcome = Outcome::new(line);
    outcome.demand(outside.is_empty(), format!("outside changed: {outside:?}"));
    outcome.demand(staged == 0, "staging files were left behind");
    outcome.demand(bare.is_empty(), format!("directories were left: {bare:?}"));
    outcome.demand(
        links == [true; 2],
        "a link was taken for a file, and is gone",
    );
    outcome.demand(named == 0, "a message names a staging file");
    outcome.demand(published > 0, "nothing was published");
    outcome
}

/// In the folder of the files; the next write there takes away what is left.
fn one_more_write(place: &Place) {
    let bound = Bound::short(0);
    let files = place::session(&place.path("root"), &place::secret(), bound);
    let target = files.resolve("a/sub/last", None, &Cancel::new());
    let report = Report {
        hunks: false,
        texts: false,
    };
    let guard = WriteGuard::CreateIfAbsent;
    let target = target.expect("nothing is swapped any more");
    files
        .write_text(&target, "last\n", &guard, report, &Cancel::new())
        .expect("nothing is in the way any more");
}
