//! Other programs work on the same file at the same time, and keep their changes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dsh_fs::error::Code;
use dsh_fs::local::{Call, Durability, PublishOptions};
use dsh_fs::types::{Grade, WriteGuard};

use crate::tree::{Tree, code, quick, write};
use crate::watch::Script;

const RUN: Duration = Duration::from_millis(2_500);

/// Runs an outside program and guarded writes against each other. Each adds lines to the
/// file; at the end every line that was said to be written must be there.
fn against(outside: Outside, options: PublishOptions) -> Counts {
    let tree = Tree::with(options, None);
    let path = tree.put("a", "start\n");
    let stop = AtomicBool::new(false);
    let mut counts = Counts::default();
    let (outside_lines, misled) = thread::scope(|scope| {
        let outsider = scope.spawn(|| {
            let (mut number, mut misled) = (0, BTreeMap::new());
            while !stop.load(Ordering::Relaxed) {
                if let Some(by) = outside(&path, number) {
                    misled.insert(number - 1, by);
                }
                number += 1;
                thread::sleep(Duration::from_millis(2));
            }
            (number, misled)
        });
        let begun = Instant::now();
        // On a busy machine it takes longer until enough has happened.
        while begun.elapsed() < RUN || (counts.ours.len() <= 10 && begun.elapsed() < 8 * RUN) {
            counts.try_one(&tree);
        }
        stop.store(true, Ordering::Relaxed);
        outsider.join().expect("no panic")
    });
    let content = tree.content("a");
    let lost = (0..outside_lines).filter(|number| !content.contains(&format!("o{number}\n")));
    let (misled, lost): (Vec<u64>, Vec<u64>) = lost.partition(|number| {
        let by = misled.get(number);
        by.is_some_and(|by| counts.taken_back.contains(by))
    });
    counts.outside = outside_lines;
    counts.lost_outside = lost.len();
    counts.misled_outside = misled.len();
    counts.lost_ours = counts
        .ours
        .iter()
        .filter(|line| !content.contains(line.as_str()))
        .count();
    let names = tree.names();
    assert_eq!(names, ["a"], "{counts:?}");
    counts
}

/// Adds the line of this number. Where the line before, which it had added itself, is not
/// there, it answers which line of ours is the last.
type Outside = fn(&Path, u64) -> Option<String>;

#[derive(Debug, Default)]
struct Counts {
    attempts: usize,
    ours: Vec<String>,
    /// The lines of attempts that were refused.
    taken_back: Vec<String>,
    stale: usize,
    best_effort: usize,
    outside: u64,
    lost_outside: usize,
    /// Lines that the other program dropped itself, because it had read a line of ours that
    /// was then taken back.
    misled_outside: usize,
    lost_ours: usize,
}

impl Counts {
    fn try_one(&mut self, tree: &Tree) {
        let Ok(old) = fs::read_to_string(tree.path("a")) else {
            return;
        };
        let line = format!("g{}\n", self.attempts);
        self.attempts += 1;
        let guard = WriteGuard::ReplaceIfVersion(tree.secret.version_of(old.as_bytes()));
        match write(&tree.fs, &tree.path("a"), &format!("{old}{line}"), &guard) {
            Ok(made) => {
                self.best_effort += usize::from(made.grade == Grade::BestEffort);
                self.ours.push(line);
            }
            Err(error) => {
                assert_eq!(error.code, Code::StaleVersion, "{error}");
                self.taken_back.push(line);
                self.stale += 1;
            }
        }
    }
}

fn append(path: &Path, number: u64) -> Option<String> {
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(path)
        .expect("opened");
    writeln!(file, "o{number}").expect("appended");
    None
}

/// As editors do: a new file, renamed over the old one.
fn rename_over(path: &Path, number: u64) -> Option<String> {
    let beside = path.with_extension("new");
    let old = fs::read_to_string(path).expect("readable");
    fs::write(&beside, format!("{old}o{number}\n")).expect("written");
    fs::rename(beside, path).expect("renamed");
    let before = format!("o{}\n", number.checked_sub(1)?);
    let last = old.lines().rfind(|line| line.starts_with('g'));
    let misled = !old.contains(&before);
    last.filter(|_| misled).map(|line| format!("{line}\n"))
}

