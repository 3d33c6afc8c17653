//! Folders and roots that are replaced, renamed or removed under a session.

use std::fs;

use dsh_fs::error::Code;

use crate::verbs::{Answers, Place};
use crate::watch::Script;

const DENIED: Option<Code> = Some(Code::SandboxDenied);

/// What an outsider does to the folder `ws/d` while a call is on its way into it.
const AWAY: [&str; 3] = ["file", "removed", "link"];

/// Does it, once. What is moved away goes to `ws/was`.
fn disturb(base: &std::path::Path, way: &str) {
    let folder = base.join("ws/d");
    fs::rename(&folder, base.join("ws/was")).expect("moved");
    match way {
        "file" => fs::write(folder, "theirs").expect("written"),
        "link" => std::os::unix::fs::symlink("../out", folder).expect("linked"),
        _ => {}
    }
}

/// At each system call of a create, a replacement and an edit. The folder that was opened
/// is followed (and may have the file), or the call is refused; nothing else is touched.
/// Fails when `open_beneath` of `sys/open.rs` follows links.
#[test]
fn a_folder_that_is_replaced_in_mid_operation() {
    for way in AWAY {
        for verb in ["create", "replace", "edit"] {
            let mut moment = 1;
            while disturbed_at(moment, verb, way) {
                moment += 1;
            }
            assert!(moment > 5, "{verb} {way} ended after {moment} calls");
        }
    }
}

/// Whether the call had so many system calls.
fn disturbed_at(moment: usize, verb: &str, way: &'static str) -> bool {
    let script = Script::new();
    let place = Place::watched("ws/d/e/f = old\nout/e/", script.clone());
    let target = place.target(if verb == "create" { "d/e/new" } else { "d/e/f" });
    let target = target.expect("it resolves");
    let base = place.tree.path("");
    let mut calls = 0;
    script.ask(move |_| {
        calls += 1;
        if calls == moment {
            disturb(&base, way);
        }
        Ok(())
    });
    let answer = match verb {
        "edit" => place.edit(&target, "old", "mine"),
        _ => place.write(&target, "mine"),
    };
    let reached = script.log().len() >= moment;
    if !reached {
        answer.expect("nothing was in the way");
        return false;
    }
    let about = format!("{verb}, {way} at call {moment}: {answer:?}");
    let moved = place.names("was/e");
    let clean = [vec!["f"], vec!["f", "new"]]
        .iter()
        .any(|names| *names == moved);
    assert!(clean, "{about}: {moved:?}");
    assert!(place.names("../out/e").is_empty(), "{about}");
    if let Err(error) = &answer {
        let codes = [Code::NotFound, Code::StaleVersion, Code::SandboxDenied];
        assert!(codes.contains(&error.code), "{about}");
    }
    let theirs = fs::read_to_string(place.tree.path("ws/d")).ok();
    assert_eq!(
        theirs.as_deref(),
        (way == "file").then_some("theirs"),
        "{about}"
    );
    let old = fs::read_to_string(place.tree.path("ws/was/e/f")).expect("there");
    let mine = verb != "create" && answer.is_ok();
    assert_eq!(old, if mine { "mine" } else { "old" }, "{about}");
    true
}

/// Fails when `Fence::beneath_a_root` does not ask whether the root is unmoved.
#[test]
fn a_root_that_is_renamed_or_removed_takes_no_more_changes() {
    let gone: Answers = [Some(Code::NotFound), DENIED, DENIED, Some(Code::NotFound)];
    for way in ["renamed", "removed"] {
        let place = Place::new("ws/f = old");
        assert_eq!(place.all("f")[0], None);
        match way {
            "renamed" => fs::rename(place.tree.path("ws"), place.tree.path("was")),
            _ => fs::remove_dir_all(place.tree.path("ws")),
        }
        .expect("done");
        assert_eq!(place.all("f"), gone, "{way}");
        assert_eq!(place.all("new/deep"), gone, "{way}");
        assert!(!place.tree.path("ws").exists(), "no root is made again");
    }
}

/// Another folder in the place of the root is read and not written; the old one is back
/// as soon as it has its name again.
#[test]
fn another_root_in_its_place_is_read_only() {
    let place = Place::new("ws/f = old\nother/f = other");
    let [ws, other, was] = ["ws", "other", "was"].map(|name| place.tree.path(name));
    fs::rename(&ws, &was).expect("moved");
    fs::rename(&other, &ws).expect("moved");
    let answers: Answers = [None, DENIED, DENIED, Some(Code::NotDirectory)];
    assert_eq!(place.all("f"), answers);
    assert_eq!(fs::read_to_string(ws.join("f")).expect("there"), "other");
    fs::rename(&ws, &other).expect("moved");
    fs::rename(&was, &ws).expect("moved");
    assert_eq!(place.all("f"), crate::verbs::A_FILE);
    assert_eq!(fs::read_to_string(ws.join("f")).expect("there"), "two");
}
