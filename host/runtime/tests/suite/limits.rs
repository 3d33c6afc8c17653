//! A component that takes too much ends its own session, and no other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dsh_fs::types::Mode;
use dsh_fs_runtime::{
    Approver, Decision, Limits, ModeSource, Question, Runtime, RuntimeOptions, Session,
};
use serde_json::json;

use crate::forger::Forger;
use crate::workspace::Workspace;

pub(crate) const SHORT: Limits = Limits {
    memory_bytes: 32 << 20,
    table_elements: 1_000,
    guest_time: Duration::from_millis(200),
    host_time: Duration::from_secs(5),
    transfer_bytes: 1 << 20,
    handles: 8,
};

fn read(session: &mut Session) -> (Option<&'static str>, String) {
    let answer = session.call("read", &json!({"file_path": "a"}));
    (answer.code, answer.text)
}

/// Starts a session, breaks it with `read`, and checks that it has ended and that
/// another of the same runtime starts.
fn breaks(forger: &Forger, reason: &str) {
    let ws = Workspace::new();
    let runtime = forger.runtime(SHORT);
    let mut session = runtime
        .session(ws.options(Mode::ReadOnly))
        .expect("it starts");
    let (code, text) = read(&mut session);
    assert_eq!(code, Some("COMPONENT_TRAPPED"), "{text}");
    assert!(text.contains(reason), "{text}");
    let (code, again) = read(&mut session);
    assert_eq!(code, Some("COMPONENT_TRAPPED"));
    assert_eq!(again, text);
    assert_eq!(ws.audit.count(&["\"event\":\"trapped\""]), 1);
    runtime
        .session(ws.options(Mode::ReadOnly))
        .expect("another one starts");
}

/// Fails (never ends) without `epoch_interruption` in `settings.rs`.
#[test]
fn an_endless_loop_is_stopped() {
    let begun = Instant::now();
    breaks(
        &Forger::new().with(
            "[method]session.read",
            "(loop $again (br $again)) unreachable",
        ),
        "ran longer",
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
}

/// Fails without `store.limiter` in `session/start.rs`: the loop then grows to 4 GiB.
#[test]
fn memory_is_bounded_over_all_memories() {
    // Grows until it is refused, and traps only if what it has is within the limit.
    let body = "(loop $again
        (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
      (block $much
        (br_if $much (i32.gt_u (memory.size) (i32.const 512)))
        unreachable)
      (loop $for-ever (br $for-ever)) unreachable";
    breaks(
        &Forger::new().with("[method]session.read", body),
        "unreachable",
    );
}

/// Fails without `table_growing` in `limits.rs`.
#[test]
fn tables_are_bounded() {
    let body = "(loop $again
        (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 100)) (i32.const -1))))
      (block $much
        (br_if $much (i32.gt_u (table.size $t) (i32.const 1000)))
        unreachable)
      (loop $for-ever (br $for-ever)) unreachable";
    let forger = Forger::new()
        .extra("(table $t 0 funcref)")
        .with("[method]session.read", body);
    breaks(&forger, "unreachable");
}

#[test]
fn deep_recursion_is_stopped() {
    let forger = Forger::new()
        .extra("(func $deep (param i32) (call $deep (local.get 0)) (call $deep (local.get 0)))")
        .with(
            "[method]session.read",
            "(call $deep (i32.const 1)) unreachable",
        );
    breaks(&forger, "nested too deeply");
}

/// A list whose elements all name the same bytes: small in the component, huge outside.
/// Fails without `set_hostcall_fuel` in `session/start.rs`, whose default is 128 MiB.
#[test]
fn an_answer_that_multiplies_itself_is_refused() {
    // `ok`, no text, an empty target, and 100 entries of 64 bytes at 262144 whose
    // names are the same 64 KiB each.
    let body = "(local $at i32)
      (drop (memory.grow (i32.const 1)))
      (local.set $at (i32.const 262144))
      (loop $next
        (i32.store offset=4 (local.get $at) (i32.const 65536))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 268544))))
      (i32.store (i32.const 1052) (i32.const 262144))
      (i32.store (i32.const 1056) (i32.const 100))
      (i32.const 1024)";
    let ws = Workspace::new();
    let runtime = Forger::new()
        .with("[method]session.list", body)
        .runtime(SHORT);
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let answer = session.call("list", &json!({}));
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"), "{answer:?}");
    assert!(answer.text.contains("fuel"), "{}", answer.text);
}

