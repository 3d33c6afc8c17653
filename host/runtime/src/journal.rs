//! The changes that a session made, for taking them back: versions and keys, no texts.

use std::collections::VecDeque;

use dsh_fs::types::{Mutation, Removal};
use serde::{Deserialize, Serialize};

/// The most changes that are remembered; then the oldest is forgotten.
const MOST: usize = 256;

/// One change that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// The canonical file.
    pub(crate) key: String,
    /// What it held before; `None` where there was no file.
    pub(crate) previous: Option<String>,
    /// What the change left.
    pub(crate) version: String,
    /// The call of several changes that it belongs to: they are taken back together.
    group: Option<u64>,
}

/// The changes of one session, and the one that is being taken back.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    changes: VecDeque<Change>,
    undoing: Option<Change>,
    removal: Option<Removal>,
    /// The key of the file of which the component is being told that it is gone.
    removed: Option<String>,
    groups: u64,
    grouping: bool,
}

impl Journal {
    /// The last change that has not been taken back.
    pub(crate) fn last(&self) -> Option<&Change> {
        self.changes.back()
    }

    /// From here to the end of the call, the last change is being taken back.
    pub(crate) fn begin_undo(&mut self) {
        self.removal = None;
        self.undoing = self.last().cloned();
    }

    /// From here to the end of the call, the component learns that this file is gone.
    pub(crate) fn begin_look(&mut self, key: String) {
        self.removed = Some(key);
    }

    /// The key of the file of which the component is being told that it is gone.
    pub(crate) fn removed(&self) -> Option<&String> {
        self.removed.as_ref()
    }

    /// The change that is being taken back, if it created its file.
    pub(crate) fn creation(&self) -> Option<&Change> {
        self.undoing().filter(|change| change.previous.is_none())
    }

    /// The creation was taken back: the next undo goes further back.
    pub(crate) fn took_back(&mut self, removal: Removal) {
        self.undoing = None;
        self.changes.pop_back();
        self.removal = Some(removal);
    }

    /// The file that was created is gone already: there is nothing to take back.
    pub(crate) fn is_gone(&mut self) {
        self.undoing = None;
        self.changes.pop_back();
    }

    /// What the last undo removed.
    pub(crate) fn take_removal(&mut self) -> Option<Removal> {
        self.removal.take()
    }

    /// From here to the end of the call, this change is being taken back.
    pub(crate) fn begin_undo_of(&mut self, change: Change) {
        self.undoing = Some(change);
    }

    /// The change that is being taken back.
    pub(crate) fn undoing(&self) -> Option<&Change> {
        self.undoing.as_ref()
    }

    /// The call is over.
    pub(crate) fn end(&mut self) {
        self.undoing = None;
        self.removed = None;
    }

    /// From here to the end of the group, changes belong together.
    pub(crate) fn begin_group(&mut self) {
        self.groups += 1;
        self.grouping = true;
    }

    /// The group is complete; if it was taken back there is none.
    pub(crate) fn end_group(&mut self, kept: bool) {
        self.grouping = false;
        if !kept {
            let group = Some(self.groups);
            self.changes.retain(|change| change.group != group);
        }
    }

    /// The group that the last change belongs to: one change for each file, from what the
    /// file held before all of them to what it holds now, the last file first. `None`
    /// where the last change stands alone.
    pub(crate) fn last_group(&self) -> Option<Vec<Change>> {
        let group = self.last()?.group?;
        let members = self.changes.iter().rev();
        let mut files: Vec<Change> = Vec::new();
        for change in members.take_while(|change| change.group == Some(group)) {
            match files.iter_mut().find(|file| file.key == change.key) {
                Some(file) => file.previous.clone_from(&change.previous),
                None => files.push(change.clone()),
            }
        }
        files.retain(|file| file.previous.as_ref() != Some(&file.version));
        Some(files)
    }

    /// The group that the last change belongs to has been taken back.
    pub(crate) fn forget_last_group(&mut self) {
        if let Some(group) = self.last().and_then(|change| change.group) {
            self.changes.retain(|change| change.group != Some(group));
        }
    }

    /// Writes a mutation down, unless it wrote what was there. One that brings the old
    /// content back takes the change out, so that the next undo goes further back.
    pub(crate) fn record(&mut self, mutation: &Mutation) {
        if self.brings_back(mutation) {
            self.undoing = None;
            self.changes.pop_back();
            return;
        }
        if mutation.previous.as_ref() == Some(&mutation.version) {
            return;
        }
        if self.changes.len() == MOST {
            self.forget_oldest();
        }
        self.changes.push_back(Change {
            key: mutation.target.key.clone(),
            previous: mutation.previous.clone(),
            version: mutation.version.clone(),
            group: self.grouping.then_some(self.groups),
        });
    }

    /// The changes as text; nothing of a call that is running.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(&self.changes).expect("keys and versions are JSON")
    }

    /// The journal of a text, if it is one.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let mut changes: VecDeque<Change> = serde_json::from_str(text).ok()?;
        changes.drain(..changes.len().saturating_sub(MOST));
        Some(Self {
            // A group of this session must not be taken for one of the former.
            groups: changes
                .iter()
                .filter_map(|change| change.group)
                .max()
                .unwrap_or(0),
            changes,
            ..Self::default()
        })
    }

    /// A part of a group cannot be taken back, so that all of it is forgotten.
    fn forget_oldest(&mut self) {
        let oldest = self.changes.pop_front().and_then(|change| change.group);
        if oldest.is_some() {
            self.changes.retain(|change| change.group != oldest);
        }
    }

    fn brings_back(&self, mutation: &Mutation) -> bool {
        self.undoing.as_ref().is_some_and(|change| {
            change.key == mutation.target.key && change.previous.as_ref() == Some(&mutation.version)
        })
    }
}
