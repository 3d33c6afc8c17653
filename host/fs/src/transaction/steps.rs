//! What a transaction has touched so far: pure bookkeeping, the same for the one that runs
//! and for one that is read from its journal.

use std::sync::Arc;

use crate::roots::Roots;
use crate::types::{ExecutionPolicy, Target};

/// Under what a file was changed.
#[derive(Clone, Debug)]
pub(super) struct Authority {
    /// The policy of the handle.
    pub(super) policy: ExecutionPolicy,
    /// The directories that were pinned for it; not known of a process that died.
    pub(super) roots: Option<Arc<Roots>>,
}

/// A change that was announced, as it is kept.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) target: Target,
    pub(super) authority: Authority,
    pub(super) previous: String,
    pub(super) intended: String,
    /// The text that was there; left out where an earlier step has what is restored.
    pub(super) old: Option<Arc<str>>,
}

/// A file that a transaction changed, or was about to change.
#[derive(Clone, Debug)]
pub struct Touched {
    pub(super) target: Target,
    pub(super) authority: Authority,
    /// The text before the first step.
    pub(super) old: Arc<str>,
    /// Its version.
    pub(super) base: String,
    /// What the last step left that is known to have been made.
    pub(super) published: Option<String>,
    /// What the step would leave of which nothing more is known.
    pub(super) pending: Option<String>,
}

/// Why a step cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// The file does not hold what the transaction left in it.
    ChangedBetween,
    /// The text to restore is missing.
    TextMissing,
}

impl Touched {
    /// The file.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The text that it had before the transaction, as its bytes are.
    #[must_use]
    pub fn old_text(&self) -> &str {
        &self.old
    }

    /// Whether the transaction may have left a file of this version.
    pub(super) fn left(&self, version: &str) -> bool {
        let is = |known: &Option<String>| known.as_deref() == Some(version);
        is(&self.published) || is(&self.pending)
    }

    fn follow(&mut self, step: Step) -> Result<(), Misfit> {
        let before = self.published.as_ref().unwrap_or(&self.base);
        if self.pending.as_ref() == Some(&step.previous) {
            self.published = self.pending.take();
        } else if *before != step.previous {
            if self.published.is_some() {
                return Err(Misfit::ChangedBetween);
            }
            // The announced step was never made, and the file is another by now.
            self.old = step.old.ok_or(Misfit::TextMissing)?;
            self.base = step.previous;
        }
        self.pending = Some(step.intended);
        self.authority = step.authority;
        Ok(())
    }
}

/// The files of a transaction, in the order of their first step.
#[derive(Debug, Default)]
pub(super) struct Steps(Vec<Touched>);

impl Steps {
    /// Whether the text before this step must be kept to restore the file.
    pub(super) fn needs_text(&self, step: &Step) -> bool {
        match self.find(&step.target.key) {
            None => true,
            Some(touched) => {
                let known = [
                    Some(&touched.base),
                    touched.published.as_ref(),
                    touched.pending.as_ref(),
                ];
                !known.contains(&Some(&step.previous))
            }
        }
    }

    /// Whether exactly this step is the last that was announced for its file.
    pub(super) fn is_announced(&self, step: &Step) -> bool {
        self.find(&step.target.key).is_some_and(|touched| {
            let before = touched.published.as_ref().unwrap_or(&touched.base);
            *before == step.previous && touched.pending.as_ref() == Some(&step.intended)
        })
    }

    /// Takes a step in.
    pub(super) fn take(&mut self, step: Step) -> Result<(), Misfit> {
        if let Some(touched) = self.find_mut(&step.target.key) {
            return touched.follow(step);
        }
        self.0.push(Touched {
            target: step.target,
            authority: step.authority,
            old: step.old.ok_or(Misfit::TextMissing)?,
            base: step.previous,
            published: None,
            pending: Some(step.intended),
        });
        Ok(())
    }

    /// The announced step of this file was made; `false` where it was not announced.
    pub(super) fn published(&mut self, key: &str, version: &str) -> bool {
        let found = self
            .find_mut(key)
            .filter(|touched| touched.pending.as_deref() == Some(version));
        match found {
            Some(touched) => {
                touched.published = touched.pending.take();
                true
            }
            None => false,
        }
    }

    /// The announced step of this file was not made.
    pub(super) fn withdrawn(&mut self, key: &str) {
        if let Some(touched) = self.find_mut(key) {
            touched.pending = None;
        }
    }

    /// What becomes of this file is decided.
    pub(super) fn decided(&mut self, key: &str) {
        self.0.retain(|touched| touched.target.key != key);
    }

    /// What may have been changed, the last first.
    pub(super) fn touched(&self) -> Vec<Touched> {
        let changed = |touched: &&Touched| touched.published.is_some() || touched.pending.is_some();
        self.0.iter().rev().filter(changed).cloned().collect()
    }

    /// How many bytes of old text are kept.
    pub(super) fn text_bytes(&self) -> usize {
        self.0.iter().map(|touched| touched.old.len()).sum()
    }

    fn find(&self, key: &str) -> Option<&Touched> {
        self.0.iter().find(|touched| touched.target.key == key)
    }

    fn find_mut(&mut self, key: &str) -> Option<&mut Touched> {
        self.0.iter_mut().find(|touched| touched.target.key == key)
    }
}