#[test]
fn an_answer_out_of_memory_bounds_is_refused() {
    let forger = Forger::new().with("[method]session.read", "(i32.const -8)");
    breaks(&forger, "");
}

#[test]
fn handles_are_bounded() {
    // Opens read-only files at the session's root for ever.
    let body = "(loop $again
        (call $open (i32.const 0) (i32.const 1024) (global.get $root-length)
          (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)
          (i32.const 512))
        (br_if $again (i32.eqz (i32.load8_u (i32.const 512)))))
      unreachable";
    let ws = Workspace::new();
    let root = ws.inside("").trim_end_matches('/').to_owned();
    let runtime = Forger::new()
        .extra(&format!(
            "(global $root-length i32 (i32.const {}))",
            root.len()
        ))
        .data(1024, root)
        .with("[method]session.read", body)
        .runtime(SHORT);
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let (code, text) = read(&mut session);
    assert_eq!(code, Some("COMPONENT_TRAPPED"));
    assert!(text.contains("table has no free keys"), "{text}");
}

#[test]
fn a_component_that_breaks_while_it_starts_has_no_session() {
    let ws = Workspace::new();
    for (body, reason) in [
        ("unreachable", "unreachable"),
        ("(loop $again (br $again)) unreachable", "ran longer"),
    ] {
        let runtime = Forger::new()
            .with("[constructor]session", body)
            .runtime(SHORT);
        let error = runtime
            .session(ws.options(Mode::ReadOnly))
            .err()
            .expect("no session");
        assert_eq!(error.code.name(), "COMPONENT_TRAPPED");
        assert!(error.message.contains(reason), "{error}");
    }
}

#[test]
fn a_snapshot_without_end_ends_the_session() {
    let ws = Workspace::new();
    let body = "(i32.store (i32.const 512) (i32.const 1))
      (i32.store (i32.const 516) (i32.const 1024))
      (i32.store (i32.const 520) (i32.const 65536))
      (i32.const 512)";
    let runtime = Forger::new()
        .with("[method]session.snapshot", body)
        .runtime(SHORT);
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let error = session.snapshot().expect_err("it has no end");
    assert_eq!(error.code.name(), "COMPONENT_TRAPPED", "{error}");
}

/// Two sessions of one runtime at once: the loop of one does not stop the other.
#[test]
fn a_session_goes_on_while_another_one_loops() {
    let ws = Workspace::new();
    let looping = Forger::new()
        .with(
            "[method]session.read",
            "(loop $again (br $again)) unreachable",
        )
        .with("[method]session.mode-changed", "");
    let runtime = looping.runtime(SHORT);
    let mut bad = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let mut good = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let loops = std::thread::spawn(move || read(&mut bad).0);
    while !loops.is_finished() {
        good.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    }
    assert_eq!(loops.join().unwrap(), Some("COMPONENT_TRAPPED"));
    good.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
}

/// A session that has been idle for longer than the ticker waits is still stopped in
/// time. Fails if `Ticker::run` in `clock.rs` does not wake the thread.
#[test]
fn a_loop_after_a_long_rest_is_stopped() {
    let ws = Workspace::new();
    let looping = Forger::new().with(
        "[method]session.read",
        "(loop $again (br $again)) unreachable",
    );
    let runtime = looping.runtime(SHORT);
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    let (code, text) = read(&mut session);
    assert_eq!(code, Some("COMPONENT_TRAPPED"));
    assert!(text.contains("ran longer"), "{text}");
}

/// A person who thinks for longer than the limit is not held against the component.
/// Fails without the credit in `at_deadline` of `clock.rs`.
#[test]
fn the_time_of_a_person_is_not_charged() {
    struct Slow;
    impl Approver for Slow {
        fn ask(&self, _: &Question) -> Decision {
            std::thread::sleep(SHORT.guest_time * 3);
            Decision::AllowedOnce
        }
    }
    let ws = Workspace::new();
    let runtime = Runtime::new(RuntimeOptions {
        limits: Limits {
            guest_time: SHORT.guest_time,
            ..Limits::default()
        },
        ..RuntimeOptions::default()
    })
    .unwrap();
    let mut options = ws.options(Mode::ReadOnly);
    options.approver = Some(Arc::new(Slow));
    let mut session = runtime.session(options).unwrap();
    let args = json!({
        "file_path": "a", "content": "x",
        "sandbox_permissions": "workspace-write", "justification": "because",
    });
    let answer = session.call("write", &args);
    assert!(answer.ok, "{answer:?}");
}
