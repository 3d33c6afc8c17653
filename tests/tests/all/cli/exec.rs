//! `dsh-fs exec`: what a command has of the program, what it is told, and what is told of it.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::place::Place;
use super::program;

/// A place, and what confines the commands in it; `none` is full access.
struct Ground {
    place: Place,
    backend: &'static str,
}

impl Ground {
    fn command(&self, options: &[&str], command: &[&str]) -> Command {
        let mut program = self.place.command(program::path());
        program.args(["exec", "--config", "etc/p.toml"]);
        program.args(options).arg("--").args(command);
        program
    }

    /// The exit code of a script, and standard error.
    fn sh(&self, script: &str) -> (Option<i32>, String) {
        ended(&mut self.command(&[], &["sh", "-c", script]))
    }

    /// The verdict in the audit, and the exit code.
    fn verdict(&self, command: &[&str]) -> (String, Option<i32>) {
        let audit = self.place.beside("audit");
        // It is appended to; there is none at first.
        let _ = fs::remove_file(&audit);
        let (code, _) = ended(&mut self.command(&["--audit", "audit"], command));
        let text = fs::read_to_string(audit).expect("an audit");
        let record: Value = serde_json::from_str(text.trim()).expect("JSON");
        let verdict = record["verdict"].as_str().expect("a verdict");
        (verdict.to_owned(), code)
    }
}

fn ended(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("dsh-fs can be started");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
}

/// A ground for each backend that works here, and says which do not.
fn confined(test: &str) -> Vec<Ground> {
    let both = ["bubblewrap", "landlock"].map(|backend| ground(backend, "workspace-write"));
    let works = |ground: &Ground| {
        let (code, why) = ground.sh(":");
        if code == Some(212) {
            println!("SKIPPED {test}: {why}");
        }
        code != Some(212)
    };
    both.into_iter().filter(works).collect()
}

/// The same, and one without confinement.
fn everywhere(test: &str) -> Vec<Ground> {
    let mut grounds = confined(test);
    grounds.push(ground("none", "danger-full-access"));
    grounds
}

fn ground(backend: &'static str, mode: &str) -> Ground {
    let place = Place::new();
    let workspace = place.workspace().canonicalize().expect("it is there");
    let shell = if backend == "none" { "auto" } else { backend };
    let policy = format!(
        "mode = \"{mode}\"\nworkspace = {workspace:?}\ntemp-roots = false\n\
         [shell]\nbackend = \"{shell}\"\n"
    );
    fs::create_dir(place.beside("etc")).expect("a folder");
    let file = place.beside("etc/p.toml");
    fs::write(&file, policy).expect("a policy");
    for (path, mode) in [(place.beside("etc"), 0o755), (file, 0o600)] {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("permitted");
    }
    Ground { place, backend }
}

fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "no {path:?}");
        sleep(Duration::from_millis(10));
    }
}

/// Whether a file goes on growing.
fn grows(file: &Path) -> bool {
    sleep(Duration::from_millis(150));
    let size = || fs::metadata(file).map_or(0, |found| found.len());
    let before = size();
    sleep(Duration::from_millis(250));
    size() != before
}

/// How a program ends, soon.
fn end_of(program: &mut Child) -> ExitStatus {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if let Some(status) = program.try_wait().expect("it was started") {
            return status;
        }
        sleep(Duration::from_millis(10));
    }
    program.kill().expect("it runs");
    panic!("it does not end: {:?}", program.wait());
}

fn signal(program: &Child, signal: Signal) {
    kill_process(Pid::from_child(program), signal).expect("it runs");
}

/// Fails where the words decide instead of the report (`run::evidence`): then it is 211.
#[test]
fn the_words_of_a_runner_make_none() {
    for ground in everywhere("the_words_of_a_runner_make_none") {
        for code in [1, 125] {
            let script = format!(
                "echo 'bwrap: execvp x: No such file or directory' >&2; \
                 echo 'landlock-run: exec failed' >&2; exit {code}"
            );
            let verdict = ground.verdict(&["sh", "-c", &script]);
            assert_eq!(
                verdict,
                ("failed".to_owned(), Some(code)),
                "{}",
                ground.backend
            );
        }
    }
}

