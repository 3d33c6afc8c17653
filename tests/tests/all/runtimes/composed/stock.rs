//! The command under the stock program wasmtime.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use dsh_fs_tests::stock;

use super::super::every_vector;
use super::super::wasmtime::wasmtime;
use super::{Composed, WRITES, call, components, edit, read, write, writing};

/// The command in the program; says why where the test cannot run.
pub(super) fn over_a_folder(test: &str) -> Option<Composed> {
    let wasmtime = match wasmtime() {
        Ok(wasmtime) => wasmtime,
        Err(why) => {
            println!("SKIPPED {test}: {why}");
            return None;
        }
    };
    let command = compiled(&wasmtime);
    let starts = move |folder: &Path| {
        let mut program = Command::new(&wasmtime);
        program.args(["run", "--allow-precompiled", "--dir"]);
        program.arg(format!("{}::/ws", folder.display()));
        program.arg(command);
        program
    };
    Some(Composed::new(Box::new(starts)))
}

/// The compiled code of the command, which is made once: that takes some seconds.
fn compiled(wasmtime: &Path) -> &'static Path {
    static CODE: OnceLock<PathBuf> = OnceLock::new();
    let compile = || stock::compile(wasmtime, &components(), "dsh-fs-command");
    CODE.get_or_init(|| compile().expect("the command compiles"))
}

/// The command of the adapter. It compiles in a folder of its own, beside which no other
/// test compiles.
pub(in super::super) fn adapter(wasmtime: &Path) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("composed");
    fs::create_dir_all(&folder).expect("a folder");
    let component = components().join("dsh-fs-command.wasm");
    fs::copy(component, folder.join("dsh-fs-command.wasm")).expect("a copy");
    let adapter = env!("CARGO_BIN_EXE_stock");
    let (wasmtime, folder) = (wasmtime.display(), folder.display());
    format!("'{adapter}' '{wasmtime}' '{folder}' command")
}

/// Fails where a value of `guest/command` has another name than that of `dsh-fs run`.
#[test]
fn the_command_answers_the_vectors_of_the_tools() {
    let test = "the_command_answers_the_vectors_of_the_tools";
    let wasmtime = match wasmtime() {
        Ok(wasmtime) => wasmtime,
        Err(why) => return println!("SKIPPED {test}: {why}"),
    };
    every_vector(&adapter(&wasmtime), 150);
}

#[test]
fn the_command_guards_what_it_was_not_shown() {
    let Some(stock) = over_a_folder("the_command_guards_what_it_was_not_shown") else {
        return;
    };
    fs::write(stock.file("a.txt"), "one\r\ntwo\r\n").expect("a file");
    let calls = [
        edit("a.txt", "one", "1"),
        write("a.txt", "lost"),
        read("a.txt"),
        edit("a.txt", "one\ntwo", "1\n2"),
        write("deep/er/b.txt", "new\n"),
        write("deep/er/b.txt", "newer\n"),
        call("list", json!({})),
    ];
    let answers = stock.answers(&WRITES, &calls);
    let code = |answer: &Value| answer["code"].as_str().unwrap_or("ok").to_owned();
    let codes: Vec<_> = answers.iter().map(code).collect();
    let expected = [
        "FS_NOT_OBSERVED",
        "FS_NOT_OBSERVED",
        "ok",
        "ok",
        "ok",
        "ok",
        "ok",
    ];
    assert_eq!(codes, expected, "{answers:?}");
    assert_eq!(answers[4]["value"]["grade"], "atomic", "{}", answers[4]);
    let edited = &answers[3]["value"];
    let reason = edited["gradeReason"].as_str().expect("a reason");
    assert_eq!(edited["grade"], "best-effort");
    assert!(reason.contains("permissions"), "{reason}");
    let content = fs::read_to_string(stock.file("a.txt")).expect("a text");
    assert_eq!(content, "1\r\n2\r\n");
    let content = fs::read_to_string(stock.file("deep/er/b.txt")).expect("a text");
    assert_eq!(content, "newer\n");
    let names = fs::read_dir(stock.file("deep/er"))
        .expect("a folder")
        .count();
    assert_eq!(names, 1, "nothing staged is left");
}

