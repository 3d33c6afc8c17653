//! Every race, one after the other, each with a line of JSON.

use std::path::Path;

use super::grades;
use super::killed;
use super::lost::{self, Against};
use super::outsider::Style;
use super::place;
use super::removal;
use super::swap::{self, Swapped};
use super::user::User;
use super::{Bound, Outcome};

/// Runs the races whose name contains one of these, or all.
/// Answers whether every promise was kept.
pub(crate) fn run(names: &[String], folder: &Path, bound: Bound) -> bool {
    let mut kept = true;
    let mut tell = |outcome: Outcome| {
        println!("{}", outcome.line);
        for broken in &outcome.broken {
            eprintln!("BROKEN: {broken}");
        }
        kept &= outcome.broken.is_empty();
    };
    let is_asked = |race: &str| names.is_empty() || names.iter().any(|name| race.contains(name));
    for parent in place::parents(folder) {
        swaps(&is_asked, &parent, bound, &mut tell);
        losses(&is_asked, &parent, bound, &mut tell);
        if is_asked("removal") {
            for (renames, pause) in [(false, 2_000), (false, 0), (true, 2_000), (true, 0)] {
                tell(removal::run(renames, pause, &parent, bound));
            }
        }
        if is_asked("killed") {
            tell(killed::run(&parent, bound.cycles.min(500), bound));
        }
        if is_asked("each other") {
            tell(lost::each_other(&parent, bound));
        }
    }
    if is_asked("grades") {
        grades::table(folder).into_iter().for_each(&mut tell);
    }
    kept
}

fn swaps(
    is_asked: &dyn Fn(&str) -> bool,
    parent: &Path,
    bound: Bound,
    tell: &mut dyn FnMut(Outcome),
) {
    for swapped in Swapped::ALL {
        for pause in [0, 500] {
            if is_asked(swapped.name()) {
                tell(swap::run(swapped, pause, parent, bound));
            }
        }
    }
}

fn losses(
    is_asked: &dyn Fn(&str) -> bool,
    parent: &Path,
    bound: Bound,
    tell: &mut dyn FnMut(Outcome),
) {
    for against in every_loss() {
        let name = format!("lost update {:?} {}", against.style, against.user.name());
        if is_asked(&name) && against.user.is_possible() {
            tell(against.run(parent, bound));
        }
    }
}

fn every_loss() -> Vec<Against> {
    let against = |style, pause, reader, user| Against {
        style,
        pause,
        reader,
        user,
    };
    let mut all = Vec::new();
    for style in [Style::Append, Style::Truncate, Style::Rename] {
        for pause in [2_000, 0] {
            all.push(against(style, pause, false, User::Same));
        }
    }
    all.push(against(Style::Holds, 200_000, false, User::Same));
    all.push(against(Style::Append, 2_000, true, User::Same));
    all.push(against(Style::Append, 2_000, false, User::Ordinary));
    all.push(against(Style::Append, 2_000, false, User::WithoutLease));
    all
}
