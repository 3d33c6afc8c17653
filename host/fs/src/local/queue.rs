//! Mutations of one target run one at a time, in the order in which they arrived.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cancel::Cancel;

/// How long a waiting caller takes at most to see that it was cancelled.
const GLANCE: Duration = Duration::from_millis(5);

/// The callers that wait, a line for each key. A key that nobody uses takes no memory.
#[derive(Debug)]
pub(crate) struct Queue<K> {
    lines: Mutex<HashMap<K, Line>>,
}

#[derive(Debug, Default)]
struct Line {
    tickets: VecDeque<u64>,
    next: u64,
    moved: Arc<Condvar>,
}

/// The right to work on one key, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a, K: Eq + Hash> {
    queue: &'a Queue<K>,
    key: K,
    ticket: u64,
}

/// The caller was cancelled while it waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cancelled;

impl<K: Eq + Hash + Clone> Queue<K> {
    /// Nobody waits.
    pub(crate) fn new() -> Self {
        Self {
            lines: Mutex::new(HashMap::new()),
        }
    }

    /// Waits for the turn of this caller. A caller that need not wait is let through even
    /// when it is cancelled: what it finds may be worth more than its cancellation.
    pub(crate) fn enter(&self, key: K, cancel: &Cancel) -> Result<Turn<'_, K>, Cancelled> {
        let mut lines = self.lock();
        let line = lines.entry(key.clone()).or_default();
        let ticket = line.next;
        line.next += 1;
        line.tickets.push_back(ticket);
        let moved = Arc::clone(&line.moved);
        // From here on, dropping the turn leaves the line.
        let turn = Turn {
            queue: self,
            key,
            ticket,
        };
        while lines[&turn.key].tickets.front() != Some(&ticket) {
            if cancel.is_cancelled() {
                drop(lines);
                return Err(Cancelled);
            }
            lines = moved
                .wait_timeout(lines, GLANCE)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        drop(lines);
        Ok(turn)
    }

    /// How many keys are in use.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// The map is whole between any two statements, so a panic elsewhere cannot spoil it.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for Turn<'_, K> {
    fn drop(&mut self) {
        let lines = &self.queue.lines;
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = lines.get_mut(&self.key) else {
            return;
        };
        line.tickets.retain(|ticket| *ticket != self.ticket);
        if line.tickets.is_empty() {
            lines.remove(&self.key);
        } else {
            line.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::{Cancelled, Queue};
    use crate::cancel::Cancel;

    /// Fails when `enter` lets a caller through that is not at the front.
    #[test]
    fn callers_are_served_in_their_order() {
        let (queue, served) = (Queue::new(), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            let first = queue.enter("k", &Cancel::new()).expect("free");
            for number in 0..8 {
                while queue.lock()[&"k"].tickets.len() < number + 1 {
                    thread::yield_now();
                }
                let (queue, served) = (&queue, &served);
                scope.spawn(move || {
                    let _turn = queue.enter("k", &Cancel::new()).expect("not cancelled");
                    served.lock().expect("no panic").push(number);
                });
            }
            while queue.lock()[&"k"].tickets.len() < 9 {
                thread::yield_now();
            }
            drop(first);
        });
        assert_eq!(
            *served.lock().expect("no panic"),
            (0..8).collect::<Vec<_>>()
        );
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn waiting_can_be_cancelled_and_leaves_nothing() {
        let (queue, cancel) = (Queue::new(), Cancel::new());
        cancel.cancel();
        let first = queue.enter("k", &cancel).expect("need not wait");
        assert_eq!(queue.enter("k", &cancel).map(drop), Err(Cancelled));
        drop(first);
        assert_eq!(queue.len(), 0);
        drop(queue.enter("k", &Cancel::new()).expect("free again"));
    }
}
