//! What a read answers, and what it refuses.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::local::LocalFileSystem;
use dsh_fs::provider::Provider;
use dsh_fs::types::{LineEndings, ReadWindow, Target, TextWindow};
use support::{Tree, local};

const WHOLE: ReadWindow = ReadWindow {
    first_line: 1,
    first_column: 1,
    max_lines: 100,
    max_bytes: 10_000,
    max_line_chars: 1_000,
};

fn target(local: &LocalFileSystem, tree: &Tree, path: &str) -> Target {
    local
        .resolve(path, &tree.text("ws"), &Cancel::new())
        .expect("it resolves")
}

fn read(tree: &Tree, path: &str) -> Result<String, Error> {
    let local = local();
    let target = target(&local, tree, path);
    let whole = local.read_text(&target, 1 << 20, &Cancel::new());
    let window = local.read_window(&target, &WHOLE, &Cancel::new());
    let streamed = stream(&local, &target);
    match (&whole, window) {
        (Ok(whole), window) => {
            assert_eq!(whole.version, window.expect("as the whole").version);
            assert_eq!(
                streamed.as_ref().map(String::as_str),
                Ok(whole.text.as_str())
            );
        }
        (Err(error), window) => {
            assert_eq!(window.expect_err("as the whole").code, error.code);
            assert_eq!(streamed.expect_err("as the whole").code, error.code);
        }
    }
    whole.map(|content| content.text)
}

fn stream(local: &LocalFileSystem, target: &Target) -> Result<String, Error> {
    let mut stream = local.stream_text(target);
    let mut text = String::new();
    while let Some(piece) = stream.next(&Cancel::new())? {
        assert!(piece.len() <= 64 * 1024);
        assert_eq!(stream.version(), None);
        text.push_str(&piece);
    }
    let whole = local.read_text(target, u64::MAX, &Cancel::new())?;
    assert_eq!(stream.version(), Some(whole.version));
    Ok(text)
}

#[track_caller]
fn refused(tree: &Tree, path: &str, code: Code, reason: &str) {
    let error = read(tree, path).expect_err("it is refused");
    assert_eq!(error.code, code);
    let shown = tree.text(&format!("ws/{path}"));
    assert_eq!(error.message, format!("cannot read \"{shown}\": {reason}"));
    assert_eq!(error.path, Some(shown));
}

#[test]
fn text_comes_back_as_stored_without_its_byte_order_mark() {
    let tree = Tree::new("ws/plain = one\nws/empty = \nws/l => plain");
    fs::write(tree.path("ws/crlf"), "one\r\ntwo\n\r\r\n").expect("a file");
    fs::write(tree.path("ws/mark"), "\u{FEFF}\u{FEFF}a").expect("a file");
    fs::write(tree.path("ws/long"), "é文😀x".repeat(30_000)).expect("a file");
    assert_eq!(read(&tree, "plain").as_deref(), Ok("one"));
    assert_eq!(read(&tree, "l").as_deref(), Ok("one"));
    assert_eq!(read(&tree, "empty").as_deref(), Ok(""));
    assert_eq!(read(&tree, "crlf").as_deref(), Ok("one\r\ntwo\n\r\r\n"));
    assert_eq!(read(&tree, "mark").as_deref(), Ok("\u{FEFF}a"));
    assert_eq!(read(&tree, "long").map(|text| text.len()), Ok(300_000));
}

#[test]
fn what_is_not_text_is_refused() {
    let tree = Tree::new("ws/");
    let late = [vec![b'x'; 200_000], vec![0xFF]].concat();
    let late_nul = [vec![b'x'; 200_000], vec![0]].concat();
    for (name, bytes, reason) in [
        ("a", &b"a\xffb"[..], "invalid UTF-8 text"),
        ("b", b"\xc3", "invalid UTF-8 text"),
        ("c", b"\xc0\x80", "invalid UTF-8 text"),
        ("d", b"\xed\xa0\x80", "invalid UTF-8 text"),
        ("e", b"\xf4\x90\x80\x80", "invalid UTF-8 text"),
        ("f", &late, "invalid UTF-8 text"),
        ("g", b"\xff\0", "binary file"),
        ("h", &late_nul, "binary file"),
    ] {
        fs::write(tree.path(&format!("ws/{name}")), bytes).expect("a file");
        refused(&tree, name, Code::NotText, reason);
    }
    fs::write(tree.path("ws/u"), b"\xff\xfea\0").expect("a file");
    let error = read(&tree, "u").expect_err("it is UTF-16");
    assert!(error.message.contains("UTF-16"), "{}", error.message);
}

#[test]
fn a_stream_hands_out_what_comes_before_the_fault() {
    let tree = Tree::new("ws/");
    fs::write(tree.path("ws/f"), b"x\xe2\x82").expect("a file");
    let local = local();
    let mut stream = local.stream_text(&target(&local, &tree, "f"));
    assert_eq!(stream.next(&Cancel::new()), Ok(Some("x".to_owned())));
    for _ in 0..2 {
        assert_eq!(
            stream.next(&Cancel::new()).map_err(|e| e.code),
            Err(Code::NotText)
        );
        assert_eq!(stream.version(), None);
    }
}

