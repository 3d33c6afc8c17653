//! The session itself: what it knows, and how much of that is saved.

use dsh_fs_runtime::{CallError, Session};

use crate::durable::Durable;

/// What is appended before all is saved anew: so many bytes, and twice what that takes.
const APPENDED: usize = 256 * 1024;

/// The session in which changes are made.
pub(crate) struct Main {
    pub(crate) session: Session,
    /// The generation of the database that is known here.
    generation: u64,
    saved: Saved,
    /// Whether the gate puts what was observed last at the end, so that the end is enough.
    newest_last: bool,
}

/// What of the memory is saved: its end, for comparison.
#[derive(Default)]
struct Saved {
    /// The page that the end begins with.
    first: u32,
    /// The pages from there on.
    end: Vec<String>,
    changes: String,
    /// The bytes of the last whole snapshot, and of what was appended since.
    whole: usize,
    appended: usize,
}

impl Main {
    pub(crate) fn new(session: Session, newest_last: bool) -> Self {
        Self {
            session,
            // Of no session: all is read at first.
            generation: u64::MAX,
            saved: Saved::default(),
            newest_last,
        }
    }

    /// Takes in what others saved: other processes, and readers beside this session. The
    /// caller has the right to change the session.
    pub(crate) fn catch_up(&mut self, durable: &Durable) -> Result<(), CallError> {
        let since = durable.since(self.generation)?;
        if since.generation == self.generation {
            return Ok(());
        }
        self.session.restore(&since.pages)?;
        match since.changes.as_deref() {
            // A session that was never saved has none.
            None | Some("") => {}
            Some(changes) => self.session.restore_changes(changes)?,
        }
        self.generation = since.generation;
        let bytes = bytes_of(&since.pages);
        if since.whole {
            self.saved.whole = bytes;
            self.saved.appended = 0;
        } else {
            self.saved.appended += bytes;
        }
        self.remember_end()
    }

    /// Saves what is known now, where it is more than what was saved.
    pub(crate) fn save(&mut self, durable: &Durable) -> Result<(), CallError> {
        let end = self.end()?;
        let changes = self.session.changes()?;
        let fresh = fresh(&self.saved.end, &end);
        let changed = changes != self.saved.changes;
        if fresh.is_empty() && !changed {
            return Ok(());
        }
        let bytes = bytes_of(&fresh);
        if self.saved.appended + bytes > APPENDED.max(2 * self.saved.whole)
            && self.save_whole(durable, &changes)?
        {
            return Ok(());
        }
        let generation = durable.append(&fresh, changed.then_some(changes.as_str()))?;
        if generation == self.generation.wrapping_add(1) {
            // Nobody else saved meanwhile: there is nothing to catch up with.
            self.generation = generation;
        }
        self.saved.appended += bytes;
        self.settle(end, changes);
        Ok(())
    }

    /// Whether all was saved anew; not where somebody else saved meanwhile.
    fn save_whole(&mut self, durable: &Durable, changes: &str) -> Result<bool, CallError> {
        let pages = self.session.snapshot()?;
        let Some(generation) = durable.replace(self.generation, &pages, changes)? else {
            return Ok(false);
        };
        self.generation = generation;
        self.saved.whole = bytes_of(&pages);
        self.saved.appended = 0;
        self.saved.first = 0;
        self.settle(pages, changes.to_owned());
        Ok(true)
    }

    fn remember_end(&mut self) -> Result<(), CallError> {
        let end = self.end()?;
        let changes = self.session.changes()?;
        self.settle(end, changes);
        Ok(())
    }

    /// The pages from the remembered one on; all of them where there are fewer by now.
    fn end(&mut self) -> Result<Vec<String>, CallError> {
        let end = self.session.snapshot_from(self.saved.first)?;
        if end.is_empty() && self.saved.first > 0 {
            self.saved = Saved::default();
            return self.session.snapshot();
        }
        Ok(end)
    }

    /// Keeps the last page of the end: what a later call observes lies in it or behind it.
    fn settle(&mut self, mut end: Vec<String>, changes: String) {
        self.saved.changes = changes;
        if self.newest_last && end.len() > 1 {
            let passed = end.len() - 1;
            end.drain(..passed);
            self.saved.first += u32::try_from(passed).unwrap_or(u32::MAX);
        }
        self.saved.end = end;
    }
}

/// The pages that are not as they were saved.
fn fresh(saved: &[String], now: &[String]) -> Vec<String> {
    let known = |place: usize, page: &String| saved.get(place) == Some(page);
    let pages = now.iter().enumerate();
    pages
        .filter(|(place, page)| !known(*place, page))
        .map(|(_, page)| page.clone())
        .collect()
}

fn bytes_of(pages: &[String]) -> usize {
    pages.iter().map(String::len).sum()
}
