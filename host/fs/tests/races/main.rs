//! Races against second processes, bounded. `README.md` beside this file tells how they
//! are run at length.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod race;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use race::Bound;
use race::killed;
use race::lost::{self, Against};
use race::outsider::Style;
use race::removal;
use race::swap::{self, Swapped};
use race::user::{User, is_root};

/// One race at a time: they need the processors for themselves.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn parents() -> Vec<PathBuf> {
    race::place::parents(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// What the second process of a race is: this test, run again with a part to play. By
/// itself it has none.
#[test]
fn second_process() {
    race::actor::play();
}

fn nothing_escapes(swapped: Swapped, pause: u64) {
    let _alone = alone();
    for parent in parents() {
        swap::run(swapped, pause, &parent, Bound::short(1_200)).must_be_kept();
    }
}

/// Fails without `ResolveFlags` in `open_beneath`: files outside are replaced.
#[test]
fn nothing_escapes_while_an_ancestor_is_swapped() {
    nothing_escapes(Swapped::Ancestor, 0);
}

/// Fails without `OFlags::NOFOLLOW` in `STEP`: files and directories are made outside.
#[test]
fn nothing_escapes_while_an_ancestor_is_swapped_every_500_microseconds() {
    nothing_escapes(Swapped::Ancestor, 500);
}

/// No call of a replacement follows its last name; what this race adds is that a link is
/// neither taken for the file nor left displaced. Fails when `Names::exchange` takes
/// whatever came out for what it expected: the link is then gone.
#[test]
fn nothing_escapes_while_the_file_is_swapped() {
    nothing_escapes(Swapped::Leaf, 0);
}

/// Fails without `OFlags::NOFOLLOW` in `STEP`: directories are made outside. That parents are unmade is tested where
/// system calls are failed one by one, in the tests of publication.
#[test]
fn nothing_escapes_while_a_new_parent_is_swapped() {
    nothing_escapes(Swapped::NewParent, 0);
}

/// The root is walked from its descriptor, so the other directory is never entered. Fails
/// when `Fence::place` opens `root.path()` anew in place of using `root.directory()`.
#[test]
fn nothing_escapes_while_the_root_is_replaced() {
    nothing_escapes(Swapped::Root, 500);
}

fn nothing_is_lost(style: Style, pause: u64, reader: bool) {
    let _alone = alone();
    let against = Against {
        style,
        pause,
        reader,
        user: User::Same,
    };
    for parent in parents() {
        against.run(&parent, Bound::short(1_500)).must_be_kept();
    }
}

#[test]
fn a_writer_in_place_every_2_milliseconds_loses_nothing() {
    nothing_is_lost(Style::Append, 2_000, false);
    nothing_is_lost(Style::Truncate, 2_000, false);
}

/// Fails when a dropped `Staged` leaves its name behind.
#[test]
fn a_writer_by_rename_every_2_milliseconds_loses_nothing() {
    nothing_is_lost(Style::Rename, 2_000, false);
}

/// Fails when `is_contended` answers `false`, and when `take_lease` does not redirect the
/// signal: the second process is then killed.
#[test]
fn a_writer_in_place_at_full_speed_loses_nothing() {
    nothing_is_lost(Style::Append, 0, false);
    nothing_is_lost(Style::Truncate, 0, false);
}

/// Fails when `Names::exchange` takes whatever came out for what it expected.
#[test]
fn a_writer_by_rename_at_full_speed_loses_nothing() {
    nothing_is_lost(Style::Rename, 0, false);
}

/// Fails when the lease is one against readers too (`F_WRLCK` in `renew_lease`).
#[test]
fn readers_do_not_make_mutations_fail() {
    nothing_is_lost(Style::Append, 2_000, true);
}

/// Its descriptor may write to the displaced file at any time; the grade says so.
/// Fails when `grade` calls a replacement firm that has a reason not to be.
#[test]
fn a_writer_that_holds_the_file_open_is_never_lost_under_a_firm_grade() {
    let _alone = alone();
    let against = Against {
        style: Style::Holds,
        pause: 200_000,
        reader: false,
        user: User::Same,
    };
    against
        .run(&parents()[0], Bound::short(1_000))
        .must_be_kept();
}

/// Fails when recovery forgets one of the kinds of leftovers.
#[test]
fn a_killed_process_leaves_nothing_behind() {
    let _alone = alone();
    for parent in parents() {
        killed::run(&parent, 40, Bound::short(1_000)).must_be_kept();
    }
}

fn no_removal_loses(renames: bool, pause: u64) {
    let _alone = alone();
    for parent in parents() {
        removal::run(renames, pause, &parent, Bound::short(1_500)).must_be_kept();
    }
}

/// Fails when a removal does not compare what came out, or does not put it back.
#[test]
fn a_removal_loses_nothing_that_is_written_every_2_milliseconds() {
    no_removal_loses(false, 2_000);
    no_removal_loses(true, 2_000);
}

/// Fails when a removal does not ask whether anybody waits to write, or puts back over
/// what was made meanwhile.
#[test]
fn a_removal_loses_nothing_for_good_at_full_speed() {
    no_removal_loses(false, 0);
    no_removal_loses(true, 0);
}

/// Fails when `Names::exchange` takes whatever came out for what it expected.
#[test]
fn two_processes_of_ours_do_not_overwrite_each_other() {
    let _alone = alone();
    for parent in parents() {
        lost::each_other(&parent, Bound::short(1_500)).must_be_kept();
    }
}

#[test]
fn other_users_lose_nothing_under_a_firm_grade() {
    let _alone = alone();
    if !is_root() {
        println!("SKIPPED: only root can become another user");
        return;
    }
    for user in [User::Ordinary, User::WithoutLease] {
        let against = Against {
            style: Style::Append,
            pause: 2_000,
            reader: false,
            user,
        };
        against
            .run(&parents()[0], Bound::short(1_000))
            .must_be_kept();
    }
}

/// The table of the grades; `doctor` must agree with it. Fails when `grade` calls a
/// replacement firm that has a reason not to be, and when `owner` keeps no owner.
#[test]
fn the_grades_are_those_that_the_probe_promises() {
    let _alone = alone();
    let table = race::grades::table(Path::new(env!("CARGO_TARGET_TMPDIR")));
    for outcome in table {
        if let Some(reason) = outcome.line.get("skipped") {
            println!(
                "SKIPPED: {} as {}: {reason}",
                outcome.line["where"], outcome.line["user"]
            );
        }
        outcome.must_be_kept();
    }
}