/// Fails without `NoProgram` in `exec`, and without `tell` in `start.rs`.
#[test]
fn a_program_that_cannot_be_started_is_126_or_127() {
    for ground in everywhere("a_program_that_cannot_be_started") {
        fs::write(ground.place.file("text"), "x").expect("a file");
        for (program, code) in [("no-such-program", 127), ("./none", 127), ("./text", 126)] {
            let verdict = ground.verdict(&[program]);
            let expected = ("no-program".to_owned(), Some(code));
            assert_eq!(verdict, expected, "{}: {program}", ground.backend);
        }
        let verdict = ground.verdict(&["sh", "-c", "exit 127"]);
        assert_eq!(
            verdict,
            ("failed".to_owned(), Some(127)),
            "{}",
            ground.backend
        );
    }
}

/// On a terminal nothing that is written is seen, and the program is looked for instead.
/// Fails without `looked_for`: bubblewrap is blamed.
#[test]
fn a_program_that_cannot_be_started_is_told_on_a_terminal_too() {
    for ground in everywhere("told_on_a_terminal_too") {
        fs::write(ground.place.file("text"), "x").expect("a file");
        for (program, code) in [("no-such-program", "127"), ("./text", "126"), ("true", "0")] {
            let Some(shown) = on_a_terminal(&ground, &format!("{program}; echo ended $?"), "")
            else {
                return println!("SKIPPED told_on_a_terminal_too: there is no script(1)");
            };
            let ended = format!("ended {code}");
            assert!(
                shown.contains(&ended),
                "{}: {program}: {shown}",
                ground.backend
            );
        }
    }
}

/// Runs `dsh-fs exec … -- COMMAND` in a shell on a terminal, typing these keys after a
/// second. Nothing where there is no program that makes a terminal.
fn on_a_terminal(ground: &Ground, command: &str, keys: &str) -> Option<String> {
    Command::new("script").arg("--version").output().ok()?;
    let line = format!(
        "'{}' exec --config etc/p.toml -- {command}",
        program::path().display()
    );
    let typed = format!("(sleep 1; printf '{keys}'; sleep 1) | script -qec \"$0\" /dev/null");
    let mut shell = ground.place.command("sh".as_ref());
    let output = shell.args(["-c", &typed, &line]).output();
    let output = output.expect("sh can be started");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A script that says when it is ready, counts the signals that it gets, and ends with 3.
const LISTENING: &str = "trap 'echo x >> got; sleep 0.2; exit 3' TERM INT HUP QUIT; : > ready; \
                         while :; do sleep 0.05; done";

fn started(command: &mut Command, ready: &Path) -> Child {
    let streams = command.stdin(Stdio::null()).stdout(Stdio::null());
    let program = streams.stderr(Stdio::piped()).spawn();
    let program = program.expect("dsh-fs can be started");
    wait_for(ready);
    program
}

/// Fails without `Forwarding`: the program ends, and the command is not told.
#[test]
fn a_signal_to_the_program_reaches_the_command() {
    for number in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        for ground in everywhere("a_signal_to_the_program") {
            let mut command = ground.command(&[], &["sh", "-c", LISTENING]);
            let mut program = started(&mut command, &ground.place.file("ready"));
            signal(&program, number);
            let status = end_of(&mut program);
            assert_eq!(status.code(), Some(3), "{}: {number:?}", ground.backend);
            assert_eq!(ground.place.content("got"), "x\n", "{}", ground.backend);
        }
    }
}

/// As a shell has it: 128 and the number, whoever sent it.
#[test]
fn a_command_that_a_signal_ends_is_128_and_its_number() {
    for ground in everywhere("a_command_that_a_signal_ends") {
        assert_eq!(
            ground.sh("kill -KILL $$").0,
            Some(137),
            "{}",
            ground.backend
        );
        let script = ": > ready; exec sleep 60";
        let mut command = ground.command(&[], &["sh", "-c", script]);
        let mut program = started(&mut command, &ground.place.file("ready"));
        signal(&program, Signal::TERM);
        let status = end_of(&mut program);
        assert_eq!(status.code(), Some(143), "{}", ground.backend);
    }
}

/// A process that writes until it is killed, one that it has started, and one that has left
/// its session.
const TICKING: &str = "printf 'while :; do printf x >> $1; sleep 0.01; done' > loop; \
                       (setsid sh loop left &); sh loop inner & \
                       while ! [ -s left ] || ! [ -s inner ]; do sleep 0.01; done; sh loop outer";

