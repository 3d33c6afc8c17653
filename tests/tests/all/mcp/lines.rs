//! Lines by hand: what no client library sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::program;

/// How long an answer, or an end, may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a workspace of its own, and the greeting behind it.
struct Server {
    running: Child,
    input: Option<ChildStdin>,
    /// The lines of the output, read on a thread so that a test need not wait for ever.
    output: Receiver<String>,
    folder: TempDir,
}

impl Server {
    fn start() -> Self {
        let mut server = Self::silent();
        server.greet(&json!({}));
        server
    }

    /// One whose client has said nothing so far.
    fn silent() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        std::fs::create_dir(folder.path().join("ws")).expect("a workspace");
        std::fs::write(folder.path().join("ws/a.txt"), "one\n").expect("a file");
        let mut running = Command::new(program::path())
            .args(["mcp", "--workspace", "ws", "--mode", "workspace-write"])
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("dsh-fs can be started");
        let output = lines(running.stdout.take().expect("it is piped"));
        let input = running.stdin.take();
        Self {
            running,
            input,
            output,
            folder,
        }
    }

    fn greet(&mut self, capabilities: &Value) {
        let client = json!({"name": "by hand", "version": "1"});
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client,
        });
        self.request(0, "initialize", &params);
        assert_eq!(self.next()["result"]["protocolVersion"], "2025-06-18");
        self.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    fn line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("the server reads");
    }

    fn request(&mut self, id: u32, method: &str, params: &Value) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(&request.to_string());
    }

    fn read(&mut self, id: u32) {
        let params = json!({"name": "read", "arguments": {"file_path": "a.txt"}});
        self.request(id, "tools/call", &params);
    }

    /// The next line of the output: always one message.
    fn next(&mut self) -> Value {
        let line = self.output.recv_timeout(PATIENCE).expect("an answer");
        let message: Value = serde_json::from_str(&line).expect("a message");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// A read is answered next, and nothing else before it.
    fn still_answers(&mut self, id: u32) {
        self.read(id);
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }

    /// Waits for the end; answers the rest of the output and of the errors.
    fn ended(&mut self) -> (Option<i32>, String, String) {
        let patience = Instant::now() + PATIENCE;
        while self.running.try_wait().expect("a status").is_none() {
            assert!(Instant::now() < patience, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let code = self.running.wait().expect("a status").code();
        let output: String = self.output.iter().collect();
        let mut errors = String::new();
        let mut stderr = self.running.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut errors).expect("text");
        (code, output, errors)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        self.running.kill().unwrap_or_default();
        self.running.wait().expect("it can be waited for");
    }
}

fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let line = line.expect("text") + "\n";
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Turns red where `message` in `host/mcp/src/lines.rs` does not call `refuse`.
#[test]
fn a_line_that_is_no_message_is_answered_and_skipped() {
    let mut server = Server::start();
    for (line, code, id) in [
        ("{\"jsonrpc\":", -32700, Value::Null),
        ("\u{1}\u{2} not json", -32700, Value::Null),
        ("[1, 2]", -32600, Value::Null),
        ("{\"id\": 5}", -32600, json!(5)),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"no/such\"}",
            -32601,
            json!(6),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":5}}",
            -32602,
            json!(7),
        ),
    ] {
        server.line(line);
        let answer = server.next();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{line}"
        );
    }
    server.line("");
    server.line(&"[".repeat(100_000));
    assert_eq!(server.next()["error"]["code"], -32700);
    server.still_answers(8);
}

/// Turns red where `next` in `host/mcp/src/lines.rs` drops what stands before the end.
#[test]
fn the_last_line_needs_no_ending() {
    let mut server = Server::start();
    let call = json!({"name": "read", "arguments": {"file_path": "a.txt"}});
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
    let input = server.input.as_mut().expect("it is open");
    input
        .write_all(line.to_string().as_bytes())
        .expect("the server reads");
    server.input = None;
    let answer = server.next();
    assert_eq!(
        (&answer["id"], &answer["result"]["isError"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(server.ended(), (Some(0), String::new(), String::new()));
}

/// Turns red without `has_begun` in `host/mcp/src/order.rs`: the error then speaks of fields
/// that no client of these protocols knows.
#[test]
fn a_call_before_the_greeting_is_told_so() {
    let mut server = Server::silent();
    server.request(1, "ping", &json!({}));
    assert_eq!(server.next()["result"], json!({}));
    server.read(2);
    let answer = server.next();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(2), &json!(-32600))
    );
    let why = answer["error"]["message"].as_str().expect("a message");
    assert!(why.contains("initialize"), "{why}");
    server.greet(&json!({}));
    server.still_answers(2);
}

/// Turns red without `waiting` in `host/mcp/src/order.rs`: the first call then gets no answer
/// at all.
#[test]
fn an_id_that_waits_is_not_taken_again() {
    let mut server = Server::start();
    let fifo = server.folder.path().join("ws/fifo");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &fifo,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .expect("a FIFO");
    let wait = json!({"name": "bash", "arguments": {"command": "cat fifo; echo first"}});
    server.request(1, "tools/call", &wait);
    server.read(1);
    let refused = server.next();
    if refused["result"]["structuredContent"]["code"] == "SANDBOX_UNAVAILABLE" {
        println!("SKIPPED an_id_that_waits_is_not_taken_again: nothing confines commands here");
        return;
    }
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&Value::Null, &json!(-32600))
    );
    std::fs::write(&fifo, "").expect("the command reads");
    let first = server.next();
    assert_eq!(first["id"], 1, "{first}");
    assert!(first["result"].to_string().contains("first"), "{first}");
    // From here on the id is free, as is one whose call was cancelled.
    server.still_answers(1);
}

