//! The stock program wasmtime: the plain functions by `--invoke`, and the composed command
//! over folders that are given to it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use dsh_fs_tests::case::Case;
use dsh_fs_tests::places::Places;
use dsh_fs_tests::{after, dialect, files, tree};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{components, every_line, every_vector, run, vectors_folder, workspace};

/// The program that `.ci/wasmtime` builds, or one that is on the path; or why the test
/// cannot run.
fn wasmtime() -> Result<PathBuf, String> {
    let wanted = version();
    let built = target().join("wasmtime/bin/wasmtime");
    for program in [built, PathBuf::from("wasmtime")] {
        let told = run(Command::new(&program).arg("--version")).unwrap_or_default();
        if told.split_whitespace().nth(1) == Some(wanted.as_str()) {
            return Ok(program);
        }
    }
    Err(format!(
        "wasmtime {wanted} is not there: .ci/wasmtime builds it"
    ))
}

/// The target folder, in which the folder for tests is.
fn target() -> PathBuf {
    let tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tests.parent().expect("a folder above").to_path_buf()
}

/// The release whose library the host uses.
fn version() -> String {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).expect("the manifest");
    let (_, rest) = manifest
        .split_once("\nwasmtime = { version = \"")
        .expect("wasmtime");
    rest.split('"').next().expect("a version").to_owned()
}

#[test]
fn the_plain_functions_answer_the_vectors_by_invoke() {
    let wasmtime = match wasmtime() {
        Ok(wasmtime) => wasmtime,
        Err(why) => {
            let count = every_line().len();
            println!(
                "SKIPPED the_plain_functions_answer_the_vectors_by_invoke: {why}; none of {count} \
                 vectors was tried"
            );
            return;
        }
    };
    let folder = components();
    let adapter = env!("CARGO_BIN_EXE_stock");
    let command = format!(
        "'{adapter}' '{}' '{}'",
        wasmtime.display(),
        folder.display()
    );
    every_vector(&command, 40);
}

/// A program with one folder, as a person starts it.
struct Stock {
    wasmtime: PathBuf,
    command: PathBuf,
    place: TempDir,
}

