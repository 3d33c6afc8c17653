//! A gate that imports WASI has clocks and random numbers, and finds nothing beyond them.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dsh_fs::error::Code;
use dsh_fs_artifacts::inspect;
use dsh_fs_runtime::gate::Gate;
use dsh_fs_runtime::{CallError, ComponentSource, Limits, Made, Runtime, RuntimeOptions};
use dsh_fs_tests::components::WASI_GATE;

/// Limits under which a wait is soon too long; the same in all else as the usual ones.
fn quick() -> Limits {
    Limits {
        guest_time: Duration::from_secs(1),
        ..Limits::default()
    }
}

/// A gate of its own for each test, compiled once for all.
fn gate(limits: Limits) -> Gate {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let code = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasi-gate-code");
    Gate::load(WASI_GATE, limits, Some(&code)).expect("a gate")
}

fn look(gate: &mut Gate, part: &str) -> Result<String, CallError> {
    gate.with_remedy(Code::NotFound, &format!("{{{part}}}"))
}

/// What a gate finds at a part of WASI.
fn found(part: &str) -> String {
    let told = look(&mut gate(Limits::default()), part);
    told.unwrap_or_else(|error| panic!("{part}: {error}"))
}

/// How a gate ends that uses a part of WASI.
fn ended(part: &str) -> String {
    let mut gate = gate(quick());
    let begun = Instant::now();
    let error = look(&mut gate, part).expect_err(part);
    assert!(begun.elapsed() < Duration::from_secs(60), "{part}");
    assert_eq!(error.code.name(), "COMPONENT_TRAPPED", "{error}");
    error.message
}

#[test]
fn it_imports_what_it_is_tried_with() {
    let gate = inspect(WASI_GATE).expect("a component");
    for package in ["cli", "clocks", "filesystem", "io", "random", "sockets"] {
        let start = format!("wasi:{package}/");
        let mut names = gate.imports.iter().map(|import| &import.name);
        assert!(names.any(|name| name.starts_with(&start)), "{package}");
    }
}

#[test]
fn there_are_clocks_and_random_numbers() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after");
    let told: u64 = found("clock").parse().expect("seconds");
    assert!(told.abs_diff(now.as_secs()) < 60, "{told}");
    let mut gate = gate(Limits::default());
    let mut tell = |part| look(&mut gate, part).expect("an answer");
    let first: u64 = tell("moment").parse().expect("a number");
    let second: u64 = tell("moment").parse().expect("a number");
    assert!(second > first);
    assert_ne!(tell("random"), tell("random"));
}

/// The test sees what a gate would: it has an environment, arguments and a folder itself.
#[test]
fn everything_else_is_empty() {
    assert!(std::env::vars_os().count() > 0 && std::env::args_os().count() > 0);
    for (part, nothing) in [
        ("environment", "[]"),
        ("arguments", "[]"),
        ("directory", "None"),
        ("folders", "0"),
        ("input", "ended"),
        ("output", "[true, true]"),
    ] {
        assert_eq!(found(part), nothing, "{part}");
    }
}

/// Fails where `allow_tcp`, `allow_udp` and `allow_ip_name_lookup` are given `true` in
/// `wasi/offered.rs`.
#[test]
fn there_is_no_network() {
    for (part, refusal) in [
        ("tcp", "access-denied"),
        ("udp", "access-denied"),
        ("names", "permanent-resolver-failure"),
    ] {
        assert_eq!(found(part), refusal, "{part}");
    }
}

/// Fails without `waiting::limit` in `wasi/offered.rs`: an hour passes.
#[test]
fn a_gate_that_sleeps_is_ended_in_time() {
    for part in ["sleep", "sleep-in-a-list"] {
        let reason = ended(part);
        assert!(reason.contains("waited longer than 1 seconds"), "{reason}");
    }
}

/// Fails without `max_random_size` in `wasi/offered.rs`.
#[test]
fn a_gate_that_wants_a_gigabyte_of_random_bytes_is_ended() {
    let reason = ended("much-random");
    assert!(reason.contains("exceeds limit 1048576"), "{reason}");
}

#[test]
fn a_gate_that_exits_ends_itself_alone() {
    ended("exit");
    assert!(!found("clock").is_empty());
}

#[test]
fn the_code_of_a_gate_is_kept_for_the_next_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = RuntimeOptions {
        component: ComponentSource::Gate(WASI_GATE.to_vec()),
        limits: Limits::default(),
        code_cache: Some(folder.path().join("code")),
    };
    let made = || Runtime::new(options.clone()).expect("a runtime").made();
    assert_eq!([made(), made()], [Made::Now, Made::Earlier]);
}
