//! `dsh-fs audit`: a timeline that holds whatever the file holds.

use std::fs;

use dsh_fs_runtime::{AuditSink, Event, JsonLines, Record};
use serde_json::{Value, json};

use super::place::{Place, answers, call, code, lines as lines_of};
use super::program;

/// A name of a file that would take over a terminal, or a page.
pub(super) const HOSTILE: &str =
    "/ws/\u{1b}[2J<script>document.title='taken'</script><img src=x onerror=alert(1)>\n\u{202e}x";

/// A place with the records of two sessions in `audit.jsonl`.
pub(super) fn place() -> Place {
    let place = Place::new();
    let sink = JsonLines::open(&place.beside("audit.jsonl"), |error| panic!("{error}"));
    let sink = sink.expect("an audit file");
    let published = |key| Event::Published {
        tool: "write",
        key,
        operation: "create",
        guard: "create-if-absent",
        version: Some("v"),
        previous: None,
        grade: "atomic",
    };
    let failed = |path| Event::CallFailed {
        tool: "edit",
        path: Some(path),
        code: "FS_NOT_OBSERVED",
    };
    let started = Event::SessionStarted {
        mode: "workspace-write",
        root: "/ws",
        forked: false,
    };
    for (session, event) in [
        ("main", started),
        ("main", published("/ws/src/one.rs")),
        ("main", published(HOSTILE)),
        ("other", published("/ws/src/two.rs")),
        ("other", failed("/ws/a\\nb")),
    ] {
        sink.record(&Record::now(Some(session), event));
    }
    place
}

/// Fails without `canonical` in `Session::judged`: nobody would learn what was asked for.
#[test]
fn a_refusal_of_wider_permissions_names_the_file() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.beside("out"), place.file("link")).expect("a link");
    let wide = json!({
        "sandbox_permissions": "danger-full-access", "justification": "why",
        "file_path": "link", "content": "x",
    });
    place.answers(&["--audit", "a.jsonl"], &[call("write", wide)]);
    let text = fs::read_to_string(place.beside("a.jsonl")).expect("an audit");
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let refused = |record: &Value| record["code"] == "ESCALATION_REFUSED";
    let refused: Vec<_> = records.filter(refused).collect();
    let folder = place.workspace().canonicalize().expect("it is there");
    let out = folder.with_file_name("out");
    assert!(!refused.is_empty(), "{text}");
    for record in refused {
        assert_eq!(record["path"], out.to_str().expect("UTF-8"), "{record}");
    }
}

/// An audit that cannot be written changes no answer, is said twice, and is no success. Fails
/// without `recording::finish` in `main`.
#[test]
fn a_lost_audit_is_told_and_counted() {
    let place = Place::new();
    let write = lines_of(&[call("write", json!({"file_path": "new", "content": "x"}))]);
    let ended = place.run(&["--audit", "/dev/full"], write.as_bytes());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(place.file("new").exists());
    let told: Vec<_> = ended.stderr.lines().collect();
    assert!(
        told[0].starts_with("dsh-fs: note: audit /dev/full: "),
        "{told:?}"
    );
    assert!(
        told[1].ends_with("records could not be written"),
        "{told:?}"
    );
    assert_eq!(told.len(), 2, "{told:?}");
}

