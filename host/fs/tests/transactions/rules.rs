//! A recovery writes nothing that the rules of its own start do not allow.

use dsh_fs::error::Code;
use dsh_fs::roots::RootRules;

use crate::ground::{Ground, NEW, OLD, Party};
use crate::processes::Waiting;

/// Fails when the journal is put aside although somebody may still write there.
#[test]
fn what_is_protected_now_waits_for_other_rules() {
    let ground = Ground::new();
    Waiting::on(&ground).kill();
    let rules = RootRules::workspace_only().with_protected("sub");
    let recovered = Party::under(ground.path(), rules, None).recover();
    let back = &recovered[0].back;
    assert_eq!((back.restored.len(), back.waiting.len()), (2, 1));
    assert_eq!(back.waiting[0].code, Code::SandboxDenied);
    assert_eq!(ground.content("sub/c"), NEW[2].1);

    // Later work on the others that looks like ours is not taken for it.
    ground.put("b", NEW[1].1);
    let recovered = ground.party().recover();
    assert_eq!(recovered[0].back.restored.len(), 1, "{recovered:?}");
    assert_eq!(ground.content("b"), NEW[1].1);
    ground.put("b", OLD[1].1);
    assert!(ground.holds(OLD));
    ground.is_clean("recovered under other rules");
}

/// The workspace is another directory by now, with the same content. Fails when the fence
/// is passed by: the version alone would let it be written.
#[test]
fn another_workspace_is_not_the_one_that_was_changed() {
    let ground = Ground::new();
    Waiting::on(&ground).kill();
    let ws = ground.path().join("ws");
    std::fs::rename(&ws, ground.path().join("elsewhere")).expect("moved");
    std::os::unix::fs::symlink(ground.path().join("elsewhere"), &ws).expect("a link");
    let recovered = ground.party().recover();
    assert!(recovered[0].back.restored.is_empty(), "{recovered:?}");
    assert!(ground.holds(NEW));
}
