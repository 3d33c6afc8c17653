//! The ways of calls through one session.
//!
//! Changes go one after the other through the session itself. Reads and lists do as well
//! while it is free; otherwise they go beside it, through a reader with an empty memory,
//! and what they saw is handed on to the session. Nothing depends on that for safety: a
//! version that was overtaken makes the next change stale, and never lost.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::roots::Roots;
use dsh_fs::types::Mode;
use dsh_fs_runtime::{Answer, CallError, FailureCode, ModeSource, Session};
use serde_json::Value;

use crate::durable::Durable;
use crate::lane::{Lane, Turn};
use crate::main_lane::Main;
use crate::touched::Touched;
use crate::wording;

/// A tool call.
pub(crate) struct Call<'a> {
    pub(crate) tool: &'a str,
    pub(crate) args: &'a Value,
    pub(crate) cancel: &'a Cancel,
}

/// The ways of calls through one session.
pub(crate) struct Lanes {
    main: Lane<Main>,
    /// The session once more: nobody calls it, readers are made from it.
    model: Mutex<Session>,
    mode: Mutex<Mode>,
    touched: Mutex<Touched>,
    /// What readers saw and the session has not taken in, where there is no database.
    seen: Mutex<Vec<String>>,
    durable: Option<Durable>,
}

impl Lanes {
    /// The ways through this session, which has seen nothing so far.
    pub(crate) fn new(
        session: Session,
        durable: Option<Durable>,
        newest_last: bool,
    ) -> Result<Self, CallError> {
        let lanes = Self {
            model: Mutex::new(session.reader()?),
            mode: Mutex::new(session.mode()),
            main: Lane::new(Main::new(session, newest_last)),
            touched: Mutex::default(),
            seen: Mutex::default(),
            durable,
        };
        let mut main = lanes.main.try_enter().expect("nobody else knows of it");
        lanes.catch_up(&mut main)?;
        drop(main);
        Ok(lanes)
    }

    /// The mode of now, as this process knows it.
    pub(crate) fn mode(&self) -> Mode {
        *lock(&self.mode)
    }

    /// A reader: for questions that nobody should have to wait for.
    pub(crate) fn reader(&self) -> Result<Session, CallError> {
        lock(&self.model).reader()
    }

    /// Runs a tool that changes something.
    pub(crate) fn change(&self, call: &Call<'_>) -> Answer {
        let changed = self.main.enter(call.cancel).ok_or_else(withdrawn);
        let changed = changed.and_then(|mut main| {
            let held = match &self.durable {
                Some(durable) => Some(durable.lock(call.cancel)?.ok_or_else(withdrawn)?),
                None => None,
            };
            self.catch_up(&mut main)?;
            let answer = main.session.call_under(call.cancel, call.tool, call.args);
            let mut touched = lock(&self.touched);
            touched.record(&answer);
            let answer = self.saved(&mut main, answer);
            drop((touched, held));
            Ok(answer)
        });
        changed.unwrap_or_else(Answer::from)
    }

    /// Runs a tool that changes nothing.
    pub(crate) fn look(&self, call: &Call<'_>) -> Answer {
        let looked = match self.main.try_enter() {
            Some(main) => self.look_in_turn(main, call),
            None => self.look_beside(call),
        };
        looked.unwrap_or_else(Answer::from)
    }

    /// The session is free in this process; where another one has it, the call goes beside.
    fn look_in_turn(&self, mut main: Turn<'_, Main>, call: &Call<'_>) -> Result<Answer, CallError> {
        let held = match &self.durable {
            None => None,
            Some(durable) => match durable.try_lock()? {
                Some(held) => Some(held),
                None => {
                    drop(main);
                    return self.look_beside(call);
                }
            },
        };
        self.catch_up(&mut main)?;
        let answer = main.session.call_under(call.cancel, call.tool, call.args);
        let answer = self.saved(&mut main, answer);
        drop(held);
        Ok(answer)
    }

    fn look_beside(&self, call: &Call<'_>) -> Result<Answer, CallError> {
        let since = lock(&self.touched).now();
        let mut reader = self.reader()?;
        let answer = reader.call_under(call.cancel, call.tool, call.args);
        let Ok(pages) = reader.snapshot() else {
            // The reader broke, and its answer says so: it has seen nothing.
            return Ok(answer);
        };
        // Held until it is handed on, so that a change comes before or after it.
        let touched = lock(&self.touched);
        if pages.is_empty() || touched.overtook(since, &answer) {
            return Ok(answer);
        }
        let Some(durable) = &self.durable else {
            lock(&self.seen).extend(pages);
            return Ok(answer);
        };
        Ok(match durable.append(&pages, None) {
            Ok(_) => answer,
            Err(error) => unsaved(answer, &error),
        })
    }

    /// Gives the session a mode: the decision of a person. It waits for the call that runs.
    pub(crate) fn set_mode(&self, mode: Mode) -> Result<(), CallError> {
        let never = Cancel::new();
        let mut main = self.main.enter(&never).ok_or_else(withdrawn)?;
        if let Some(durable) = &self.durable {
            durable.set_mode(mode)?;
        }
        self.adopt(&mut main, mode, ModeSource::User)
    }

    /// Holds the session to these directories, and what stands beside it.
    pub(crate) fn narrow_to(&self, directories: Option<&[PathBuf]>) {
        let never = Cancel::new();
        let mut main = self.main.enter(&never).expect("it is never withdrawn");
        main.session.narrow_to(directories);
        lock(&self.model).narrow_to(directories);
    }

    /// The roots of a mode, as the fence of this session has them.
    pub(crate) fn roots(&self, mode: Mode) -> Arc<Roots> {
        lock(&self.model).roots_of(mode)
    }

    /// Takes in what was seen beside the session, and the mode that it was given elsewhere.
    fn catch_up(&self, main: &mut Main) -> Result<(), CallError> {
        let Some(durable) = &self.durable else {
            let seen = std::mem::take(&mut *lock(&self.seen));
            return main.session.restore(&seen);
        };
        main.catch_up(durable)?;
        match durable.mode()? {
            Some((mode, source)) if mode != main.session.mode() => self.adopt(main, mode, source),
            _ => Ok(()),
        }
    }

    fn adopt(&self, main: &mut Main, mode: Mode, source: ModeSource) -> Result<(), CallError> {
        main.session.set_mode(mode, source)?;
        *lock(&self.model) = main.session.reader()?;
        *lock(&self.mode) = main.session.mode();
        Ok(())
    }

    /// The answer, once what the session knows is saved. A change that was made stays made:
    /// where saving fails, the answer says that too.
    fn saved(&self, main: &mut Main, answer: Answer) -> Answer {
        let Some(durable) = &self.durable else {
            return answer;
        };
        if answer.code == Some("COMPONENT_TRAPPED") {
            return answer;
        }
        match main.save(durable) {
            Ok(()) => answer,
            Err(error) => unsaved(answer, &error),
        }
    }
}

fn unsaved(answer: Answer, error: &CallError) -> Answer {
    Answer {
        text: format!("{}\n{}", answer.text, wording::not_saved(&error.message)),
        ..answer
    }
}

fn withdrawn() -> CallError {
    let message = wording::withdrawn_waiting();
    CallError {
        code: FailureCode::File(Code::Aborted),
        text: format!("Error: {message}"),
        message,
        path: None,
        detail: None,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
