//! Guarded writes, creates with missing parents, and edits, beneath what is being swapped.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::sandbox::Files;
use dsh_fs::types::{Edit, EditGuard, Mutation, Report, Target, WriteGuard};
use dsh_fs::version::VersionSecret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Bound;
use super::place;

const QUIET: Report = Report {
    hunks: false,
    texts: false,
};

/// The fact that counts messages that name a staging file, which none may.
pub(crate) const NAMED: &str = "messages that name a staging file";

/// Where the mutations go.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Guarded {
    pub(crate) workspace: PathBuf,
    /// A directory, from the workspace. It has the files `f` and `g`.
    pub(crate) folder: String,
}

/// A session at work.
struct Work {
    files: Files,
    secret: VersionSecret,
    folder: String,
    /// Resolved before anything was swapped.
    early: Vec<Target>,
    /// What this process published last.
    content: [String; 2],
}

impl Guarded {
    pub(crate) fn play(&self, bound: Bound) -> Value {
        let mut work = Work::new(self, bound);
        println!("\n{}", super::actor::READY);
        let (mut done, mut refused) = ([0_u64; 4], BTreeMap::<&str, u64>::new());
        let mut named = 0_u64;
        let until = Instant::now() + Duration::from_millis(bound.milliseconds);
        let mut cycle = 0;
        while cycle < bound.cycles && Instant::now() < until {
            match work.one(cycle) {
                Ok(_) => done[usize::try_from(cycle % 4).expect("small")] += 1,
                Err(error) => {
                    named += u64::from(error.message.contains(".dsh-fs-"));
                    *refused.entry(error.code.name()).or_default() += 1;
                }
            }
            cycle += 1;
        }
        json!({
            "cycles": cycle, "written": done[0], "created": done[1], "edited": done[2],
            "created beside": done[3],
            "refused": refused, NAMED: named,
        })
    }
}

impl Work {
    fn new(guarded: &Guarded, bound: Bound) -> Self {
        let secret = place::secret();
        let mut work = Self {
            files: place::session(&guarded.workspace, &secret, bound),
            secret,
            folder: guarded.folder.clone(),
            early: Vec::new(),
            content: ["0\n".to_owned(), "0\n".to_owned()],
        };
        for name in ["f", "g"] {
            let early = work.resolve(&work.path(name));
            work.early.push(early.expect("nothing is swapped yet"));
        }
        work
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    fn resolve(&self, path: &str) -> Result<Target, Error> {
        self.files.resolve(path, None, &Cancel::new())
    }

    fn one(&mut self, cycle: u64) -> Result<Mutation, Error> {
        match cycle % 4 {
            0 => self.write(cycle),
            1 => self.create(&format!("new{}/deep{cycle}/file", cycle / 4 % 4)),
            2 => self.edit(cycle),
            _ => self.create(&format!("file{cycle}")),
        }
    }

    /// Every other time as it was resolved before the swaps.
    fn target(&self, which: usize, cycle: u64) -> Result<Target, Error> {
        match cycle / 4 % 2 {
            0 => Ok(self.early[which].clone()),
            _ => self.resolve(&self.path(["f", "g"][which])),
        }
    }

    fn write(&mut self, cycle: u64) -> Result<Mutation, Error> {
        let target = self.target(0, cycle)?;
        let content = other(&self.content[0]);
        let guard =
            WriteGuard::ReplaceIfVersion(self.secret.version_of(self.content[0].as_bytes()));
        let made = self
            .files
            .write_text(&target, &content, &guard, QUIET, &Cancel::new())?;
        self.content[0] = content;
        Ok(made)
    }

    fn create(&self, name: &str) -> Result<Mutation, Error> {
        let target = self.resolve(&self.path(name))?;
        let guard = WriteGuard::CreateIfAbsent;
        self.files
            .write_text(&target, "new\n", &guard, QUIET, &Cancel::new())
    }

    fn edit(&mut self, cycle: u64) -> Result<Mutation, Error> {
        let target = self.target(1, cycle)?;
        let edit = Edit {
            old_text: self.content[1].clone(),
            new_text: other(&self.content[1]),
            replace_all: false,
        };
        let guard = EditGuard::IfVersion(self.secret.version_of(self.content[1].as_bytes()));
        let made = self
            .files
            .edit_text(&target, &edit, &guard, QUIET, &Cancel::new())?;
        self.content[1] = edit.new_text;
        Ok(made)
    }
}

/// The files outside have one of the two as well, so that a guard alone keeps nobody out.
fn other(content: &str) -> String {
    let other = match content {
        "0\n" => "1\n",
        _ => "0\n",
    };
    other.to_owned()
}
