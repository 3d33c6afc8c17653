//! What a session remembers of files: the ledger of the gate, and which lines of partly
//! read files were seen. A session without an id is nobody's and remembers nothing.

use std::cell::RefCell;

use crate::bindings::dsh::fs::observation::{self, Fill, Ledger};
use crate::bindings::dsh::fs::types::{
    EditGuard, Error, Mutation, Prior, Seed, Target, TextWindow, WriteGuard,
};
use crate::seen::{PartlySeen, SeenLines};

/// The memory of one session.
pub(crate) struct Memory {
    owned: Option<Owned>,
}

struct Owned {
    ledger: Ledger,
    lines: RefCell<SeenLines>,
}

impl Memory {
    /// A memory in which nothing has been seen.
    pub(crate) fn new(owner: Option<&str>, seed: Seed, capacity: u32) -> Self {
        let owned = owner.map(|_| Owned {
            ledger: Ledger::new(seed, capacity),
            lines: RefCell::default(),
        });
        Self { owned }
    }

    /// An independent copy; nothing where there is nothing to copy.
    pub(crate) fn fork(&self) -> Option<Self> {
        let Owned { ledger, lines } = self.owned.as_ref()?;
        let owned = Owned {
            ledger: ledger.fork(),
            lines: lines.clone(),
        };
        Some(Self { owned: Some(owned) })
    }

    /// What a write of this target must demand.
    pub(crate) fn write_intent(&self, target: &Target) -> WriteGuard {
        match &self.owned {
            Some(owned) => owned.ledger.write_intent(&target.key),
            None => observation::decide_write(&Prior::Unseen),
        }
    }

    /// What an edit of this target must demand.
    pub(crate) fn edit_intent(&self, target: &Target) -> Result<EditGuard, Error> {
        match &self.owned {
            Some(owned) => owned.ledger.edit_intent(target),
            None => observation::decide_edit(target, &Prior::Unseen),
        }
    }

    /// Records a read, also one that showed no line.
    pub(crate) fn read(&self, key: &str, window: &TextWindow) {
        let Some(owned) = &self.owned else { return };
        owned.observe(key, &window.version);
        owned.lines.borrow_mut().read(key, window);
    }

    /// Records that nothing was there.
    pub(crate) fn absent(&self, key: &str) {
        if let Some(owned) = &self.owned {
            owned.ledger.observe(key, &Prior::Absent);
        }
    }

    /// Records an edit.
    pub(crate) fn edited(&self, mutation: &Mutation) {
        let Some(owned) = &self.owned else { return };
        let (key, version) = (&mutation.target.key, &mutation.version);
        owned.observe(key, version);
        owned.lines.borrow_mut().edited(key, version);
    }

    /// Records a whole new content. Answers what had been read of the old one, if only
    /// a part of it.
    pub(crate) fn replaced(&self, mutation: &Mutation) -> Option<PartlySeen> {
        let owned = self.owned.as_ref()?;
        let key = &mutation.target.key;
        owned.observe(key, &mutation.version);
        owned.lines.borrow_mut().take(key)
    }

    /// How full the ledger is, once it has forgotten something.
    pub(crate) fn overflow(&self) -> Option<Fill> {
        let fill = self.owned.as_ref()?.ledger.fill();
        (fill.forgotten > 0).then_some(fill)
    }

    /// One page of what was seen.
    pub(crate) fn snapshot(&self, page: u32) -> Option<String> {
        self.owned.as_ref()?.ledger.snapshot(page)
    }

    /// Takes one page of a snapshot in.
    pub(crate) fn restore(&self, page: &str) -> Result<(), String> {
        match &self.owned {
            Some(owned) => owned.ledger.restore(page),
            None => Err("a session without an id remembers nothing".to_owned()),
        }
    }
}

impl Owned {
    fn observe(&self, key: &str, version: &str) {
        self.ledger
            .observe(key, &Prior::Present(version.to_owned()));
    }
}