/// Remove the `FileType` check of `local/open.rs` and the FIFO reads as an empty file;
/// remove `NONBLOCK` there and the test hangs.
#[test]
fn only_regular_files_are_read_and_nothing_hangs() {
    let tree = Tree::new("ws/d/\nws/l => d\nws/p |");
    let _socket = UnixListener::bind(tree.path("ws/s")).expect("a socket");
    let begun = Instant::now();
    for path in ["d", "l", "p", "s"] {
        refused(&tree, path, Code::NotRegularFile, "not a regular file");
    }
    refused(&tree, "none", Code::NotFound, "not found");
    refused(&tree, "l/none", Code::NotFound, "not found");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_limit_of_bytes_is_inclusive() {
    let tree = Tree::new("ws/a = 12345\nws/e = ");
    let local = local();
    let bytes =
        |path: &str, max| local.read_bytes(&target(&local, &tree, path), max, &Cancel::new());
    assert_eq!(bytes("a", 5).as_deref(), Ok(&b"12345"[..]));
    assert_eq!(bytes("e", 0).as_deref(), Ok(&b""[..]));
    let error = bytes("a", 4).expect_err("it is too large");
    assert_eq!(error.code, Code::TooLarge);
    assert!(
        error.message.ends_with("5 bytes exceeds the 4-byte limit"),
        "{}",
        error.message
    );
    let endless = local
        .resolve("/proc/self/maps", "/", &Cancel::new())
        .expect("it is there");
    let error = local
        .read_bytes(&endless, 10, &Cancel::new())
        .expect_err("it says it is empty");
    assert!(
        error.message.ends_with("content exceeds the 10-byte limit"),
        "{}",
        error.message
    );
}

#[test]
fn a_version_is_the_content() {
    let tree = Tree::new("ws/a = one\nws/b = one");
    let local = local();
    let version = |path: &str| {
        let target = target(&local, &tree, path);
        local
            .read_text(&target, 100, &Cancel::new())
            .expect("it is text")
            .version
    };
    let before = version("a");
    assert_eq!(version("b"), before);
    fs::hard_link(tree.path("ws/a"), tree.path("ws/c")).expect("a hard link");
    fs::write(tree.path("ws/a"), "one").expect("the same content");
    assert_eq!(version("a"), before);
    fs::write(tree.path("ws/a"), "eno").expect("other content of the same size");
    assert_ne!(version("a"), before);
}

#[test]
fn a_window_tells_about_the_whole() {
    let tree = Tree::new("ws/");
    fs::write(tree.path("ws/f"), "\u{FEFF}one\r\ntwo\nthree").expect("a file");
    let local = local();
    let window = ReadWindow {
        first_line: 2,
        max_lines: 1,
        ..WHOLE
    };
    let got = local.read_window(&target(&local, &tree, "f"), &window, &Cancel::new());
    let TextWindow {
        text,
        first_line,
        line_count,
        total_lines,
        ..
    } = got.clone().expect("text");
    assert_eq!(
        (text.as_str(), first_line, line_count, total_lines),
        ("two\n", 2, 1, 3)
    );
    let TextWindow {
        line_endings,
        final_newline,
        byte_order_mark,
        ..
    } = got.expect("text");
    assert_eq!((line_endings, final_newline), (LineEndings::Mixed, false));
    assert!(byte_order_mark);
}

#[test]
fn cancellation_wins() {
    let tree = Tree::new("ws/f = x");
    let local = local();
    let cancel = Cancel::new();
    let (there, gone) = (target(&local, &tree, "f"), target(&local, &tree, "none"));
    cancel.cancel();
    for target in [&there, &gone] {
        for error in [
            local
                .read_text(target, 10, &cancel)
                .expect_err("it is cancelled"),
            local
                .read_bytes(target, 10, &cancel)
                .expect_err("it is cancelled"),
            local
                .read_window(target, &WHOLE, &cancel)
                .expect_err("it is cancelled"),
            local
                .stream_text(target)
                .next(&cancel)
                .expect_err("it is cancelled"),
        ] {
            assert_eq!(
                (error.code, error.message.as_str()),
                (Code::Aborted, "read aborted")
            );
        }
    }
}

#[test]
fn a_stream_can_be_cancelled_between_pieces() {
    let tree = Tree::new("ws/");
    let mut file = fs::File::create(tree.path("ws/f")).expect("a file");
    file.write_all(&vec![b'x'; 400_000]).expect("it is written");
    let local = local();
    let mut stream = local.stream_text(&target(&local, &tree, "f"));
    let cancel = Cancel::new();
    assert!(stream.next(&cancel).expect("text").is_some());
    cancel.cancel();
    assert_eq!(
        stream.next(&cancel).map_err(|error| error.code),
        Err(Code::Aborted)
    );
    cancel.reset();
    assert!(stream.next(&cancel).expect("it goes on").is_some());
}

/// A reader meets the lease of a writer: it waits, and gives up when it is cancelled.
#[test]
fn a_lease_is_waited_for() {
    let tree = Tree::new("ws/f = x");
    let holder = fs::File::options()
        .write(true)
        .open(tree.path("ws/f"))
        .expect("it is there");
    support::lease(&holder);
    let local = local();
    let target = target(&local, &tree, "f");
    let cancel = Cancel::new();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| local.read_text(&target, 10, &cancel));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!reader.is_finished());
        cancel.cancel();
        let error = reader
            .join()
            .expect("no panic")
            .expect_err("it is cancelled");
        assert_eq!(error.code, Code::Aborted);
    });
    cancel.reset();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| local.read_text(&target, 10, &cancel));
        std::thread::sleep(Duration::from_millis(20));
        drop(holder);
        assert_eq!(
            reader.join().expect("no panic").expect("it is text").text,
            "x"
        );
    });
}