/// Fails when nobody asks after the exchange what became of the displaced file.
#[test]
fn a_program_that_writes_in_place_keeps_its_changes() {
    for durability in [Durability::NoSync, Durability::Full] {
        let options = PublishOptions {
            durability,
            ..quick()
        };
        let counts = against(append, options);
        eprintln!(
            "in place, {durability:?}: {} ours, {} stale, {} best-effort, {} outside",
            counts.ours.len(),
            counts.stale,
            counts.best_effort,
            counts.outside
        );
        assert!(counts.lost_outside <= counts.best_effort, "{counts:?}");
        assert_eq!(counts.lost_ours, 0, "{counts:?}");
        assert!(counts.ours.len() > 10, "{counts:?}");
    }
}

/// A program renames its file into place right before the exchange, and makes its next one
/// from what it reads right after. What it then drops is its own change before, which was
/// never in what it read; ours is refused, and its newest file has the name.
#[test]
fn who_reads_what_is_taken_back_drops_a_change_of_his_own() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old\n");
    let (mut exchanged, mut misled) = (0, None);
    let (sent, received) = std::sync::mpsc::channel();
    script.ask(move |call| {
        exchanged += usize::from(call == Call::Exchange);
        match call {
            Call::Exchange if exchanged == 1 => drop(rename_over(&path, 1)),
            Call::StatAt if exchanged == 1 && misled.is_none() => {
                misled = rename_over(&path, 2);
                sent.send(misled.clone()).expect("received");
            }
            _ => {}
        }
        Ok(())
    });
    assert_eq!(code(tree.replace("a", "old\ng0\n")), Code::StaleVersion);
    assert_eq!(received.recv(), Ok(Some("g0\n".to_owned())));
    assert_eq!(tree.content("a"), "old\ng0\no2\n");
    assert_eq!(tree.names(), ["a"]);
}

/// What the other program drops of ours, by renaming a file that it made from an older
/// one, is its own doing. So is what it drops of its own, if it reads the name in the
/// microseconds in which a file of ours stands there that is then taken back: the test
/// above shows how. Both are told from a loss by the lines. Fails when the exchange does
/// not look at what came out.
#[test]
fn a_program_that_renames_keeps_its_changes() {
    let counts = against(rename_over, quick());
    eprintln!(
        "renamed: {} ours, {} stale, {} outside, {} of them misled",
        counts.ours.len(),
        counts.stale,
        counts.outside,
        counts.misled_outside
    );
    assert_eq!(counts.lost_outside, 0, "{counts:?}");
    assert!(counts.ours.len() > 10, "{counts:?}");
}

/// Two backends of one process, as two sessions may be, and two of different processes
/// behave alike: each guarded write is made from the content that it displaces.
#[test]
fn two_backends_do_not_overwrite_each_other() {
    let tree = Tree::quick();
    tree.put("a", "");
    let others = [tree.later(), tree.later()];
    let made: usize = thread::scope(|scope| {
        let writers: Vec<_> = others
            .iter()
            .map(|fs| {
                let (path, secret) = (tree.path("a"), &tree.secret);
                scope.spawn(move || {
                    let mut made = 0;
                    for _ in 0..300 {
                        let old = fs::read_to_string(&path).expect("readable");
                        let guard = WriteGuard::ReplaceIfVersion(secret.version_of(old.as_bytes()));
                        made += usize::from(write(fs, &path, &format!("{old}x"), &guard).is_ok());
                    }
                    made
                })
            })
            .collect();
        let made = writers
            .into_iter()
            .map(|writer| writer.join().expect("no panic"));
        made.sum()
    });
    assert_eq!(tree.content("a").len(), made);
    assert!(made >= 300, "{made}");
    assert_eq!(tree.names(), ["a"]);
}

/// A reader that keeps the file open does not lower the grade.
#[test]
fn readers_are_not_in_the_way() {
    let tree = Tree::new();
    let path = tree.put("a", "old");
    let reader = fs::File::open(&path).expect("opened");
    let made = tree.replace("a", "new").expect("replaced");
    assert_eq!(made.grade, Grade::LeaseChecked, "{:?}", made.grade_reason);
    assert!(reader.as_fd().try_clone_to_owned().is_ok());
    let _writer = fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("opened");
    let made = tree.replace("a", "newer").expect("replaced");
    assert_eq!(made.grade, Grade::BestEffort);
    let reason = made.grade_reason.expect("a best effort says why");
    assert!(reason.contains("open for writing"), "{reason}");
}
