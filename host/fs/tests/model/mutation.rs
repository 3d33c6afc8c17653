//! Writes, edits and removals, and what the map says that they must do.

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::types::{Edit, EditGuard, Mutation, Operation, Report, WriteGuard};

use crate::answer::{code, same, text};
use crate::map::{Node, parent, resolve};
use crate::session::{Held, Session};
use crate::step::Guard;

const QUIET: Report = Report {
    hunks: false,
    texts: false,
};

impl Session {
    /// What the fence says of a mutation, before anybody looks at the file.
    fn fenced(&self, held: &Held, guard: Guard) -> Option<Code> {
        if matches!(guard, Guard::Nothing) {
            return Some(Code::NotObserved);
        }
        let by_key = resolve(&self.map, &held.key);
        let now = match by_key {
            Some(key) if key == held.key => resolve(&self.map, &held.spelled),
            other => other,
        };
        match now {
            None => Some(Code::StaleVersion),
            Some(now) if now == "/ws" => Some(Code::NotRegularFile),
            Some(now) if !now.starts_with("/ws/") => Some(Code::SandboxDenied),
            Some(now) if now != held.key => Some(Code::StaleVersion),
            Some(_) => None,
        }
    }

    /// The version to demand, and whether it is that of what is there.
    fn demanded(&self, held: &Held) -> (String, bool) {
        let Some((seen, version)) = self.seen.get(&held.key) else {
            return ("never seen".to_owned(), false);
        };
        let current = match self.map.get(&held.key) {
            Some(Node::File { bytes, .. }) => bytes == seen,
            _ => false,
        };
        (version.clone(), current)
    }

    pub(crate) fn write(&mut self, held: &Held, content: &str, guard: Guard) -> Result<(), String> {
        let (version, current) = self.demanded(held);
        let old = self.map.get(&held.key).cloned();
        let refusal = self.fenced(held, guard).or(match (&old, guard) {
            (Some(Node::Folder), _) => Some(Code::NotRegularFile),
            (Some(_), Guard::Absent) => Some(Code::NotObserved),
            (_, Guard::Seen) if !current => Some(Code::StaleVersion),
            _ => None,
        });
        let demand = match guard {
            Guard::Absent => WriteGuard::CreateIfAbsent,
            Guard::Seen => WriteGuard::ReplaceIfVersion(version),
            Guard::Nothing => WriteGuard::Unconditional,
        };
        let cancel = Cancel::new();
        let answer = self
            .files
            .write_text(&held.target, content, &demand, QUIET, &cancel);
        match code(answer, refusal)? {
            Some(made) => self.made(held, &made, old, content.as_bytes().to_vec()),
            None => Ok(()),
        }
    }

    pub(crate) fn edit(
        &mut self,
        held: &Held,
        (old_text, new_text, all): (&str, &str, bool),
        guard: Guard,
    ) -> Result<(), String> {
        let guard = match guard {
            Guard::Absent => Guard::Seen,
            other => other,
        };
        let (version, current) = self.demanded(held);
        let old = self.map.get(&held.key).cloned();
        let edited = match &old {
            Some(Node::File { bytes, .. }) if current => edited(bytes, old_text, new_text, all),
            Some(Node::Folder) => Err(Some(Code::NotRegularFile)),
            _ => Err(Some(Code::StaleVersion)),
        };
        let refusal = match self.fenced(held, guard) {
            Some(code) => Err(Some(code)),
            None => edited,
        };
        let edit = Edit {
            old_text: old_text.to_owned(),
            new_text: new_text.to_owned(),
            replace_all: all,
        };
        let demand = match guard {
            Guard::Nothing => EditGuard::Unconditional,
            _ => EditGuard::IfVersion(version),
        };
        let cancel = Cancel::new();
        let answer = self
            .files
            .edit_text(&held.target, &edit, &demand, QUIET, &cancel);
        match (refusal, answer) {
            (Ok(bytes), Ok(made)) => self.made(held, &made, old, bytes),
            // Arguments that ask for nothing are refused, under whatever code.
            (Err(None), Err(_)) => Ok(()),
            (Err(Some(code)), Err(error)) => same(&error.code, &code),
            (expected, answer) => Err(format!("{answer:?}, expected {expected:?}")),
        }
    }

    /// Nothing but the file goes.
    pub(crate) fn remove(&mut self, held: &Held) -> Result<(), String> {
        let (version, current) = self.demanded(held);
        let refusal = self
            .fenced(held, Guard::Seen)
            .or(match self.map.get(&held.key) {
                None => Some(Code::NotFound),
                Some(Node::File { .. }) if current => None,
                Some(Node::File { .. }) => Some(Code::StaleVersion),
                Some(_) => Some(Code::NotRegularFile),
            });
        let answer = self.files.remove(&held.target, &version, &Cancel::new());
        let Some(removal) = code(answer, refusal)? else {
            return Ok(());
        };
        self.map.remove(&held.key);
        same(&removal.previous, &version)
    }

    fn made(
        &mut self,
        held: &Held,
        made: &Mutation,
        old: Option<Node>,
        bytes: Vec<u8>,
    ) -> Result<(), String> {
        let (operation, mode) = match old {
            Some(Node::File { mode, .. }) => (Operation::Update, mode),
            _ => (Operation::Create, self.new_mode),
        };
        same(&made.operation, &operation)?;
        let mut folder = parent(&held.key);
        while !self.map.contains_key(folder) {
            self.map.insert(folder.to_owned(), Node::Folder);
            folder = parent(folder);
        }
        let node = Node::File {
            bytes: bytes.clone(),
            mode,
        };
        self.map.insert(held.key.clone(), node);
        self.observe(held, bytes, made.version.clone())
    }
}

/// The new bytes, or the code of the refusal; no code where the arguments are wrong.
fn edited(bytes: &[u8], old: &str, new: &str, all: bool) -> Result<Vec<u8>, Option<Code>> {
    if old.is_empty() || old == new {
        return Err(None);
    }
    let Some(content) = text(bytes) else {
        return Err(Some(Code::NotText));
    };
    let starts = (0..content.len()).filter(|at| content[*at..].starts_with(old));
    match (starts.count(), all) {
        (0, _) => Err(Some(Code::EditNotFound)),
        (1, _) | (_, true) => Ok(content.replace(old, new).into_bytes()),
        _ => Err(Some(Code::AmbiguousEdit)),
    }
}
