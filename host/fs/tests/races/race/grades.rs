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
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::actor::Part;
use super::lost::{graded, named};
use super::place::{self, Place, target};
use super::second::Second;
use super::user::{User, give_away};
use super::{Bound, Outcome};

const QUIET: Report = Report {
    hunks: false,
    texts: false,
};

/// Where the mutations are made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// The folder as it is.
    AsItIs,
    /// A file system of this type, mounted over the folder for this process alone.
    Mounted(String),
    /// An overlay of two folders that lie in the folder.
    Overlay,
}

/// Mutations of each kind in one folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Grades {
    pub(crate) kind: Kind,
    pub(crate) folder: PathBuf,
}

/// A report of each file system and user; each is made by a process of its own.
pub(crate) fn table(folder: &Path) -> Vec<Outcome> {
    let memory = Path::new("/dev/shm");
    let ramfs = || Kind::Mounted("ramfs".to_owned());
    let kinds = [
        (Kind::AsItIs, folder),
        (Kind::AsItIs, memory),
        (ramfs(), folder),
        (Kind::Overlay, folder),
    ];
    let mut reports = Vec::new();
    for (kind, parent) in kinds.iter().filter(|(_, parent)| parent.is_dir()) {
        for user in [User::Same, User::Ordinary, User::WithoutLease] {
            reports.push(one(kind, parent, user));
        }
    }
    reports
}

fn one(kind: &Kind, parent: &Path, user: User) -> Outcome {
    let base = place::file_system(parent);
    let what = match kind {
        Kind::AsItIs => base.to_owned(),
        Kind::Mounted(kind) => kind.clone(),
        Kind::Overlay => format!("overlayfs over {base}"),
    };
    let skipped = json!({ "skipped": "only root can become another user" });
    let mut report = match user.is_possible() {
        true => reported(kind, parent, user),
        false => skipped,
    };
    report["race"] = json!("grades");
    report["where"] = json!(what);
    report["user"] = json!(user.name());
    let mut outcome = Outcome::new(report);
    judge(&mut outcome, user);
    outcome
}

fn reported(kind: &Kind, parent: &Path, user: User) -> Value {
    let place = Place::beneath(parent);
    let grades = Grades {
        kind: kind.clone(),
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
    let firm = works("exchange rename") && works("lease");
    let expected = match firm {
        true => "lease-checked",
        false => "best-effort",
    };
    let of_another = match user {
        User::Same => expected,
        User::Ordinary => "refused",
        User::WithoutLease => "best-effort",
    };
    // Nothing of it has to be given to another file.
    let removed_of_another = match user {
        User::Ordinary => "best-effort",
        _ => of_another,
    };
    for (verb, expected) in [
        ("create", "atomic"),
        ("create with parents", "atomic"),
        ("replace", expected),
        ("edit", expected),
        ("replace, open elsewhere", "best-effort"),
        ("replace, of another user", of_another),
        ("remove", expected),
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
        let folder = match self.prepare() {
            Ok(folder) => folder,
            Err(reason) => return json!({ "skipped": reason }),
        };
        if *user == User::Ordinary {
            give_away(&folder);
        }
        let of_another = folder.join("of another user");
        fs::write(&of_another, "old\n").expect("written");
        place::open_to_all(&of_another);
        if *user == User::WithoutLease {
            give_away(&of_another);
        }
        user.become_it();
        println!("\n{}", super::actor::READY);
        report(&folder)
    }

    fn prepare(&self) -> Result<PathBuf, String> {
        match &self.kind {
            Kind::AsItIs => Ok(self.folder.clone()),
            Kind::Mounted(kind) => {
                private_mounts()?;
                mount(
                    "none",
                    &self.folder,
                    kind.as_str(),
                    MountFlags::empty(),
                    None,
                )
                .map_err(|errno| format!("{kind} cannot be mounted: {errno}"))?;
                place::open_to_all(&self.folder);
                Ok(self.folder.clone())
            }
            Kind::Overlay => self.overlay(),
        }
    }

    /// The lower layer has a file, so that the first replacement copies it up.
    fn overlay(&self) -> Result<PathBuf, String> {
        private_mounts()?;
        let [lower, upper, work, merged] =
            ["lower", "upper", "work", "merged"].map(|name| self.folder.join(name));
        for folder in [&lower, &upper, &work, &merged] {
            fs::create_dir(folder).expect("made");
            place::open_to_all(folder);
        }
        let options = format!(
            "lowerdir={},upperdir={},workdir={}",
            lower.display(),
            upper.display(),
            work.display()
        );
        let options = std::ffi::CString::new(options).expect("no NUL");
        mount(
            "none",
            &merged,
            "overlay",
            MountFlags::empty(),
            options.as_c_str(),
        )
        .map_err(|errno| format!("an overlay cannot be mounted: {errno}"))?;
        Ok(merged)
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

/// A mount namespace of this thread's own, from which nothing is handed on.
fn private_mounts() -> Result<(), String> {
    if !super::user::is_root() {
        return Err("only root can mount".to_owned());
    }
    #[allow(unsafe_code, reason = "unshare can leave a thread without its files")]
    // SAFETY: CLONE_NEWNS shares out mounts and the current directory, no descriptors.
    let alone = unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNS) };
    alone.map_err(|errno| format!("no mount namespace: {errno}"))?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(|errno| format!("mounts stay shared: {errno}"))
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
