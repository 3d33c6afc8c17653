//! The table of escapes: what may be changed, what is denied, what names no file.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{Mode, Report, WriteGuard};
use support::Tree;
use support::recorder::Recorder;

/// Each verdict rests on its part of the code. Seen red: without the `containing` check of
/// `sandbox/fence.rs` every `denied` case is let through; with `clean` in the place of
/// `walk` in `local/resolve.rs` the cases of links after `..` fail; without `is_magic` in
/// `local/resolve/walk.rs` the cases of /proc fail.
#[test]
fn every_escape_has_its_verdict() {
    let mut failures = Vec::new();
    let mut count = 0;
    for block in include_str!("escapes.txt")
        .split("\n    ")
        .collect::<Vec<_>>()
        .windows(2)
    {
        let head = block[0].lines().last().expect("a case has a head");
        let nodes = block[1].lines().next().expect("a case has a tree");
        count += 1;
        if let Err(failure) = check(&unescaped(head), &unescaped(nodes)) {
            failures.push(failure);
        }
    }
    assert!(count > 70, "only {count} cases were found");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(head: &str, nodes: &str) -> Result<(), String> {
    let fields: Vec<&str> = head.split(" | ").collect();
    let [id, roots, verb, mode, path, verdict, ..] = fields[..] else {
        panic!("not a case: {head}");
    };
    let tree = Tree::new(&nodes.replace("; ", "\n"));
    let recorder = Recorder::new();
    let files = open(
        &tree,
        &recorder,
        roots,
        Mode::from_name(mode).expect("a mode"),
    );
    let answer = act(&files, verb, &spelled(&tree, path));
    let got = match &answer {
        Ok(()) => "allowed",
        Err(error) if error.code == Code::SandboxDenied => "denied",
        Err(error) if error.code == Code::NotFound => "not-found",
        Err(error) => error.code.name(),
    };
    if got != verdict {
        return Err(format!("{id}: {got}, not {verdict} ({answer:?})"));
    }
    let led = recorder.landed().pop().map(|(target, _)| target.key);
    match (fields.get(6), led) {
        (Some(place), Some(led)) if led != tree.text(place) => {
            Err(format!("{id}: led to {led}, not {place}"))
        }
        _ => Ok(()),
    }
}

fn open(tree: &Tree, recorder: &Arc<Recorder>, roots: &str, mode: Mode) -> Files {
    let mut roots = roots.split(" & ");
    let policy = tree.policy(mode, roots.next().expect("a root"));
    let rules = roots.fold(RootRules::workspace_only(), |rules, root| {
        rules.with_root(tree.path(root))
    });
    let sandbox = SandboxedFileSystem::new(recorder.clone(), rules);
    let pinned = sandbox.pin(&policy).expect("the roots can be opened");
    sandbox.open(policy, pinned, Guarding::Required, None)
}

fn act(files: &Files, verb: &str, path: &str) -> Result<(), Error> {
    let cancel = Cancel::new();
    let target = files.resolve(path, None, &cancel)?;
    match verb {
        "read" => files.read_bytes(&target, 1000, &cancel).map(drop),
        "list" => files.list_dir(&target, &cancel).map(drop),
        _ => files
            .write_text(
                &target,
                "x",
                &WriteGuard::CreateIfAbsent,
                Report::default(),
                &cancel,
            )
            .map(drop),
    }
}

fn spelled(tree: &Tree, path: &str) -> String {
    match path {
        "long" => "a".repeat(500),
        "deep" => "a/".repeat(2500),
        path => tree.filled(path),
    }
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut whole = parts.next().expect("there is a first part").to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').expect("an escape ends");
        let code = u32::from_str_radix(code, 16).expect("it is a number");
        whole.push(char::from_u32(code).expect("of a character"));
        whole.push_str(rest);
    }
    whole
}
