//! The four tools on small files, on a file system in memory and on one with a disk.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use anyhow::Result;
use dsh_fs_runtime::{EditArgs, ListArgs, ReadArgs, Session, WriteArgs};

use crate::floor;
use crate::ground::{self, Place};
use crate::pair::{Effort, compare};
use crate::row::{Goal, Row};

/// The most that reading and listing may take, in floors.
const LOOKING: f64 = 2.0;
/// The most that writing and editing may take, in floors.
const CHANGING: f64 = 1.3;

/// Both file systems, one after the other.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let mut rows = of(&Place::in_memory()?)?;
    rows.extend(of(&Place::on_disk()?)?);
    Ok(rows)
}

fn of(place: &Place) -> Result<Vec<Row>> {
    Ok(vec![
        read(place)?,
        write(place, true)?,
        write(place, false)?,
        edit(place, true)?,
        edit(place, false)?,
        list(place)?,
    ])
}

fn read(place: &Place) -> Result<Row> {
    let (path, args) = file(place, "read")?;
    let mut session = ground::session(place.path())?;
    let pair = compare(
        Effort::batches_of(50),
        || drop(black_box(session.read(args.clone())).expect("it is there")),
        || drop(black_box(floor::read(&path))),
    );
    let what = format!("tool read of 4 KiB, {}", place.kind);
    Ok(Row::pair(what, pair, Goal::times(LOOKING)))
}

fn write(place: &Place, hunks: bool) -> Result<Row> {
    let (path, args) = file(place, "write")?;
    let (beside, _) = file(place, "write-beside")?;
    let mut session = session(place.path(), hunks)?;
    session.read(args)?;
    let contents = [content("one"), content("two")];
    let (mut ours, mut theirs) = (contents.iter().cycle(), contents.iter().cycle());
    let pair = compare(
        Effort::batches_of(5),
        || replace(&mut session, &path, ours.next().expect("endless")),
        || {
            let content = theirs.next().expect("endless");
            black_box(floor::write(&beside, content.as_bytes()));
        },
    );
    let what = format!("tool write of 4 KiB, {}{}", place.kind, diff(hunks));
    Ok(Row::pair(what, pair, Goal::times(CHANGING)))
}

fn edit(place: &Place, hunks: bool) -> Result<Row> {
    let (path, args) = file(place, "edit")?;
    let (beside, _) = file(place, "edit-beside")?;
    let mut session = session(place.path(), hunks)?;
    session.read(args)?;
    let words = [("one", "two"), ("two", "one")];
    let (mut ours, mut theirs) = (words.iter().cycle(), words.iter().cycle());
    let pair = compare(
        Effort::batches_of(5),
        || change(&mut session, &path, *ours.next().expect("endless")),
        || {
            let (old, new) = theirs.next().expect("endless");
            black_box(floor::edit(&beside, old, new));
        },
    );
    let what = format!("tool edit of 4 KiB, {}{}", place.kind, diff(hunks));
    Ok(Row::pair(what, pair, Goal::times(CHANGING)))
}

fn list(place: &Place) -> Result<Row> {
    let folder = place.path().join("list");
    fs::create_dir(&folder)?;
    for number in 0..1_000 {
        fs::write(folder.join(format!("file-{number:04}.txt")), "content")?;
    }
    let mut session = ground::session(place.path())?;
    let args = ListArgs {
        file_path: Some(ground::text(&folder)),
        ..ListArgs::default()
    };
    assert_eq!(session.list(args.clone())?.entries.len(), 1_000);
    let pair = compare(
        Effort::batches_of(2),
        || drop(black_box(session.list(args.clone())).expect("it is there")),
        || drop(black_box(floor::list(&folder))),
    );
    let what = format!("tool list of 1,000 entries, {}", place.kind);
    Ok(Row::pair(what, pair, Goal::times(LOOKING)))
}

fn session(root: &Path, hunks: bool) -> Result<Session> {
    let mut options = ground::local(root)?;
    options.report_hunks = hunks;
    Ok(ground::runtime()?.session(options)?)
}

fn diff(hunks: bool) -> &'static str {
    match hunks {
        true => "",
        false => ", without its diff",
    }
}

fn replace(session: &mut Session, path: &Path, content: &str) {
    let written = session.write(WriteArgs {
        file_path: ground::text(path),
        content: content.to_owned(),
        ..WriteArgs::default()
    });
    black_box(written).expect("nobody else is here");
}

fn change(session: &mut Session, path: &Path, (old, new): (&str, &str)) {
    let edited = session.edit(EditArgs {
        file_path: ground::text(path),
        old_string: old.to_owned(),
        new_string: new.to_owned(),
        ..EditArgs::default()
    });
    black_box(edited).expect("nobody else is here");
}

/// A file of 4 KiB, and how to read it.
fn file(place: &Place, name: &str) -> Result<(PathBuf, ReadArgs)> {
    let path = place.path().join(name);
    fs::write(&path, content("one"))?;
    let args = ReadArgs {
        file_path: ground::text(&path),
        ..ReadArgs::default()
    };
    Ok((path, args))
}

/// Lines of a program, 4 KiB of them, one of which has a word that no other has.
fn content(word: &str) -> String {
    let mut content = format!("// this line names {word}\n");
    while content.len() < 4_000 {
        content.push_str(&format!(
            "    let value = compute(input, {});\n",
            content.len()
        ));
    }
    content.push_str(&"/".repeat(4_095 - content.len()));
    content.push('\n');
    content
}