/// Fails without `is_recorded` in `Agent::call`, and without `no_audit` in `setup`.
#[test]
fn a_deployment_that_wants_its_audit_changes_nothing_without() {
    let place = Place::with_file("one");
    let workspace = place.workspace().canonicalize().expect("it is there");
    let policy = format!(
        "mode = \"workspace-write\"\nworkspace = \"{}\"\ntemp-roots = false\n\
         audit-failure = \"refuse\"\n",
        workspace.display()
    );
    fs::create_dir(place.beside("etc")).expect("a folder");
    fs::write(place.beside("etc/p.toml"), policy).expect("a policy");
    let run = ["run", "--config", "etc/p.toml"];
    let why = place.program(run).failed(6);
    assert!(why.contains("audit-failure"), "{why}");
    let calls = lines_of(&[
        call("read", json!({"file_path": "a.txt"})),
        call("write", json!({"file_path": "new", "content": "x"})),
        call("bash", json!({"command": "touch made"})),
    ]);
    let answer = |audit: &str| {
        let mut command = place.command(program::path());
        command.args(run).args(["--audit", audit]);
        let ended = program::finish(&mut command, calls.as_bytes());
        answers(&ended.stdout).iter().map(code).collect::<Vec<_>>()
    };
    let refused = "FS_IO_ERROR";
    assert_eq!(answer("/dev/full"), ["ok", refused, refused]);
    assert!(!place.file("new").exists() && !place.file("made").exists());
    assert_eq!(answer("a.jsonl")[..2], ["ok", "ok"]);
}

fn lines(place: &Place, args: &[&str]) -> Vec<String> {
    let all = ["audit", "audit.jsonl"].iter().chain(args);
    let text = place.program(all).done();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_timeline_tells_when_who_what_and_where() {
    let lines = lines(&place(), &[]);
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[0].contains("session started under workspace-write"));
    for part in ["Z  main", "atomic", "write: create", "/ws/src/one.rs"] {
        assert!(lines[1].contains(part), "{}", lines[1]);
    }
    assert!(lines[4].contains("FS_NOT_OBSERVED") && lines[4].ends_with("/ws/a\\nb"));
}

/// Fails where `Entry::text` shows a text as it stands.
#[test]
fn a_hostile_name_is_one_line_without_control() {
    let lines = lines(&place(), &["--path", "<script>"]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].ends_with("\\n\\u{202e}x"), "{}", lines[0]);
    assert!(!lines[0].contains(['\u{1b}', '\u{202e}']), "{}", lines[0]);
}

#[test]
fn filters_are_by_session_path_and_outcome() {
    let place = place();
    let count = |args: &[&str]| lines(&place, args).len();
    assert_eq!(count(&["--session", "main"]), 3);
    assert_eq!(count(&["--session", "mai"]), 0);
    assert_eq!(count(&["--path", "src/"]), 2);
    assert_eq!(count(&["--path", "a\nb"]), 1);
    assert_eq!(count(&["--code", "fs_not_observed"]), 1);
    assert_eq!(count(&["--code", "atomic", "--session", "other"]), 1);
}

#[test]
fn json_is_the_records_as_they_stand() {
    let place = place();
    let all = lines(&place, &["--json"]);
    let file = fs::read_to_string(place.beside("audit.jsonl")).expect("the audit file");
    assert_eq!(all, file.lines().collect::<Vec<_>>());
    let one = lines(&place, &["--json", "--path", "two.rs"]);
    let one: Value = serde_json::from_str(&one[0]).expect("JSON");
    assert_eq!(one["key"], "/ws/src/two.rs");
}

#[test]
fn lines_that_are_no_records_are_counted_and_skipped() {
    let place = place();
    let mut file = fs::read(place.beside("audit.jsonl")).expect("the audit file");
    let garbage =
        b"no json\n[1]\n\n{\"event\":7}\n\xff\n{\"event\":\"of-tomorrow\",\"key\":5}\n{\"ev";
    file.extend_from_slice(garbage);
    fs::write(place.beside("audit.jsonl"), file).expect("the audit file");
    let ended = place.program(["audit", "audit.jsonl"]);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.stdout.lines().count(), 6, "{}", ended.stdout);
    assert!(ended.stdout.contains("of-tomorrow"), "{}", ended.stdout);
    let note = "dsh-fs: note: 5 lines are no records (the first is line 6)\n";
    assert_eq!(ended.stderr, note);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let place = Place::new();
    let why = place.program(["audit", "missing.jsonl"]).failed(1);
    assert!(why.starts_with("missing.jsonl"), "{why}");
    let why = place.program(["audit", "ws"]).failed(1);
    assert!(!why.is_empty());
}
