//! A file of 100 MiB: a window near its end, and the edit of one word.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use dsh_fs_runtime::{CallError, EditArgs, ReadArgs};

use crate::ground::{self, Place};
use crate::pair::{Effort, compare};
use crate::row::{Figure, Goal, Row};
use crate::{child, floor};

const SIZE: usize = 100 << 20;
const NAME: &str = "large.txt";
const WORD: &str = "UNIQUE";

/// Time and memory of the window, memory of the edit.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let place = Place::in_memory()?;
    let lines = make(&place.path().join(NAME))?;
    let mut rows = vec![window(place.path(), lines)?];
    rows.push(Row::alone(
        "memory of that read, growth of the peak",
        Figure::Bytes(child::number("window", Some(place.path()))?),
        Goal::most(Figure::Bytes(8.0 * 1048576.0)),
    ));
    let grown = child::number("edit", Some(place.path()))?;
    rows.push(Row {
        what: "edit of one word in 100 MiB, growth of peak memory; floor: the file".to_owned(),
        ours: Figure::Bytes(grown),
        floor: Some(Figure::Bytes(SIZE as f64)),
        ratio: Some(grown / SIZE as f64),
        goal: Goal::times(1.2),
    });
    Ok(rows)
}

fn window(root: &Path, lines: u32) -> Result<Row> {
    let mut session = ground::session(root)?;
    let (path, args) = near_the_end(root, lines);
    assert_eq!(session.read(args.clone())?.window.total_lines, lines);
    let pair = compare(
        Effort::batches_of(1),
        || drop(black_box(session.read(args.clone())).expect("it is there")),
        || {
            black_box(floor::pass(&path));
        },
    );
    let what = "read window near the end of 100 MiB; floor: one pass";
    Ok(Row::pair(what, pair, Goal::times(1.5)))
}

fn near_the_end(root: &Path, lines: u32) -> (PathBuf, ReadArgs) {
    let path = root.join(NAME);
    let args = ReadArgs {
        file_path: ground::text(&path),
        offset: Some(i64::from(lines) - 100),
        limit: Some(50),
        ..ReadArgs::default()
    };
    (path, args)
}

/// Lines of text, some with letters that are not ASCII; one word in the middle that is
/// nowhere else. Answers how many lines.
fn make(path: &Path) -> Result<u32> {
    let mut file = BufWriter::new(File::create(path)?);
    let (mut size, mut lines, mut marked) = (0, 0, false);
    while size < SIZE {
        let line = match lines % 20 {
            _ if size > SIZE / 2 && !marked => {
                marked = true;
                format!("line {lines}: here is the word {WORD}, which is nowhere else\n")
            }
            0 => format!("line {lines}: a café, naïve text, and ways to write it: 文字\n"),
            _ => format!("line {lines}: some text that goes on for about as long as code does\n"),
        };
        file.write_all(line.as_bytes())?;
        size += line.len();
        lines += 1;
    }
    file.flush()?;
    Ok(lines)
}

/// Prints by how much the peak of memory grows with the read.
pub(crate) fn window_child(root: &Path) -> Result<()> {
    let mut session = ground::session(root)?;
    let (_, args) = near_the_end(root, 1_000_000);
    let growth = growth(|| session.read(args).map(drop))?;
    println!("{growth}");
    Ok(())
}

/// Prints by how much the peak of memory grows with the edit.
pub(crate) fn edit_child(root: &Path) -> Result<()> {
    let mut session = ground::session(root)?;
    let (_, args) = near_the_end(root, 1_000_000);
    let file_path = args.file_path.clone();
    session.read(args)?;
    let edit = EditArgs {
        file_path,
        old_string: WORD.to_owned(),
        new_string: "ANOTHER".to_owned(),
        ..EditArgs::default()
    };
    let growth = growth(|| session.edit(edit).map(drop))?;
    println!("{growth}");
    Ok(())
}

fn growth(call: impl FnOnce() -> Result<(), CallError>) -> Result<f64> {
    child::forget_peak()?;
    let before = child::memory("VmRSS")?;
    call()?;
    Ok(child::memory("VmHWM")? - before)
}
