//! Races against second processes, bounded. `README.md` beside this file tells how they
//! are run at length.

mod race;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use race::Bound;
use race::lost::{self, Against};
use race::outsider::Style;
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

#[test]
fn nothing_escapes_while_an_ancestor_is_swapped() {
    nothing_escapes(Swapped::Ancestor, 0);
}

#[test]
fn nothing_escapes_while_an_ancestor_is_swapped_every_500_microseconds() {
    nothing_escapes(Swapped::Ancestor, 500);
}

#[test]
fn nothing_escapes_while_the_file_is_swapped() {
    nothing_escapes(Swapped::Leaf, 0);
}

#[test]
fn nothing_escapes_while_a_new_parent_is_swapped() {
    nothing_escapes(Swapped::NewParent, 0);
}

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

#[test]
fn a_writer_by_rename_every_2_milliseconds_loses_nothing() {
    nothing_is_lost(Style::Rename, 2_000, false);
}

#[test]
fn a_writer_in_place_at_full_speed_loses_nothing() {
    nothing_is_lost(Style::Append, 0, false);
    nothing_is_lost(Style::Truncate, 0, false);
}

#[test]
fn a_writer_by_rename_at_full_speed_loses_nothing() {
    nothing_is_lost(Style::Rename, 0, false);
}

#[test]
fn readers_do_not_make_mutations_fail() {
    nothing_is_lost(Style::Append, 2_000, true);
}

/// Its descriptor may write to the displaced file at any time; the grade says so.
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

/// The table of the grades; `doctor` must agree with it. Fails, for example, when
/// `replace` grades a missing lease as firm.
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
