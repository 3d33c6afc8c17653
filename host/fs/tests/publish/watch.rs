//! Watchers: fail the n-th system call, stop the world there, or act at that moment.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dsh_fs::local::{Call, Watch};
use rustix::io::Errno;

/// What to do at which call. Calls are counted from 1; nothing happens before `start`.
#[derive(Default)]
pub(crate) struct Script {
    count: AtomicUsize,
    log: Mutex<Vec<Call>>,
    rule: Mutex<Option<Rule>>,
}

type Action = Box<dyn FnMut(Call) -> Result<(), Errno> + Send>;

enum Rule {
    /// This call and all later ones fail: the process is dead.
    Dead(usize),
    /// Asked at each call.
    Ask(Action),
}

impl Script {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Forgets what was counted, and begins.
    pub(crate) fn die_at(&self, number: usize) {
        self.start(Rule::Dead(number));
    }

    pub(crate) fn ask(&self, action: impl FnMut(Call) -> Result<(), Errno> + Send + 'static) {
        self.start(Rule::Ask(Box::new(action)));
    }

    /// Acts once, at the first call of this kind.
    pub(crate) fn at(&self, call: Call, action: impl FnOnce() + Send + 'static) {
        let mut action = Some(action);
        self.ask(move |now| {
            if now == call
                && let Some(action) = action.take()
            {
                action();
            }
            Ok(())
        });
    }

    /// The kinds of call in this list do not exist here.
    pub(crate) fn without(&self, missing: &'static [(Call, Errno)]) {
        self.ask(move |now| {
            let found = missing.iter().find(|(call, _)| *call == now);
            found.map_or(Ok(()), |(_, errno)| Err(*errno))
        });
    }

    pub(crate) fn log(&self) -> Vec<Call> {
        self.log.lock().expect("no panic").clone()
    }

    pub(crate) fn forget(&self) {
        self.count.store(0, Ordering::SeqCst);
        self.log.lock().expect("no panic").clear();
    }

    fn start(&self, rule: Rule) {
        self.forget();
        *self.rule.lock().expect("no panic") = Some(rule);
    }
}

impl Watch for Script {
    fn before(&self, call: Call) -> Result<(), Errno> {
        let number = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        self.log.lock().expect("no panic").push(call);
        match self.rule.lock().expect("no panic").as_mut() {
            Some(Rule::Dead(from)) if number >= *from => Err(Errno::IO),
            Some(Rule::Ask(action)) => action(call),
            _ => Ok(()),
        }
    }
}
