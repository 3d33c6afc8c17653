//! A process is killed (`SIGKILL`) before its n-th system call, for every n.

use crate::ground::{Ground, NEW, OLD};
use crate::processes::{Part, Waiting, lives};

/// How often in a row a process must live to the end before the test is over: how many
/// calls there are depends on the clock, for fresh files are read once more.
const LIVED: usize = 8;

/// Runs for each call until none is left.
fn at_every_call(mut run: impl FnMut(usize) -> bool) {
    let mut lived = 0;
    for number in 1.. {
        lived = if run(number) { lived + 1 } else { 0 };
        if lived == LIVED {
            return;
        }
    }
}

/// Fails when `intend` writes nothing into the journal, or `close` does not empty it.
#[test]
fn all_or_nothing_whenever_the_process_dies() {
    let (mut old, mut new) = (0, 0);
    at_every_call(|number| {
        let ground = Ground::quick();
        let lived = lives(Part::Change, &ground, number);
        ground.party().recover();
        match (ground.holds(OLD), ground.holds(NEW)) {
            (true, false) => old += 1,
            (false, true) => new += 1,
            _ => panic!("killed at call {number}: between the two"),
        }
        ground.is_clean(&format!("killed at call {number}"));
        lived
    });
    assert!(
        old > 40 && new > LIVED,
        "{old} times nothing, {new} times all"
    );
}

#[test]
fn nothing_whenever_it_dies_while_it_takes_back() {
    at_every_call(|number| {
        let ground = Ground::quick();
        let lived = lives(Part::Fail, &ground, number);
        ground.party().recover();
        assert!(ground.holds(OLD), "killed at call {number}");
        ground.is_clean(&format!("killed at call {number}"));
        lived
    });
}

/// Recovery dies at its n-th call, and the next one at its own n-th, and so on. Fails when
/// the journal is removed before the files are restored.
#[test]
fn recovery_may_die_as_well() {
    let left_behind = || {
        let ground = Ground::quick();
        Waiting::on(&ground).kill();
        assert!(ground.holds(NEW));
        ground
    };
    at_every_call(|number| {
        let ground = left_behind();
        let lived = lives(Part::Recover, &ground, number);
        let died_again = !lives(Part::Recover, &ground, number);
        assert!(!(lived && died_again), "there was nothing more to do");
        ground.party().recover();
        assert!(ground.holds(OLD), "killed at call {number}");
        ground.is_clean(&format!("killed at call {number}"));
        lived
    });
}

#[test]
fn recovery_is_done_once() {
    let ground = Ground::new();
    Waiting::on(&ground).kill();
    assert_eq!(ground.party().recover().len(), 1);
    ground.put("b", "2\n");
    assert_eq!(ground.party().recover(), []);
    assert_eq!(ground.content("b"), "2\n", "later work that looks the same");
}
