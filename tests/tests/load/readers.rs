//! Sessions that read a file never keep another from editing it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::actor::Actor;
use super::ground::{Ground, counter_line, name};
use super::{STACK, THREADS, alone};

const EDITS: i64 = 50;

/// Every edit is made at the first attempt, with the grade that it has without readers.
/// Fails where a read opens the file in a way that is in the way of a lease: with `RDWR` in
/// the place of `RDONLY` in `open_patiently` of `host/fs`.
#[test]
fn sessions_that_read_a_file_keep_nobody_from_editing_it() {
    let _alone = alone();
    let ground = Ground::new();
    let actors: Vec<Actor> = (0..THREADS)
        .map(|number| Actor::session(&ground, number))
        .collect();
    edited(&actors);
}

/// The same through agents, all of whose threads read beside the edits of one of them too.
#[test]
fn agents_that_read_a_file_keep_nobody_from_editing_it() {
    let _alone = alone();
    let ground = Ground::new();
    let harness = ground.harness();
    let actors = (0..THREADS).map(|number| Actor::agent(&harness, &format!("s{number}")));
    edited(&actors.collect::<Vec<_>>());
}

fn edited(actors: &[Actor]) {
    let (editor, readers) = actors.split_first().expect("sessions");
    let done = AtomicBool::new(false);
    let reads = AtomicU64::new(0);
    let alone = edit(editor, 0);
    thread::scope(|scope| {
        for reader in readers {
            let work = || {
                while !done.load(Ordering::Relaxed) {
                    let answer = reader.call("read", &json!({"file_path": name(0)}));
                    assert!(answer.ok, "{}", answer.text);
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            };
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).expect("a thread");
        }
        let _ends = Ends(&done);
        for now in 1..EDITS {
            let beside = edit(editor, now);
            assert_eq!(beside["grade"], alone["grade"], "{beside}");
        }
    });
    let reads = reads.into_inner();
    println!("{EDITS} edits beside {reads} reads");
    assert!(reads > 0, "nobody read");
}

/// Raises the flag also where the edits fail, so that the readers end.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn edit(editor: &Actor, now: i64) -> Value {
    let path = name(0);
    if now == 0 {
        let answer = editor.call("read", &json!({"file_path": path}));
        assert!(answer.ok, "{}", answer.text);
    }
    let (old, new) = (counter_line(now), counter_line(now + 1));
    let args = json!({"file_path": path, "old_string": old, "new_string": new});
    let answer = editor.call("edit", &args);
    assert!(answer.ok, "edit {now}: {}", answer.text);
    answer.value.expect("the facts of a change")
}
