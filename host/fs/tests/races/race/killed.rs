//! A process of ours that is killed while it makes parents and removes files.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use dsh_fs::cancel::Cancel;
use dsh_fs::sandbox::Files;
use dsh_fs::types::{Report, WriteGuard};
use dsh_fs::version::VersionSecret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::actor::Part;
use super::place::{self, Place};
use super::second::Second;
use super::user::User;
use super::{Bound, Outcome};

/// Creates files with their parents and removes every other one, until it is killed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Worker {
    workspace: PathBuf,
    /// Of the secret: whose versions they are is known by it.
    secret: PathBuf,
    /// Which of the killed processes it is.
    number: u64,
}

impl Worker {
    pub(crate) fn play(&self, bound: Bound) -> Value {
        let secret = VersionSecret::load_or_create(&self.secret).expect("a file of ours");
        let files = place::session(&self.workspace, &secret, bound);
        let mut made = 0;
        loop {
            let name = format!("{}-{made}/p/q/file", self.number);
            let version = create(&files, &name);
            if made % 2 == 0 {
                let target = files
                    .resolve(&name, None, &Cancel::new())
                    .expect("resolves");
                files
                    .remove(&target, &version, &Cancel::new())
                    .expect("removed");
            }
            made += 1;
        }
    }
}

fn create(files: &Files, name: &str) -> String {
    let target = files.resolve(name, None, &Cancel::new()).expect("resolves");
    let guard = WriteGuard::CreateIfAbsent;
    let made = files.write_text(&target, "text\n", &guard, Report::default(), &Cancel::new());
    made.expect("created").version
}

/// Kills many, each a little later than the one before.
pub(crate) fn run(parent: &Path, kills: u64, bound: Bound) -> Outcome {
    let place = Place::beneath(parent);
    let (workspace, file) = (place.path("ws"), place.path("secret"));
    fs::create_dir(&workspace).expect("made");
    let secret = VersionSecret::load_or_create(&file).expect("a new one");
    for number in 0..kills {
        let worker = Worker {
            workspace: workspace.clone(),
            secret: file.clone(),
            number,
        };
        let worker = Second::start(Part::Worker(worker), User::Same, bound).ready();
        thread::sleep(Duration::from_micros(2_000 + 131 * number));
        drop(worker);
    }
    let left = place::leftovers(&place::names(&workspace));
    // A later process writes in each folder.
    let files = place::session(&workspace, &secret, bound);
    create(&files, "last");
    for folder in innermost(&place::names(&workspace)) {
        create(&files, &format!("{folder}last"));
    }
    let names = place::names(&workspace);
    let staged = place::leftovers(&names);
    let bare = place::empty_directories(&names).len();
    let mut outcome = Outcome::new(json!({
        "race": "killed", "file system": place.file_system, "kills": kills,
        "left by the kills": left, "leftovers": staged, "bare directories": bare,
        "names": names.len(),
    }));
    outcome.demand(staged == 0, "staging names were left");
    outcome.demand(bare == 0, "directories were left bare");
    outcome.demand(names.len() > 3, "nothing was made");
    outcome
}

/// The folders that files are made in and removed from.
fn innermost(names: &[String]) -> Vec<&String> {
    let innermost = |name: &&String| name.ends_with("/p/q/") && !name.starts_with('.');
    names.iter().filter(innermost).collect()
}
