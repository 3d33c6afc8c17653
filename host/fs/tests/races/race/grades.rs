//! Which grade each file system gives to each verb, for each user.

use std::fs;
use std::path::{Path, PathBuf};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::local::LocalFileSystem;
use dsh_fs::probe;
use dsh_fs::provider::Provider;
use dsh_fs::types::{Edit, EditGuard, Mutation, Report, WriteGuard};
use dsh_fs::within::Within;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::actor::Part;
use super::ground::Ground;
use super::lost::{graded, named};
use super::place::{self, Place, target};
use super::second::Second;
use super::user::{User, give_away};
use super::{Bound, Outcome};

const QUIET: Report = Report {
    hunks: false,
    texts: false,
};

/// Mutations of each kind in one folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Grades {
    pub(crate) ground: Ground,
    pub(crate) folder: PathBuf,
}

/// A report of each file system and user; each is made by a process of its own.
pub(crate) fn table(folder: &Path) -> Vec<Outcome> {
    let memory = Path::new("/dev/shm");
    let image = |kind: &str| Ground::Image(kind.to_owned());
    let grounds = [
        (Ground::AsItIs, folder),
        (Ground::AsItIs, memory),
        (Ground::Mounted("ramfs".to_owned()), folder),
        (Ground::Overlay, folder),
        (image("xfs"), folder),
        (image("btrfs"), folder),
        (Ground::Served, folder),
    ];
    let mut reports = Vec::new();
    for (ground, parent) in grounds.iter().filter(|(_, parent)| parent.is_dir()) {
        for user in [User::Same, User::Ordinary, User::WithoutLease] {
            reports.push(one(ground, parent, user));
        }
    }
    reports
}

fn one(ground: &Ground, parent: &Path, user: User) -> Outcome {
    let base = place::file_system(parent);
    let what = ground.name(base);
    let skipped = json!({ "skipped": "only root can become another user" });
    let mut report = match user.is_possible() {
        true => reported(ground, parent, user),
        false => skipped,
    };
    report["race"] = json!("grades");
    report["where"] = json!(what);
    report["user"] = json!(user.name());
    let mut outcome = Outcome::new(report);
    judge(&mut outcome, user);
    outcome
}

fn reported(ground: &Ground, parent: &Path, user: User) -> Value {
    let place = Place::beneath(parent);
    let grades = Grades {
        ground: ground.clone(),
        folder: place.root().to_owned(),
    };
    Second::start(Part::Grades(grades), user, Bound::short(0)).finish()
}

/// What `doctor` says of a folder must be what the mutations there were graded.
fn judge(outcome: &mut Outcome, user: User) {
    let report = outcome.line.clone();
    if report.get("skipped").is_some() {
        return;
    }
    let works = |name: &str| report["probed"][name] == json!(true);
    // What is served from elsewhere can be changed there. Fails without `others_have`.
    let served = report["file system"] == json!("fuse");
    outcome.demand(
        !served || !works("lease"),
        "a lease was counted on a served folder",
    );
    let firm = |firm| match firm {
        true => "lease-checked",
        false => "best-effort",
    };
    let removed = firm(works("lease"));
    let expected = firm(works("exchange rename") && works("lease"));
    let of_another = match user {
        User::Same => expected,
        User::Ordinary => "refused",
        User::WithoutLease => "best-effort",
    };
    // Nothing of it has to be given to another file.
    let removed_of_another = match user {
        User::Same => removed,
        _ => "best-effort",
    };
    for (verb, expected) in [
        ("create", "atomic"),
        ("create with parents", "atomic"),
        ("replace", expected),
        ("edit", expected),
        ("replace, open elsewhere", "best-effort"),
        ("replace, of another user", of_another),
        ("remove", removed),
        ("remove, of another user", removed_of_another),
    ] {
        let grade = report["rows"][verb].as_str().unwrap_or_default();
        let promise = format!("{verb}: {expected} was expected, not {grade}");
        outcome.demand(grade.starts_with(expected), promise);
    }
    outcome.demand(
        report["leftovers"] == json!(0),
        "staging files were left behind",
    );
}

