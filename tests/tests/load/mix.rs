//! Mixed calls: read, edit, write, list, undo.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::thread;

use dsh_fs_runtime::Answer;
use serde_json::{Value, json};

use super::account::Account;
use super::actor::{Actor, Known};
use super::chance::Chance;
use super::ground::{FILES, content, counter_line, directory, name, number};
use super::watch::{Watch, Watched};
use super::{STACK, THREADS};

/// Every other change is made to one of the first files, so that sessions meet.
const HOT: usize = 20;

/// Nobody changes the last files: they are read beside changes of the same session.
const QUIET: usize = 50;

/// The answers that a change may get beside success: somebody was faster, or (an undo)
/// there is nothing to take back.
const LOST_RACES: [(&str, &str); 5] = [
    ("edit", "FS_STALE_VERSION"),
    ("edit", "FS_EDIT_NOT_FOUND"),
    ("write", "FS_STALE_VERSION"),
    ("undo", "FS_STALE_VERSION"),
    ("undo", "INVALID_ARGUMENTS"),
];

/// Sessions under load, and what became of their calls.
pub(crate) struct Load {
    actors: Vec<Actor>,
    pub(crate) account: Account,
    watch: Watch,
    answers: Mutex<BTreeMap<(String, String), u64>>,
    unexpected: Mutex<Vec<String>>,
}

impl Load {
    pub(crate) fn new(actors: Vec<Actor>, calls: u64) -> Self {
        Self {
            actors,
            account: Account::new(),
            watch: Watch::over(calls),
            answers: Mutex::default(),
            unexpected: Mutex::default(),
        }
    }

    /// Makes the calls.
    pub(crate) fn run(&self) -> Watched {
        thread::scope(|scope| {
            let watching = scope.spawn(|| self.watch.until_done());
            let workers: Vec<_> = (0..THREADS)
                .map(|worker| {
                    let named = thread::Builder::new().stack_size(STACK);
                    named.spawn_scoped(scope, move || self.work(worker))
                })
                .collect();
            for worker in workers {
                let ended = worker.expect("a thread").join();
                ended.unwrap_or_else(|panic| {
                    self.watch.stop();
                    std::panic::resume_unwind(panic)
                });
            }
            self.watch.stop();
            watching.join().expect("the watch does not panic")
        })
    }

    fn work(&self, worker: usize) {
        let mut chance = Chance::new(worker as u64 + 1);
        while !self.watch.enough() {
            let actor = &self.actors[chance.below(self.actors.len())];
            if actor.is_agent() && chance.below(4) == 0 {
                self.look_beside(worker, actor, &mut chance);
            } else if let Some(mut known) = actor.try_turn() {
                self.turn(worker, actor, &mut known, &mut chance);
            }
        }
    }

    /// One turn of a session: most are one call, some a read and a change.
    fn turn(&self, worker: usize, actor: &Actor, known: &mut Known, chance: &mut Chance) {
        let hot = chance.below(2) == 0;
        let file = chance.below(if hot { HOT } else { FILES - QUIET });
        match chance.below(100) {
            0..35 => self.read(worker, actor, known, file),
            35..65 => self.increment(worker, actor, known, file, true),
            65..80 => self.increment(worker, actor, known, file, actor.is_shared),
            80..90 => self.list(worker, actor, file),
            _ => self.undo(worker, actor, known),
        }
    }

    /// A call that needs no turn: the session may be changing something else.
    fn look_beside(&self, worker: usize, actor: &Actor, chance: &mut Chance) {
        let file = FILES - 1 - chance.below(QUIET);
        if chance.below(2) == 0 {
            return self.list(worker, actor, file);
        }
        let mut nothing = vec![None; FILES];
        self.read(worker, actor, &mut nothing, file);
        if nothing[file] != Some(0) {
            self.report(format!(
                "{} read {:?} of a quiet file",
                actor.name, nothing[file]
            ));
        }
    }

    fn read(&self, worker: usize, actor: &Actor, known: &mut Known, file: usize) {
        let answer = self.call(worker, actor, "read", &json!({"file_path": name(file)}));
        known[file] = answer.value.as_ref().map(shown_counter);
    }

    fn list(&self, worker: usize, actor: &Actor, file: usize) {
        let args = json!({"file_path": directory(file)});
        self.call(worker, actor, "list", &args);
    }

    /// Puts the next number in the place of the one that the session knows.
    fn increment(
        &self,
        worker: usize,
        actor: &Actor,
        known: &mut Known,
        file: usize,
        by_edit: bool,
    ) {
        if known[file].is_none() {
            self.read(worker, actor, known, file);
        }
        let Some(now) = known[file].take() else {
            return;
        };
        let path = name(file);
        let (tool, args) = if by_edit {
            let (old, new) = (counter_line(now), counter_line(now + 1));
            let args = json!({"file_path": path, "old_string": old, "new_string": new});
            ("edit", args)
        } else {
            (
                "write",
                json!({"file_path": path, "content": content(now + 1)}),
            )
        };
        if self.call(worker, actor, tool, &args).ok {
            self.account.add(file, 1);
            known[file] = Some(now + 1);
        }
    }

    /// Takes the last change of the session back. It is an increment.
    fn undo(&self, worker: usize, actor: &Actor, known: &mut Known) {
        let answer = self.call(worker, actor, "undo", &json!({}));
        if let Some(value) = answer.value {
            let file = number(value["path"].as_str().expect("a path"));
            self.account.add(file, -1);
            known[file] = None;
        }
    }

    fn call(&self, worker: usize, actor: &Actor, tool: &str, args: &Value) -> Answer {
        self.watch
            .begins(worker, format!("{} {tool} {args}", actor.name));
        let answer = actor.call(tool, args);
        self.watch.ended(worker);
        let code = answer.code.unwrap_or("ok");
        let mut answers = self.answers.lock().expect("nothing panics in here");
        *answers
            .entry((tool.to_owned(), code.to_owned()))
            .or_default() += 1;
        drop(answers);
        let lost_race = LOST_RACES.contains(&(tool, code));
        let unsaved = answer.text.contains("not saved");
        if !(answer.ok || lost_race) || unsaved {
            self.report(format!(
                "{} {tool} {args}: {code}: {}",
                actor.name, answer.text
            ));
        }
        answer
    }

    fn report(&self, what: String) {
        self.unexpected
            .lock()
            .expect("nothing panics in here")
            .push(what);
    }

    /// Whether every answer was one that may come, and each kind of call succeeded.
    pub(crate) fn check_answers(&self) {
        let unexpected = self.unexpected.lock().expect("nothing panics in here");
        let some: Vec<&String> = unexpected.iter().take(10).collect();
        assert!(some.is_empty(), "{} such as {some:#?}", unexpected.len());
        let answers = self.answers.lock().expect("nothing panics in here");
        for tool in ["read", "edit", "write", "list", "undo"] {
            let succeeded = answers.get(&(tool.to_owned(), "ok".to_owned()));
            assert!(succeeded.is_some(), "no {tool} succeeded: {answers:?}");
        }
    }

    /// The answers by tool and code.
    pub(crate) fn told(&self) -> String {
        let mut told = String::new();
        for ((tool, code), count) in &*self.answers.lock().expect("nothing panics in here") {
            write!(told, "{tool} {code}: {count}; ").expect("a string");
        }
        told
    }
}

/// The counter in the lines of a read.
fn shown_counter(value: &Value) -> i64 {
    let lines = value["lines"].as_array().expect("lines");
    let text: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["text"].as_str())
        .collect();
    super::ground::counter(&text.join("\n"))
}