#[test]
fn the_command_line_has_verbs_and_exit_codes() {
    let Some(stock) = over_a_folder("the_command_line_has_verbs_and_exit_codes") else {
        return;
    };
    assert_eq!(stock.run(&writing(&["write", "a"]), "one\n").0, Some(0));
    assert_eq!(
        stock.run(&writing(&["edit", "a", "one", "two"]), "").0,
        Some(0)
    );
    let (code, told, _) = stock.run(&["read", "a"], "");
    assert!(code == Some(0) && told.contains("two"), "{told}");
    let (code, told, _) = stock.run(&["list"], "");
    assert!(code == Some(0) && told.contains('a'), "{told}");
    // Without --mode nothing is changed.
    let (code, _, why) = stock.run(&["write", "b"], "x");
    assert!(
        code == Some(1) && why.contains("FS_SANDBOX_DENIED"),
        "{why}"
    );
    let (code, _, why) = stock.run(&["--mode", "everything", "read", "a"], "");
    assert!(
        code == Some(1) && why.contains("read-only, workspace-write"),
        "{why}"
    );
    assert!(!fs::exists(stock.file("b")).expect("a look"));
}

/// Wider permissions are never given: there is nobody to ask.
#[test]
fn an_escalation_fails_closed() {
    let Some(stock) = over_a_folder("an_escalation_fails_closed") else {
        return;
    };
    let wider = call(
        "write",
        json!({
            "file_path": "a", "content": "x",
            "sandbox_permissions": "workspace-write", "justification": "I want to",
        }),
    );
    assert_eq!(stock.codes(&[], &[wider]), ["ESCALATION_REFUSED"]);
    assert!(!fs::exists(stock.file("a")).expect("a look"));
}

/// Fails without the check of `protecting` in guest/disk/src/fence.rs.
#[test]
fn a_protected_path_is_kept_read_only() {
    let Some(stock) = over_a_folder("a_protected_path_is_kept_read_only") else {
        return;
    };
    let options = [&WRITES[..], &["--protect", ".git/hooks"]].concat();
    let calls = [
        write(".git/hooks/pre-commit", "x"),
        write(".git", "x"),
        write(".git/note", "x"),
    ];
    let codes = stock.codes(&options, &calls);
    assert_eq!(codes, ["FS_SANDBOX_DENIED", "FS_SANDBOX_DENIED", "ok"]);
}

/// Replacing one of two names would leave the other with the old content.
#[test]
fn a_file_with_two_names_is_not_replaced() {
    let Some(stock) = over_a_folder("a_file_with_two_names_is_not_replaced") else {
        return;
    };
    fs::write(stock.file("a"), "one").expect("a file");
    fs::hard_link(stock.file("a"), stock.file("other")).expect("a link");
    let codes = stock.codes(&WRITES, &[read("a"), edit("a", "one", "two")]);
    assert_eq!(codes, ["ok", "FS_PERMISSION_DENIED"]);
    assert_eq!(fs::read_to_string(stock.file("a")).expect("a text"), "one");
}

/// Another program writes between the read and the edit. Fails without the comparisons of
/// versions in guest/disk (`old` in change.rs, `still_there` in publish.rs).
#[test]
fn what_changed_since_is_not_overwritten() {
    let Some(stock) = over_a_folder("what_changed_since_is_not_overwritten") else {
        return;
    };
    fs::write(stock.file("a"), "one").expect("a file");
    let mut child = stock.start(&stock.file(""), &WRITES);
    let mut input = child.stdin.take().expect("its input");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let mut ask = |call: Value| {
        writeln!(input, "{call}").expect("a call");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer");
        serde_json::from_str::<Value>(&line).expect("JSON")
    };
    assert_eq!(ask(read("a"))["ok"], true);
    fs::write(stock.file("a"), "one, and more").expect("a file");
    assert_eq!(ask(edit("a", "one", "two"))["code"], "FS_STALE_VERSION");
    assert_eq!(ask(write("a", "lost"))["code"], "FS_STALE_VERSION");
    drop(input);
    child.wait().expect("wasmtime ends");
    let content = fs::read_to_string(stock.file("a")).expect("a text");
    assert_eq!(content, "one, and more");
}
