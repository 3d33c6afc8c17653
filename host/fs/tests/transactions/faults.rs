//! Each system call fails once, with each error that it might meet.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;

use dsh_fs::local::Call;
use rustix::io::Errno;

use crate::ground::{Ground, NEW, OLD, Party};
use crate::watch::Script;

const ERRNOS: [Errno; 3] = [Errno::NOSPC, Errno::ACCESS, Errno::INTR];

/// How many calls there are when none fails.
fn calls(fails: bool) -> usize {
    let (ground, script) = (Ground::quick(), Script::new());
    let done = Party::at(ground.path(), Some(script.clone())).change_all(fails);
    assert_eq!(done.is_err(), fails);
    script.log().len()
}

/// One run in which this call fails: all of it, or nothing, at once or (where the way back
/// was barred) at the next start.
fn run(fails: bool, number: usize, errno: Errno) -> bool {
    let (ground, script) = (Ground::quick(), Script::new());
    let party = Party::at(ground.path(), Some(Arc::clone(&script) as _));
    let mut count = 0;
    script.ask(move |_| {
        count += 1;
        if count == number {
            return Err(errno);
        }
        Ok(())
    });
    let what = format!("call {number} fails with {errno:?}, {fails}");
    let done = party.change_all(fails);
    drop(party);
    let waits = match &done {
        Ok(()) => {
            assert!(ground.holds(NEW) && !fails, "{what}");
            false
        }
        Err(failed) => {
            let (error, back) = failed.as_ref();
            assert!(!error.message.contains("journals/"), "{what}: {error}");
            assert_eq!(back.left, [], "{what}");
            assert_eq!(back.is_complete(), ground.holds(OLD), "{what}: {back:?}");
            !back.is_complete()
        }
    };
    assert!(!(waits && errno == Errno::INTR), "{what}: it is repeated");
    ground.party().recover();
    assert!(ground.holds(if done.is_ok() { NEW } else { OLD }), "{what}");
    ground.is_clean(&what);
    waits
}

/// Fails when a broken line stays in a journal, or when `can_wait` has no way for what
/// failed for a moment.
#[test]
fn every_call_fails_once() {
    let mut waited = 0;
    for fails in [false, true] {
        for number in 1..=calls(fails) {
            for errno in ERRNOS {
                waited += usize::from(run(fails, number, errno));
            }
        }
    }
    assert!(waited > 10, "{waited}: the way back was barred, too");
}

/// Nothing more is written after the journal cannot be.
#[test]
fn a_full_disk_stops_the_change_before_it_is_made() {
    let (ground, script) = (Ground::new(), Script::new());
    let party = Party::at(ground.path(), Some(Arc::clone(&script) as _));
    let transaction = party.begin().expect("begun");
    script.without(&[(Call::Write, Errno::NOSPC)]);
    let error = party
        .edit(&transaction, ("b", "one", "2"))
        .expect_err("full");
    assert!(error.message.contains("could not be journaled"), "{error}");
    assert!(transaction.touched().is_empty());
    assert!(ground.holds(OLD));
}

/// Half a line gets into the journal before the disk is full; the caller goes on with
/// another file, and dies. Fails when `append` does not cut the half line off.
#[test]
fn half_a_line_does_not_spoil_the_journal() {
    let (ground, script) = (Ground::new(), Script::new());
    let party = Party::at(ground.path(), Some(Arc::clone(&script) as _));
    let transaction = party.begin().expect("begun");
    party.edit(&transaction, ("b", "one", "2")).expect("edited");
    let name = ground.journals().pop().expect("a journal");
    let path = ground.path().join("journals").join(name);
    let mut full = false;
    script.ask(move |call| {
        if call != Call::Write || std::mem::replace(&mut full, true) {
            return Ok(());
        }
        let journal = OpenOptions::new().append(true).open(&path);
        journal.expect("there").write_all(b"half").expect("written");
        Err(Errno::NOSPC)
    });
    party
        .edit(&transaction, ("a", "one", "2"))
        .expect_err("full");
    party
        .edit(&transaction, ("sub/c", "one", "2"))
        .expect("edited");
    drop(transaction);
    drop(party);
    let recovered = ground.party().recover();
    assert!(ground.holds(OLD), "{recovered:?}");
    ground.is_clean("half a line");
}