impl Grades {
    /// Mounts, becomes the user, mutates. Reports rows, or why it was skipped.
    pub(crate) fn play(&self, user: &User) -> Value {
        let folder = match self.ground.prepare(&self.folder) {
            Ok(ready) => ready,
            Err(reason) => return json!({ "skipped": reason }),
        };
        let folder = &folder.0;
        if *user == User::Ordinary {
            give_away(folder);
        }
        let of_another = folder.join("of another user");
        fs::write(&of_another, "old\n").expect("written");
        place::open_to_all(&of_another);
        if *user == User::WithoutLease {
            give_away(&of_another);
        }
        user.become_it();
        println!("\n{}", super::actor::READY);
        report(folder)
    }
}

fn report(folder: &Path) -> Value {
    let probed: serde_json::Map<String, Value> = probe::folder(folder)
        .into_iter()
        .map(|finding| (finding.name.to_owned(), json!(finding.works)))
        .collect();
    let local = LocalFileSystem::new(place::secret(), place::options(Bound::short(0)));
    let rows: serde_json::Map<String, Value> = verbs(&local, folder)
        .into_iter()
        .map(|(verb, graded)| (verb.to_owned(), json!(worded(graded))))
        .collect();
    json!({
        "file system": place::file_system(folder), "probed": probed, "rows": rows,
        "leftovers": place::leftovers(&place::names(folder)),
    })
}

fn worded(graded: Result<String, Error>) -> String {
    graded.unwrap_or_else(|error| format!("refused: {error}"))
}

type Graded = (&'static str, Result<String, Error>);

fn verbs(local: &LocalFileSystem, folder: &Path) -> Vec<Graded> {
    let mut graded: Vec<Graded> = mutations(local, folder)
        .into_iter()
        .map(|(verb, made)| (verb, made.map(|made| graded(&made))))
        .collect();
    let file = folder.join("file");
    graded.push(("remove", remove(local, &file)));
    graded.push(("remove, of another user", {
        remove(local, &folder.join("of another user"))
    }));
    graded
}

type Made = (&'static str, Result<Mutation, Error>);

fn mutations(local: &LocalFileSystem, folder: &Path) -> Vec<Made> {
    let file = folder.join("file");
    let another = folder.join("of another user");
    let create = |path: &Path| write(local, path, &WriteGuard::CreateIfAbsent);
    let over = |path: &Path| {
        let read = local.read_text(&target(local, path), 1 << 20, &Cancel::new())?;
        write(local, path, &WriteGuard::ReplaceIfVersion(read.version))
    };
    vec![
        ("create", create(&file)),
        ("create with parents", create(&folder.join("new/deep/file"))),
        ("replace", over(&file)),
        ("edit", edit(local, &file)),
        ("replace, open elsewhere", {
            let _writer = fs::OpenOptions::new().append(true).open(&file);
            over(&file)
        }),
        ("replace, of another user", over(&another)),
    ]
}

fn write(local: &LocalFileSystem, path: &Path, guard: &WriteGuard) -> Result<Mutation, Error> {
    let target = target(local, path);
    let within = Within::anywhere_unfenced();
    local.write_text(&target, &within, "new\n", guard, QUIET, &Cancel::new())
}

fn remove(local: &LocalFileSystem, path: &Path) -> Result<String, Error> {
    let target = target(local, path);
    let read = local.read_text(&target, 1 << 20, &Cancel::new())?;
    let within = Within::anywhere_unfenced();
    let removal = local.remove(&target, &within, &read.version, &Cancel::new())?;
    Ok(named(removal.grade, removal.grade_reason.as_deref()))
}

fn edit(local: &LocalFileSystem, path: &Path) -> Result<Mutation, Error> {
    let target = target(local, path);
    let edit = Edit {
        old_text: "new\n".to_owned(),
        new_text: "newer\n".to_owned(),
        replace_all: false,
    };
    let read = local.read_text(&target, 1 << 20, &Cancel::new())?;
    let guard = EditGuard::IfVersion(read.version);
    let within = Within::anywhere_unfenced();
    local.edit_text(&target, &within, &edit, &guard, QUIET, &Cancel::new())
}