/// Fails where nothing ends it but the program: without `end_with` in `start.rs`, and for
/// what the command has started under Landlock, without `end_all` in `watch.rs`.
#[test]
fn a_command_ends_with_a_program_that_is_killed() {
    for ground in confined("a_command_ends_with_a_program") {
        let mut command = ground.command(&[], &["sh", "-c", TICKING]);
        let mut program = started(&mut command, &ground.place.file("outer"));
        program.kill().expect("it runs");
        program.wait().expect("it was started");
        for name in ["outer", "inner", "left"] {
            let goes_on = grows(&ground.place.file(name));
            assert!(!goes_on, "{}: {name}", ground.backend);
        }
    }
}

/// The tool bash of a server, which a client may end in any way.
#[test]
fn a_command_of_a_server_ends_with_it() {
    for ground in confined("a_command_of_a_server") {
        for number in [Signal::TERM, Signal::KILL] {
            for name in ["outer", "inner", "left"] {
                // There are none at first.
                let _ = fs::remove_file(ground.place.file(name));
            }
            let mut server = ground.place.command(program::path());
            server.args(["mcp", "--config", "etc/p.toml"]);
            let server = server.stdin(Stdio::piped()).stdout(Stdio::null());
            let mut server = server.spawn().expect("dsh-fs can be started");
            let calls = [
                json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"}}}),
                json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
                json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                    "name": "bash", "arguments": {"command": TICKING}}}),
            ];
            let stdin = server.stdin.as_mut().expect("it is piped");
            for call in calls {
                writeln!(stdin, "{call}").expect("it reads");
            }
            wait_for(&ground.place.file("outer"));
            signal(&server, number);
            end_of(&mut server);
            for name in ["outer", "inner", "left"] {
                let goes_on = grows(&ground.place.file(name));
                assert!(!goes_on, "{}: {number:?}: {name}", ground.backend);
            }
        }
    }
}

/// Without confinement no more than the command itself does.
#[test]
fn an_unconfined_command_ends_with_a_program_that_is_killed() {
    let ground = ground("none", "danger-full-access");
    let script = "while :; do printf x >> outer; sleep 0.01; done";
    let mut command = ground.command(&[], &["sh", "-c", script]);
    let mut program = started(&mut command, &ground.place.file("outer"));
    program.kill().expect("it runs");
    program.wait().expect("it was started");
    assert!(!grows(&ground.place.file("outer")));
}

/// What a command leaves behind ends with it, as under bubblewrap. Without confinement it
/// goes on, as ever. Fails without `end_all` in `watch.rs` under Landlock.
#[test]
fn what_a_confined_command_leaves_behind_ends_with_it() {
    for ground in everywhere("what_a_confined_command_leaves_behind") {
        let script = "(for i in $(seq 400); do printf x >> tick; sleep 0.01; done) \
                      >/dev/null 2>&1 & while ! [ -s tick ]; do sleep 0.01; done";
        assert_eq!(ground.sh(script).0, Some(0), "{}", ground.backend);
        let goes_on = grows(&ground.place.file("tick"));
        assert_eq!(goes_on, ground.backend == "none", "{}", ground.backend);
    }
}

/// Whoever starts the program has left a file open for writing. Fails without
/// `close_at_start`.
#[test]
fn no_open_file_is_handed_to_the_command() {
    for ground in everywhere("no_open_file_is_handed") {
        let out = ground.place.beside("out");
        let script = "echo x >&9 || exit 4";
        let mut shell = ground.place.command("sh".as_ref());
        shell.args(["-c", "exec \"$@\" 9>>out", "sh"]);
        let exec = ground.command(&[], &["sh", "-c", script]);
        let output = shell.arg(exec.get_program()).args(exec.get_args()).output();
        let output = output.expect("sh can be started");
        assert_eq!(output.status.code(), Some(4), "{}", ground.backend);
        assert_eq!(
            fs::read(out).expect("it is there"),
            b"",
            "{}",
            ground.backend
        );
    }
}