impl Stock {
    /// Compiles the command once; says why where the test cannot run.
    fn new(test: &str) -> Option<Self> {
        let wasmtime = match wasmtime() {
            Ok(wasmtime) => wasmtime,
            Err(why) => {
                println!("SKIPPED {test}: {why}");
                return None;
            }
        };
        let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        fs::create_dir(place.path().join("ws")).expect("a workspace");
        let command = place.path().join("command.cwasm");
        let component = components().join("dsh-fs-command.wasm");
        let mut compile = Command::new(&wasmtime);
        compile
            .arg("compile")
            .arg(component)
            .arg("-o")
            .arg(&command);
        run(&mut compile).expect("the command compiles");
        Some(Self {
            wasmtime,
            command,
            place,
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.path().join("ws").join(name)
    }

    /// Runs the command over the workspace; its exit code, output and errors.
    fn run(&self, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
        self.run_over(&self.place.path().join("ws"), arguments, input)
    }

    fn start(&self, folder: &Path, arguments: &[&str]) -> Child {
        let mut program = Command::new(&self.wasmtime);
        program
            .args(["run", "--allow-precompiled", "--dir"])
            .arg(format!("{}::/ws", folder.display()))
            .arg(&self.command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        program.spawn().expect("wasmtime starts")
    }

    fn run_over(
        &self,
        folder: &Path,
        arguments: &[&str],
        input: &str,
    ) -> (Option<i32>, String, String) {
        let mut child = self.start(folder, arguments);
        let mut stdin = child.stdin.take().expect("its input");
        // A command that reads nothing may have ended.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("wasmtime ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// The answers to calls, one each.
    fn answers(&self, arguments: &[&str], calls: &[Value]) -> Vec<Value> {
        let lines: String = calls.iter().map(|call| format!("{call}\n")).collect();
        let (_, output, errors) = self.run(arguments, &lines);
        let answers: Vec<Value> = output
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(answers.len(), calls.len(), "{output}{errors}");
        answers
    }

    fn codes(&self, arguments: &[&str], calls: &[Value]) -> Vec<String> {
        let code = |answer: &Value| answer["code"].as_str().unwrap_or("ok").to_owned();
        self.answers(arguments, calls).iter().map(code).collect()
    }
}

fn call(tool: &str, args: Value) -> Value {
    json!({ "tool": tool, "args": args })
}

fn read(path: &str) -> Value {
    call("read", json!({ "file_path": path }))
}

fn write(path: &str, content: &str) -> Value {
    call("write", json!({ "file_path": path, "content": content }))
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    let args = json!({ "file_path": path, "old_string": old, "new_string": new });
    call("edit", args)
}

const WRITES: [&str; 2] = ["--mode", "workspace-write"];

/// Arguments after the option that lets the workspace be written.
fn writing<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&WRITES, rest].concat()
}

#[test]
fn the_command_guards_what_it_was_not_shown() {
    let Some(stock) = Stock::new("the_command_guards_what_it_was_not_shown") else {
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
    let Some(stock) = Stock::new("the_command_line_has_verbs_and_exit_codes") else {
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
    let Some(stock) = Stock::new("an_escalation_fails_closed") else {
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
    let Some(stock) = Stock::new("a_protected_path_is_kept_read_only") else {
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
    let Some(stock) = Stock::new("a_file_with_two_names_is_not_replaced") else {
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
    let Some(stock) = Stock::new("what_changed_since_is_not_overwritten") else {
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

/// The escape cases, with the verdicts of a resolver that stays beneath a folder: an
/// absolute name, and a path that leaves and comes back, are refused as well. Nothing that
/// is refused changes anything. Fails without `failure::outside` in guest/disk/src/walk.rs.
#[test]
fn nothing_leads_out_of_the_folder() {
    let Some(stock) = Stock::new("nothing_leads_out_of_the_folder") else {
        return;
    };
    let verdicts = fs::read_to_string(workspace().join("tests/stock/beneath.json"));
    let verdicts: Value = serde_json::from_str(&verdicts.expect("verdicts")).expect("JSON");
    let lines = files::lines(&vectors_folder().join("escape.jsonl")).expect("the escape cases");
    let mut wrong = Vec::new();
    let mut tried = 0;
    for line in lines {
        let case = dialect::read(&line).expect("a vector");
        let Some(verdict) = verdicts[&case.id].as_str() else {
            continue;
        };
        tried += 1;
        if let Err(why) = escape(&stock, &case, verdict) {
            wrong.push(format!("{}: {why}", case.id));
        }
    }
    assert!(tried >= 70, "only {tried} cases were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn escape(stock: &Stock, case: &Case, verdict: &str) -> Result<(), String> {
    let places = Places::below(stock.place.path()).expect("places");
    tree::build(&case.given, &places).expect("a tree");
    let before = after::photograph(places.base());
    let policy = case.given.policy.as_ref().expect("a policy");
    let root = places.fill(policy.workspace_root.as_deref().expect("a root"));
    let mut options = vec!["--mode", policy.mode.as_deref().unwrap_or("read-only")];
    for kept in &policy.protected {
        options.extend(["--protect", kept]);
    }
    let op = places.fill_value(&case.steps.last().expect("an operation").op);
    let tool = op["name"].as_str().expect("a tool");
    let last = call(tool, op["args"].clone());
    let first = read(op["args"]["file_path"].as_str().expect("a path"));
    let input = match tool {
        "write" | "edit" => format!("{first}\n{last}\n"),
        _ => format!("{last}\n"),
    };
    let (_, output, errors) = stock.run_over(Path::new(&root), &options, &input);
    let answer = output.lines().last().unwrap_or_default();
    let answer: Value = serde_json::from_str(answer).map_err(|_| format!("{output}{errors}"))?;
    let code = answer["code"].as_str().unwrap_or("ok");
    if !codes(verdict).contains(&code) {
        return Err(format!("{verdict}, and it was {answer}"));
    }
    if code != "ok" && before != after::photograph(places.base()) {
        return Err("it was refused, and something has changed".to_owned());
    }
    Ok(())
}

/// The codes that a verdict stands for.
fn codes(verdict: &str) -> &'static [&'static str] {
    match verdict {
        "allow" => &["ok"],
        "deny" => &["FS_SANDBOX_DENIED"],
        "error:hard-linked" => &["FS_PERMISSION_DENIED"],
        "error:not-found" | "error:loop" | "error:name-too-long" => &["FS_NOT_FOUND"],
        "error:is-directory" => &["FS_NOT_REGULAR_FILE", "FS_NOT_FOUND"],
        "error:not-regular" => &["FS_NOT_REGULAR_FILE"],
        "error:not-directory" => &["FS_NOT_FOUND", "FS_NOT_DIRECTORY"],
        "error:invalid-path" => &["FS_NOT_FOUND", "INVALID_ARGUMENTS"],
        other => panic!("the verdict {other} is not known"),
    }
}
