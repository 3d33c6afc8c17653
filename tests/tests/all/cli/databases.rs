//! A database that cannot be used: whatever is wrong with it, the exit code is the same.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use super::place::Place;
use super::program::{self, Ended};

/// A place whose database, `own.db`, knows a session.
fn begun() -> Place {
    let place = Place::with_file("one");
    read(&place).done();
    place
}

fn arguments() -> [&'static str; 8] {
    let state = ["--session", "s", "--state", "own.db"];
    let [a, b, c, d] = state;
    ["read", a, b, c, d, "--workspace", "ws", "a.txt"]
}

fn read(place: &Place) -> Ended {
    place.program(arguments())
}

/// Fails where `no_session` does not tell the database from the sandbox: then some of these
/// end with 5.
#[test]
fn a_database_that_cannot_be_used_is_8() {
    let breakages: [(&str, fn(&Path)); 4] = [
        ("no database", |file| {
            fs::write(file, "plainly something else".repeat(500)).expect("written");
        }),
        ("damaged pages", |file| {
            let file = fs::File::options()
                .write(true)
                .open(file)
                .expect("it is there");
            let length = file.metadata().expect("a file").len();
            let damage = vec![0xa5; usize::try_from(length).expect("it is small") - 4_096];
            file.write_all_at(&damage, 4_096).expect("written");
        }),
        ("without a table", |file| {
            let raw = Connection::open(file).expect("a database");
            raw.execute_batch("DROP TABLE mode_event").expect("dropped");
        }),
        ("of a later release", |file| {
            let raw = Connection::open(file).expect("a database");
            raw.pragma_update(None, "user_version", 999).expect("set");
        }),
    ];
    for (what, breaks) in breakages {
        let place = begun();
        breaks(&place.beside("own.db"));
        let ended = read(&place);
        assert_eq!(ended.code, Some(8), "{what}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{what}: {}", ended.stderr);
    }
}

/// No file grows past a size: as on a disk that is full. What is written goes to the end of
/// the log, which another process has made longer than that.
#[test]
fn a_database_that_cannot_grow_is_8() {
    let place = begun();
    let raw = Connection::open(place.beside("own.db")).expect("a database");
    raw.pragma_update(None, "wal_autocheckpoint", 0)
        .expect("set");
    raw.execute_batch("CREATE TABLE big (x); INSERT INTO big VALUES (zeroblob(200000))")
        .expect("written");
    let mut command = place.command("/bin/sh".as_ref());
    let script = "trap '' XFSZ; ulimit -f 128; exec \"$@\"";
    command.args(["-c", script, "sh"]).arg(program::path());
    let ended = program::finish(command.args(arguments()), b"");
    ended.failed(8);
}

/// Another process keeps it locked for longer than anybody waits.
#[test]
fn a_database_that_stays_locked_is_8() {
    let place = begun();
    let raw = Connection::open(place.beside("own.db")).expect("a database");
    raw.execute_batch("BEGIN EXCLUSIVE").expect("locked");
    read(&place).failed(8);
}

#[test]
fn a_database_that_is_read_only_is_8() {
    let place = begun();
    let file = place.beside("own.db");
    let Some(_fixed) = Fixed::file(&file) else {
        println!("SKIPPED a_database_that_is_read_only_is_8: chattr +i does not work here");
        return;
    };
    read(&place).failed(8);
}

/// A file that not even root writes to.
struct Fixed<'a>(&'a Path);

impl<'a> Fixed<'a> {
    fn file(path: &'a Path) -> Option<Self> {
        chattr("+i", path).then_some(Self(path))
    }
}

impl Drop for Fixed<'_> {
    fn drop(&mut self) {
        assert!(chattr("-i", self.0), "the file can go");
    }
}

fn chattr(change: &str, path: &Path) -> bool {
    let output = Command::new("chattr").arg(change).arg(path).output();
    output.is_ok_and(|output| output.status.success())
}
