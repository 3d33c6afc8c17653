//! What a transaction refuses to begin with.

use std::fs;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::transaction::{MOST_BYTES, Transaction};
use dsh_fs::types::{Edit, EditGuard, Mode, Report};

use crate::ground::{Ground, OLD};
use crate::support::Tree;
use crate::support::recorder::Recorder;

/// Fails when `text` does not compare the length.
#[test]
fn more_than_can_be_kept_is_not_changed() {
    let ground = Ground::new();
    let text = format!("one{}", " ".repeat(MOST_BYTES - 3));
    fs::write(ground.file("large"), text).expect("written");
    let party = ground.party();
    let open = party.begin().expect("begun");
    party.edit(&open, ("a", "one", "2")).expect("edited");
    let error = party.edit(&open, ("large", "one", "2")).expect_err("large");
    assert_eq!(error.code, Code::TooLarge, "{error}");
    assert!(open.roll_back(&party.files).is_complete());
    assert!(ground.holds(OLD));
    let found = fs::read(ground.file("large")).expect("there");
    assert!(found.starts_with(b"one"));
}

/// A provider that publishes without a word cannot be part of it. Fails when `published`
/// does not look for the announcement.
#[test]
fn a_provider_that_does_not_announce_is_found_out() {
    let tree = Tree::new("ws/a = one");
    let files = SandboxedFileSystem::new(Recorder::new(), RootRules::workspace_only());
    let policy = tree.policy(Mode::WorkspaceWrite, "ws");
    let roots = files.pin(&policy).expect("pinned");
    let files = files.open(policy, roots, Guarding::Required, None);
    let cancel = Cancel::new();
    let target = files.resolve("a", None, &cancel).expect("resolved");
    let edit = Edit {
        old_text: "one".into(),
        new_text: "2".into(),
        replace_all: false,
    };
    let guard = EditGuard::IfVersion("any".into());
    let open: Arc<Transaction> = Transaction::unjournaled();
    let done = files.edit_text_in(&open, &target, &edit, &guard, Report::default(), &cancel);
    let error = done.expect_err("found out");
    assert_eq!(error.code, Code::IoError);
    assert!(error.message.contains("without announcing"), "{error}");
}
