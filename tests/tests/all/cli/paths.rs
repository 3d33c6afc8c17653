//! `dsh-fs run`: paths and files of kinds that a model may name by mistake or on purpose.

use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode};
use serde_json::{Value, json};

use super::place::{Place, call, code};

/// The same path in each tool.
fn in_every_tool(path: &str) -> [Value; 4] {
    [
        call("read", json!({"file_path": path})),
        call("list", json!({"file_path": path})),
        call("write", json!({"file_path": path, "content": "x"})),
        call(
            "edit",
            json!({"file_path": path, "old_string": "a", "new_string": "b"}),
        ),
    ]
}

/// Asks each tool about these paths; no answer is `ok`, each has one of `allowed`, and
/// neither a control character nor the path of a staged file is in a sentence.
fn refused(place: &Place, paths: &[&str], allowed: &[&str]) {
    let calls: Vec<Value> = paths.iter().copied().flat_map(in_every_tool).collect();
    for (answer, call) in place.answers(&[], &calls).iter().zip(&calls) {
        assert!(
            allowed.contains(&code(answer).as_str()),
            "{call:.300}: {answer:.300}"
        );
        let text = answer["text"].as_str().expect("a text");
        let odd = |letter: char| letter.is_control() && letter != '\n';
        assert!(!text.contains(odd), "{call:.300}: {text:?}");
    }
    assert_eq!(
        fs::read_dir(place.workspace())
            .expect("a directory")
            .count(),
        1
    );
}

#[test]
fn empty_and_blank_paths_are_refused() {
    let place = Place::with_file("a");
    refused(&place, &["", " ", "\t", " \n "], &["INVALID_ARGUMENTS"]);
}

#[test]
fn a_path_with_nul_is_refused() {
    let place = Place::with_file("a");
    refused(
        &place,
        &["\0", "a.txt\0", "a\0b/c", "\0/a.txt"],
        &["FS_NOT_FOUND", "INVALID_ARGUMENTS"],
    );
}

#[test]
fn over_long_paths_are_refused() {
    let place = Place::with_file("a");
    let name = "n".repeat(5_000);
    let deep = "d/".repeat(2_500);
    let codes = ["FS_NOT_FOUND", "FS_NOT_OBSERVED", "FS_IO_ERROR"];
    refused(
        &place,
        &[&name, &deep, &format!("{deep}x"), &"n".repeat(256)],
        &codes,
    );
}

#[test]
fn a_loop_of_links_is_refused() {
    let place = Place::new();
    fs::create_dir(place.file("d")).expect("a directory");
    symlink("two", place.file("d/one")).expect("a link");
    symlink("one", place.file("d/two")).expect("a link");
    symlink("self/x", place.file("d/self")).expect("a link");
    refused(&place, &["d/one", "d/two/x", "d/self"], &["FS_NOT_FOUND"]);
}

/// A control character in a name is a name like any other, and is shown escaped.
#[test]
fn control_characters_in_names_are_shown_escaped() {
    let place = Place::new();
    let name = "a\u{1}\u{1b}[31m\n\u{7f}\u{85}b";
    let write = call("write", json!({"file_path": name, "content": "old"}));
    let read = call("read", json!({"file_path": name}));
    let list = call("list", json!({"file_path": "."}));
    let answers = place.answers(&[], &[write, read, list]);
    for answer in answers {
        assert_eq!(code(&answer), "ok", "{answer}");
        let text = answer["text"].as_str().expect("a text");
        assert!(
            !text.contains(['\u{1}', '\u{1b}', '\u{7f}', '\u{85}']),
            "{text:?}"
        );
    }
    assert_eq!(place.content(name), "old");
}

/// None of these blocks: a FIFO has no other end, and a device none at all.
#[test]
fn what_is_no_regular_file_is_refused() {
    let place = Place::new();
    let folder = place.file("d");
    fs::create_dir_all(folder.join("directory")).expect("a directory");
    let mode = Mode::RUSR | Mode::WUSR;
    rustix::fs::mknodat(CWD, folder.join("fifo"), FileType::Fifo, mode, 0).expect("a FIFO");
    let _socket =
        std::os::unix::net::UnixListener::bind(relative(&folder.join("socket"))).expect("a socket");
    symlink("/dev/zero", folder.join("device")).expect("a link");
    symlink("fifo", folder.join("link")).expect("a link");
    for name in ["directory", "fifo", "socket", "link", "device"] {
        let path = format!("d/{name}");
        let [read, list, write, edit] = in_every_tool(&path);
        let codes = place.codes(&[], &[read, list, write, edit]);
        assert_eq!(codes[0], "FS_NOT_REGULAR_FILE", "read {name}");
        let listed = if name == "directory" {
            "ok"
        } else {
            "FS_NOT_DIRECTORY"
        };
        assert_eq!(codes[1], listed, "list {name}");
        let fenced = ["FS_NOT_REGULAR_FILE", "FS_SANDBOX_DENIED"];
        assert!(fenced.contains(&&*codes[2]), "write {name}: {codes:?}");
        let kept = ["FS_NOT_OBSERVED", "FS_NOT_REGULAR_FILE"];
        assert!(kept.contains(&&*codes[3]), "edit {name}: {codes:?}");
    }
}

/// The name of a socket has at most 107 bytes, which a path through /proc always keeps to.
fn relative(path: &std::path::Path) -> std::path::PathBuf {
    let folder = fs::File::open(path.parent().expect("a folder")).expect("it is there");
    let number = std::os::fd::IntoRawFd::into_raw_fd(folder);
    format!(
        "/proc/self/fd/{number}/{}",
        path.file_name().expect("a name").display()
    )
    .into()
}

#[test]
fn content_that_is_no_text_is_refused_and_kept() {
    let contents: [&[u8]; 4] = [
        b"\xff\xfea\0",
        b"ok \xc3\x28",
        b"nul \0 inside",
        b"cut \xe2\x82",
    ];
    for content in contents {
        let place = Place::with_file(content);
        let [read, _, write, edit] = in_every_tool("a.txt");
        let codes = place.codes(&[], &[read, edit, write]);
        assert_eq!(codes, ["FS_NOT_TEXT", "FS_NOT_OBSERVED", "FS_NOT_OBSERVED"]);
        assert_eq!(fs::read(place.file("a.txt")).expect("a file"), content);
    }
}

/// Without the fence each of these writes beside the workspace.
#[test]
fn no_spelling_leads_out_of_the_workspace() {
    let place = Place::new();
    fs::create_dir(place.beside("out")).expect("a directory");
    symlink("../out", place.file("link")).expect("a link");
    symlink("../out/new", place.file("dangling")).expect("a link");
    let absolute = place.beside("out/x");
    let absolute = absolute.to_str().expect("UTF-8");
    let paths = [
        "../out/x",
        "link/x",
        "link/../out/x",
        "dangling",
        absolute,
        "./.././out/x",
        "/proc/self/cwd/out/x",
    ];
    let write = |path| call("write", json!({"file_path": path, "content": "x"}));
    for (code, path) in place.codes(&[], &paths.map(write)).iter().zip(paths) {
        assert_eq!(code, "FS_SANDBOX_DENIED", "{path}");
    }
    assert_eq!(
        fs::read_dir(place.beside("out"))
            .expect("a directory")
            .count(),
        0
    );
}
