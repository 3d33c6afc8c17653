//! Each system call of a mutation fails once, with each error that it might meet.
//!
//! Whatever happens: the old file or the new one, whole; a clear code; nothing staged is
//! left, nor a directory that was made for it.

use std::fs;
use std::sync::Arc;

use dsh_fs::error::{Code, Error};
use dsh_fs::local::{Call, PublishOptions};
use dsh_fs::types::Mutation;
use rustix::io::Errno;

use crate::tree::{Tree, quick};
use crate::watch::Script;

const ERRNOS: [Errno; 7] = [
    Errno::NOSPC,
    Errno::IO,
    Errno::DQUOT,
    Errno::ROFS,
    Errno::ACCESS,
    Errno::STALE,
    Errno::INTR,
];

type Run = fn(&Tree) -> Result<Mutation, Error>;

struct Scenario {
    name: &'static str,
    /// What the file holds before; `None` where there is none.
    before: Option<&'static str>,
    /// The path of the file.
    file: &'static str,
    run: Run,
    /// Calls that do not exist on this machine.
    missing: &'static [(Call, Errno)],
}

const NAMED: &[(Call, Errno)] = &[(Call::OpenUnnamed, Errno::OPNOTSUPP)];
const NO_LEASE: &[(Call, Errno)] = &[(Call::TakeLease, Errno::INVAL)];
const PLAIN: &[(Call, Errno)] = &[
    (Call::OpenUnnamed, Errno::OPNOTSUPP),
    (Call::TakeLease, Errno::INVAL),
    (Call::RenameNew, Errno::INVAL),
    (Call::Exchange, Errno::INVAL),
];

fn scenarios() -> Vec<Scenario> {
    let create: Run = |tree| tree.create("p/q/a", "new");
    let replace: Run = |tree| tree.replace("a", "new");
    let edit: Run = |tree| tree.edit("a", "old", "new");
    let mut scenarios = Vec::new();
    for missing in [&[], NAMED, NO_LEASE, PLAIN] {
        scenarios.push(Scenario {
            name: "create",
            before: None,
            file: "p/q/a",
            run: create,
            missing,
        });
        for (name, run) in [("replace", replace), ("edit", edit)] {
            scenarios.push(Scenario {
                name,
                before: Some("old"),
                file: "a",
                run,
                missing,
            });
        }
    }
    scenarios
}

impl Scenario {
    fn tree(&self, script: &Arc<Script>) -> Tree {
        let options = PublishOptions {
            durability: dsh_fs::local::Durability::Full,
            ..quick()
        };
        let tree = Tree::with(options, Some(script.clone()));
        if let Some(before) = self.before {
            fs::write(tree.path(self.file), before).expect("written");
            let none = rustix::fs::XattrFlags::empty();
            rustix::fs::setxattr(tree.path(self.file), "user.a", b"b", none).expect("set");
        }
        tree
    }

    /// The calls of a run in which nothing fails but what is missing.
    fn calls(&self) -> Vec<Call> {
        let script = Script::new();
        let tree = self.tree(&script);
        script.without(self.missing);
        (self.run)(&tree).expect("succeeds when nothing fails");
        script.log()
    }

    fn fail(&self, number: usize, call: Call, errno: Errno) {
        let script = Script::new();
        let tree = self.tree(&script);
        let mut count = 0;
        let missing = self.missing;
        script.ask(move |now| {
            count += 1;
            if count == number {
                return Err(errno);
            }
            let found = missing.iter().find(|(call, _)| *call == now);
            found.map_or(Ok(()), |(_, errno)| Err(*errno))
        });
        let result = (self.run)(&tree);
        let what = format!("{} {call:?} (call {number}) {errno:?}", self.name);
        self.check(&tree, &result, errno, &what);
    }

    fn check(&self, tree: &Tree, result: &Result<Mutation, Error>, errno: Errno, what: &str) {
        let names = tree.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match result {
            Ok(_) => {
                let all = match self.before {
                    None => vec!["p/", "p/q/", "p/q/a"],
                    Some(_) => vec!["a"],
                };
                assert_eq!(names, all, "{what}");
                assert_eq!(tree.content(self.file), "new", "{what}");
            }
            Err(error) => {
                assert_ne!(
                    errno,
                    Errno::INTR,
                    "an interrupted call is repeated: {what}"
                );
                let clear = matches!(error.code, Code::IoError | Code::PermissionDenied);
                assert!(clear, "{what}: {error}");
                assert!(!error.message.contains(".dsh-fs"), "{what}: {error}");
                match self.before {
                    None => assert!(names.is_empty(), "{what}: {names:?}"),
                    Some(before) => {
                        assert_eq!(names, ["a"], "{what}");
                        assert_eq!(tree.content("a"), before, "{what}");
                    }
                }
            }
        }
    }
}

/// Fails when `Staged` is not removed on drop, when `MadeParents` does not clean up, when
/// an exchange whose outcome is unknown is not undone, or when EINTR is not repeated.
#[test]
fn every_call_fails_once() {
    let mut failures = 0;
    for scenario in scenarios() {
        for (index, call) in scenario.calls().into_iter().enumerate() {
            for errno in ERRNOS {
                scenario.fail(index + 1, call, errno);
                failures += 1;
            }
        }
    }
    assert!(failures > 1_000, "{failures}");
}