/// A descriptor from outside leads past the mounts of bubblewrap. Fails there without
/// `Streams`.
#[test]
fn standard_input_leads_nowhere() {
    for ground in confined("standard_input_leads_nowhere") {
        let (out, input) = (ground.place.beside("out"), ground.place.beside("out/in"));
        fs::create_dir(&out).expect("a folder");
        fs::write(&input, "old").expect("a file");
        let script = "cat > read; echo x > /proc/self/fd/0; echo x > /proc/self/fd/0/../../y; \
                      cd /proc/self/fd/0 && echo x > new; cd /proc/self/fd/0/.. && echo x > new";
        for path in [&input, &out] {
            let stdin = File::open(path).expect("it is there");
            let mut command = ground.command(&[], &["sh", "-c", script]);
            command
                .stdin(stdin)
                .output()
                .expect("dsh-fs can be started");
            assert_eq!(
                fs::read(&input).expect("it is there"),
                b"old",
                "{}",
                ground.backend
            );
            assert!(!out.join("new").exists(), "{}", ground.backend);
            assert!(!ground.place.beside("new").exists(), "{}", ground.backend);
            if path == &input {
                assert_eq!(ground.place.content("read"), "old", "{}", ground.backend);
            }
        }
    }
}

/// The command could type into the terminal. Fails under Landlock where neither `divide` nor
/// `by_itself` makes a session, and under bubblewrap where `--new-session` goes too. Without
/// confinement it keeps its terminal.
#[test]
fn a_confined_command_has_no_terminal_to_type_into() {
    for ground in everywhere("no_terminal_to_type_into") {
        let Some(shown) = on_a_terminal(&ground, "sh -c ': > /dev/tty && echo typ''es'", "") else {
            return println!("SKIPPED no_terminal_to_type_into: there is no script(1)");
        };
        let types = shown.contains("types");
        assert_eq!(
            types,
            ground.backend == "none",
            "{}: {shown}",
            ground.backend
        );
    }
}

/// Ctrl-C reaches the command once, whether the terminal sends it or the program does.
/// Fails without `has_got_it` where there is no confinement, and else without `Forwarding`.
#[test]
fn an_interrupt_at_the_terminal_reaches_the_command_once() {
    for ground in everywhere("an_interrupt_at_the_terminal") {
        fs::write(ground.place.file("script"), LISTENING).expect("a script");
        let Some(shown) = on_a_terminal(&ground, "sh script; echo ended $?", "\\003") else {
            return println!("SKIPPED an_interrupt_at_the_terminal: there is no script(1)");
        };
        assert_eq!(
            ground.place.content("got"),
            "x\n",
            "{}: {shown}",
            ground.backend
        );
    }
}

/// Fails where any of it is different from a command that somebody starts without dsh-fs.
#[test]
fn full_access_is_claimed_by_no_backend() {
    let ground = ground("none", "danger-full-access");
    let script = "cat; echo said >&2; echo x > ../out; exit 7";
    let mut command = ground.command(&["--verbose", "--audit", "audit"], &["sh", "-c", script]);
    let ended = program::finish(&mut command, b"in");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(7), "in"));
    let told = "dsh-fs: note: nothing confines the command\nsaid\n";
    assert_eq!(ended.stderr, told);
    assert!(ground.place.beside("out").exists());
    let audit = fs::read_to_string(ground.place.beside("audit")).expect("an audit");
    let record: Value = serde_json::from_str(audit.trim()).expect("JSON");
    assert_eq!(
        (&record["backend"], &record["enforcement"]),
        (&"none".into(), &"none".into())
    );
    assert_eq!(
        record["reasons"].as_array().map_or(0, Vec::len),
        0,
        "{record}"
    );
}

/// Fails without `without_secrets`, and without `--keep-env`.
#[test]
fn what_looks_like_a_secret_is_kept_back_unless_it_is_named() {
    for ground in everywhere("what_looks_like_a_secret") {
        let script = "test -z \"$GH_PAT$DB\" && test \"$NPM_AUTH\" = a && test \"$PLAIN\" = b";
        let mut command = ground.command(&["--keep-env", "NPM_AUTH"], &["sh", "-c", script]);
        command.env("GH_PAT", "x").env("DB", "pg://u:p@h/d");
        let status: ExitStatus = command
            .env("NPM_AUTH", "a")
            .env("PLAIN", "b")
            .status()
            .expect("started");
        assert_eq!(
            (status.code(), status.signal()),
            (Some(0), None),
            "{}",
            ground.backend
        );
    }
}
