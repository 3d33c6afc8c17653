//! Programs that exchange or move names in the moments in which ours has one of them.

use std::fs;

use dsh_fs::error::Code;
use dsh_fs::local::Call;

use crate::tree::{Tree, code};
use crate::watch::Script;

/// Somebody exchanges the file with a link of another folder, right before ours is put in
/// its place and again right before it is taken back. Fails when what has the staging name
/// at the end is removed without looking where ours has gone: it was the link.
#[test]
fn what_was_exchanged_with_another_name_comes_back() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    fs::create_dir(tree.root().join("d")).expect("made");
    let link = tree.root().join("d/link");
    std::os::unix::fs::symlink("/nowhere", &link).expect("linked");
    let (swapped, mut times) = (link.clone(), 0);
    script.ask(move |call| {
        times += usize::from(call == Call::Exchange);
        if call == Call::Exchange && times <= 2 {
            let flags = rustix::fs::RenameFlags::EXCHANGE;
            rustix::fs::renameat_with(rustix::fs::CWD, &path, rustix::fs::CWD, &swapped, flags)
                .expect("both are there");
        }
        Ok(())
    });
    // The second attempt finds everything where it was.
    tree.replace("a", "mine").expect("it is what was seen");
    assert!(link.is_symlink());
    assert_eq!(tree.content("a"), "mine");
    assert_eq!(tree.names(), ["a", "d/", "d/link"]);
}

/// Somebody renames a newer file over the old one, and moves it away once ours has its
/// place. Fails when what ours displaced is removed because nothing has the name.
#[test]
fn what_was_moved_away_is_what_was_there() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    let (newer, away) = (tree.put("newer", "theirs"), tree.root().join("away"));
    let mut times = 0;
    script.ask(move |call| {
        times += usize::from(call == Call::Exchange);
        match (call, times) {
            (Call::Exchange, 1) => fs::rename(&newer, &path).expect("renamed"),
            (Call::Exchange, 2) => fs::rename(&path, &away).expect("moved"),
            _ => {}
        }
        Ok(())
    });
    assert_eq!(code(tree.replace("a", "mine")), Code::StaleVersion);
    assert_eq!(tree.content("away"), "theirs");
    assert_eq!(tree.names(), ["away"]);
}