/// Turns red without `is_an_answer` in `host/mcp/src/lines.rs`: the question stays open, and
/// its call with it.
#[test]
fn an_answer_that_is_none_is_no_yes_and_ends_its_question() {
    let mut server = Server::silent();
    server.greet(&json!({"elicitation": {}}));
    for (id, extra) in [
        (1, json!({"error": {"code": 1, "message": "no"}})),
        (2, json!({})),
    ] {
        let outside = server.folder.path().join("outside");
        let args = json!({
            "file_path": outside, "content": "x",
            "sandbox_permissions": "danger-full-access", "justification": "why",
        });
        server.request(
            id,
            "tools/call",
            &json!({"name": "write", "arguments": args}),
        );
        let question = server.next();
        assert_eq!(question["method"], "elicitation/create");
        let mut answer = json!({"jsonrpc": "2.0", "id": question["id"]});
        answer["result"] = json!({"action": "accept", "content": {"answer": "once"}});
        match extra.as_object().filter(|extra| !extra.is_empty()) {
            Some(_) => answer["error"] = extra["error"].clone(),
            None => answer["result"] = json!("yes"),
        }
        server.line(&answer.to_string());
        let ended = server.next();
        assert_eq!(ended["id"], id, "{ended}");
        let code = &ended["result"]["structuredContent"]["code"];
        assert_eq!(code, "ESCALATION_REFUSED");
        assert!(!outside.exists());
    }
    server.still_answers(3);
}

/// Turns red without `LONGEST_COMMAND` in `host/harness/src/bash/arguments.rs`: the system
/// then refuses the program, as if nothing could confine it.
#[test]
fn a_command_that_no_program_takes_is_a_wrong_argument() {
    let mut server = Server::start();
    for (id, length, code) in [
        (1, 131_072, json!("INVALID_ARGUMENTS")),
        (2, 131_071, Value::Null),
    ] {
        let command = format!("true {}", "x".repeat(length - 5));
        let call = json!({"name": "bash", "arguments": {"command": command}});
        server.request(id, "tools/call", &call);
        let told = &server.next()["result"]["structuredContent"]["code"];
        if told == "SANDBOX_UNAVAILABLE" && length < 131_072 {
            println!("SKIPPED a command of {length} bytes: nothing confines commands here");
            continue;
        }
        assert_eq!(*told, code, "{length}");
    }
}

/// Turns red without `skipped` in `host/mcp/src/lines.rs`: the rest of the line is then
/// taken for messages.
#[test]
fn a_line_that_is_too_long_is_skipped_in_bounded_memory() {
    let mut server = Server::start();
    let piece = "x".repeat(1 << 20);
    let mut input = server.input.take().expect("it is open");
    input
        .write_all(br#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":""#)
        .expect("the server reads");
    for _ in 0..80 {
        input.write_all(piece.as_bytes()).expect("the server reads");
    }
    input.write_all(b"\n").expect("the server reads");
    server.input = Some(input);
    let answer = server.next();
    let told = (&answer["error"]["code"], &answer["id"]);
    assert_eq!(told, (&json!(-32600), &json!(9)), "{answer}");
    server.still_answers(1);
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.running.id()));
    let status = status.expect("Linux tells");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|rest| rest.trim().strip_suffix(" kB")?.trim().parse().ok());
    let peak: u64 = peak.expect("a peak");
    assert!(peak < 300 * 1024, "{peak} kB");
}

/// Calls that run when the input ends are answered; then the server ends of itself.
#[test]
fn nothing_is_lost_when_the_input_ends() {
    let mut server = Server::start();
    for id in 1..=20 {
        server.read(id);
    }
    let args = json!({"file_path": "b.txt", "content": "b\n"});
    server.request(
        21,
        "tools/call",
        &json!({"name": "write", "arguments": args}),
    );
    server.input = None;
    let made = server.folder.path().join("ws/b.txt");
    let (code, output, errors) = server.ended();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let mut ids: Vec<_> = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a message")["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=21).map(Some).collect::<Vec<_>>());
    assert!(std::fs::read_to_string(made).is_ok_and(|text| text == "b\n"));
}

/// Turns red without the signals in `host/mcp/src/stdio.rs`: the code is then that of a
/// signal.
#[test]
fn a_request_to_terminate_is_a_clean_end() {
    let mut server = Server::start();
    server.still_answers(1);
    let process = rustix::process::Pid::from_child(&server.running);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("it runs");
    let (code, output, errors) = server.ended();
    assert_eq!((code, output.as_str(), errors.as_str()), (Some(0), "", ""));
}

/// A client that goes before it said anything is no failure; one that begins otherwise is.
#[test]
fn a_client_that_does_not_begin_is_told_apart() {
    for (line, code, said) in [
        ("", 0, ""),
        (
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
            1,
            "did not begin",
        ),
    ] {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let mut command = Command::new(program::path());
        command
            .args(["mcp", "--workspace", "."])
            .current_dir(folder.path());
        command.env("XDG_STATE_HOME", folder.path().join("state"));
        let ended = program::finish(&mut command, line.as_bytes());
        assert_eq!(ended.code, Some(code), "{}", ended.stderr);
        assert!(
            ended.stderr.contains(said) && ended.stdout.is_empty(),
            "{}",
            ended.stderr
        );
    }
}
