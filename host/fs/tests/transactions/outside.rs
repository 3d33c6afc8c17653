//! Somebody else changes the files meanwhile: that is never dropped.

use std::fs;

use dsh_fs::error::Code;
use dsh_fs::transaction::RolledBack;

use crate::ground::{Ground, NEW, OLD};
use crate::processes::Waiting;

type Outsider = fn(&Ground);

/// What the outsider does to `b`, and what is said of it.
const DEEDS: [(&str, Outsider); 4] = [
    ("it was changed since", |ground| {
        ground.put("b", "2\nmine\n")
    }),
    ("it was changed since", |ground| ground.put("b", "\0")),
    ("it was removed since", |ground| {
        fs::remove_file(ground.file("b")).expect("removed");
    }),
    ("leads elsewhere", |ground| {
        fs::rename(ground.file("b"), ground.path().join("moved")).expect("moved");
        std::os::unix::fs::symlink(ground.path().join("moved"), ground.file("b")).expect("a link");
    }),
];

fn left_alone(ground: &Ground, back: &RolledBack, why: &str) {
    assert_eq!(ground.content("a"), OLD[0].1, "{why}");
    assert_eq!(ground.content("sub/c"), OLD[2].1, "{why}");
    assert_eq!((back.restored.len(), back.left.len()), (2, 1), "{back:?}");
    let left = &back.left[0];
    assert_eq!(left.code, Code::StaleVersion, "{left:?}");
    assert!(left.path.ends_with("/ws/b"), "{left:?}");
    assert!(left.reason.contains(why), "{left:?}");

    // What it held is kept for a person, and is nobody's business any more.
    let kept = back.kept.as_ref().expect("kept");
    let text = fs::read_to_string(kept).expect("readable");
    assert!(text.contains(r#""old":"one\n""#), "{text}");
    assert_eq!(ground.journals().len(), 1);
    let before = fs::read(ground.file("b")).ok();
    assert_eq!(ground.party().recover(), []);
    assert_eq!(fs::read(ground.file("b")).ok(), before);
}

/// Fails when `attempt` does not ask whether the transaction left that version.
#[test]
fn a_change_since_is_left_and_named() {
    for (why, deed) in DEEDS {
        let ground = Ground::new();
        let party = ground.party();
        let open = party
            .edit_all()
            .map_err(|(_, error)| error)
            .expect("edited");
        deed(&ground);
        let after = fs::read(ground.file("b")).ok();
        let back = open.roll_back(&party.files);
        assert_eq!(fs::read(ground.file("b")).ok(), after, "{why}");
        left_alone(&ground, &back, why);
    }
}

/// The same after a crash.
#[test]
fn a_change_since_the_crash_is_left_and_named() {
    for (why, deed) in DEEDS {
        let ground = Ground::new();
        Waiting::on(&ground).kill();
        deed(&ground);
        let after = fs::read(ground.file("b")).ok();
        let recovered = ground.party().recover();
        assert_eq!(recovered.len(), 1);
        assert_eq!(fs::read(ground.file("b")).ok(), after, "{why}");
        let text = recovered[0].text();
        assert!(text.contains(why) && text.contains("kept in"), "{text}");
        left_alone(&ground, &recovered[0].back, why);
    }
}

/// Somebody took our change back before we did: that is what we wanted.
#[test]
fn what_is_as_it_was_needs_nothing() {
    let ground = Ground::new();
    let party = ground.party();
    let open = party
        .edit_all()
        .map_err(|(_, error)| error)
        .expect("edited");
    ground.put("b", OLD[1].1);
    let back = open.roll_back(&party.files);
    assert!(back.is_complete() && ground.holds(OLD), "{back:?}");
    ground.is_clean("taken back");
}

/// Fails when `follow` lets a step stand on what somebody else wrote.
#[test]
fn a_change_between_two_of_ours_stops_us() {
    let ground = Ground::new();
    let party = ground.party();
    let open = party.begin().expect("begun");
    party.edit(&open, ("b", "one", "2")).expect("edited");
    ground.put("b", "mine");
    let error = party.edit(&open, ("b", "mine", "ours")).expect_err("stale");
    assert_eq!(error.code, Code::StaleVersion);
    assert_eq!(ground.content("b"), "mine");
    let back = open.roll_back(&party.files);
    assert_eq!(back.left.len(), 1);
    assert_eq!(ground.content("b"), "mine");
}

/// A commit is a commit, whatever comes after it.
#[test]
fn what_was_ended_is_not_taken_back() {
    let ground = Ground::new();
    let party = ground.party();
    let open = party
        .edit_all()
        .map_err(|(_, error)| error)
        .expect("edited");
    open.commit().expect("ended");
    assert_eq!(open.roll_back(&party.files), RolledBack::default());
    assert_eq!(ground.party().recover(), []);
    assert!(ground.holds(NEW));
}
