//! A component that breaks: in each export, after an answer, in a destructor, and before it
//! has begun. Its own session ends, and nothing else does.

use dsh_fs::error::Code;
use dsh_fs::types::{Mode, Target};
use dsh_fs_runtime::gate::{Circumstances, Gate, Ledger, PolicyInputs, Prior, Refusal, Seed};
use dsh_fs_runtime::{CallError, Limits, ModeSource, Session};
use serde_json::json;

use crate::forger::Forger;
use crate::limits::SHORT;
use crate::workspace::Workspace;

/// A call that fails, if it does.
type Call = (&'static str, fn(&mut Session) -> Option<&'static str>);

fn code<T>(answer: Result<T, CallError>) -> Option<&'static str> {
    answer.err().map(|error| error.code.name())
}

/// Every export of the tools, by the name that the audit has for it.
const EXPORTS: [Call; 9] = [
    ("read", |session| {
        session.call("read", &json!({"file_path": "a"})).code
    }),
    ("write", |session| {
        let args = json!({"file_path": "a", "content": "x"});
        session.call("write", &args).code
    }),
    ("edit", |session| {
        let args = json!({"file_path": "a", "old_string": "x", "new_string": "y"});
        session.call("edit", &args).code
    }),
    ("list", |session| session.call("list", &json!({})).code),
    ("set-mode", |session| {
        code(session.set_mode(Mode::ReadOnly, ModeSource::User))
    }),
    ("policy", |session| code(session.policy())),
    ("policy", |session| code(session.policy_text())),
    ("snapshot", |session| code(session.snapshot())),
    ("restore", |session| code(session.restore(&["".into()]))),
];

/// Fails where `enter_for` of `session.rs` does not end the session: the same component is
/// then called again.
#[test]
fn a_trap_in_any_export_ends_its_session_alone() {
    let runtime = Forger::new().runtime(Limits::default());
    for (name, call) in EXPORTS {
        let ws = Workspace::new();
        let mut honest = ws.session(Mode::WorkspaceWrite);
        let options = ws.options(Mode::WorkspaceWrite);
        let mut session = runtime.session(options).expect("it starts");
        for _ in 0..2 {
            assert_eq!(call(&mut session), Some("COMPONENT_TRAPPED"), "{name}");
        }
        let tool = format!("\"tool\":\"{name}\"");
        let trapped = ["\"event\":\"trapped\"", tool.as_str()];
        assert_eq!(ws.audit.count(&trapped), 1, "{name}");
        assert_eq!(ws.audit.count(&["trapped", "unreachable"]), 1, "{name}");
        assert_eq!(ws.audit.count(&["\"event\":\"published\""]), 0, "{name}");
        let write = json!({"file_path": "b", "content": "x"});
        assert!(honest.call("write", &write).ok, "{name}");
    }
}

/// A component is run once more after each answer, to take back what that lay in.
#[test]
fn a_trap_after_an_answer_ends_the_session() {
    let ws = Workspace::new();
    let forger = Forger::new()
        .with("[method]session.list", "(i32.const 4096)")
        .with("[post][method]session.list", "unreachable");
    let runtime = forger.runtime(Limits::default());
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let answer = session.call("list", &json!({}));
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"), "{answer:?}");
    assert_eq!(ws.audit.count(&["\"event\":\"trapped\""]), 1);
}

/// A core module may have a function that is run before all others.
#[test]
fn a_component_that_breaks_before_it_has_begun_has_no_session() {
    for (body, reason) in [
        ("unreachable", "unreachable"),
        ("(loop $again (br $again))", "ran longer"),
    ] {
        let ws = Workspace::new();
        let forger = Forger::new().extra(&format!("(func $first {body}) (start $first)"));
        let error = forger
            .runtime(SHORT)
            .session(ws.options(Mode::ReadOnly))
            .err()
            .expect("no session");
        assert!(error.message.contains(reason), "{error}");
        assert_eq!(ws.audit.count(&["\"event\":\"trapped\"", reason]), 1);
    }
}

fn gate(forger: &Forger) -> Gate {
    Gate::load(&forger.component(), SHORT, None).expect("it fits")
}

/// Fails where `Gate::enter` forgets that the gate is broken.
#[test]
fn a_destructor_that_breaks_ends_its_gate_alone() {
    for (body, reason) in [
        ("unreachable", "unreachable"),
        ("(loop $again (br $again))", "ran longer"),
    ] {
        let mut broken = gate(&Forger::gate().with("[dtor]ledger", body));
        let mut honest = Gate::shipped(Limits::default()).unwrap();
        let ledger = broken.ledger(Seed::random(), 0).unwrap();
        let error = broken.forget(ledger).expect_err("it breaks");
        assert_eq!(error.code.name(), "COMPONENT_TRAPPED");
        assert!(error.message.contains(reason), "{error}");
        let again = broken.ledger(Seed::random(), 0).expect_err("it has ended");
        assert_eq!(again, error);
        let ledger = honest.ledger(Seed::random(), 0).unwrap();
        honest.forget(ledger).unwrap();
    }
}

/// A memory belongs to the gate that made it.
#[test]
fn the_memory_of_another_gate_is_refused() {
    let mut one = Gate::shipped(Limits::default()).unwrap();
    let mut other = Gate::shipped(Limits::default()).unwrap();
    let ledger = one.ledger(Seed::random(), 0).unwrap();
    let seen = Prior::Present("v1".into());
    one.observe(&ledger, "/a", &seen).unwrap();
    let error = other.prior_of(&ledger, "/a").expect_err("not its own");
    assert_eq!(error.code.name(), "COMPONENT_TRAPPED", "{error}");
    assert_eq!(one.prior_of(&ledger, "/a").unwrap(), seen);
}

/// A question to a gate that fails, if it does.
type Question = (&'static str, fn(&mut Gate, &Ledger) -> Option<&'static str>);

fn target() -> Target {
    Target {
        key: "/a".into(),
        display: "/a".into(),
    }
}

fn inputs() -> PolicyInputs {
    PolicyInputs {
        approved: None,
        session_mode: None,
        default_mode: Mode::ReadOnly,
        session_cwd: None,
        configured_root: "/".into(),
        session_id: None,
    }
}

fn circumstances() -> Circumstances {
    Circumstances {
        effective: Mode::ReadOnly,
        confined: true,
        approver: true,
        owner: true,
    }
}

/// Every function of a gate; the memory can be made.
const QUESTIONS: [Question; 20] = [
    ("decide-write", |gate, _| {
        code(gate.decide_write(&Prior::Absent))
    }),
    ("decide-edit", |gate, _| {
        code(gate.decide_edit(&target(), &Prior::Absent))
    }),
    ("with-remedy", |gate, _| {
        code(gate.with_remedy(Code::NotFound, "m"))
    }),
    ("observe", |gate, ledger| {
        code(gate.observe(ledger, "/a", &Prior::Absent))
    }),
    ("prior-of", |gate, ledger| code(gate.prior_of(ledger, "/a"))),
    ("write-intent", |gate, ledger| {
        code(gate.write_intent(ledger, "/a"))
    }),
    ("edit-intent", |gate, ledger| {
        code(gate.edit_intent(ledger, &target()))
    }),
    ("fill", |gate, ledger| code(gate.fill(ledger))),
    ("snapshot", |gate, ledger| code(gate.snapshot(ledger, 0))),
    ("restore", |gate, ledger| code(gate.restore(ledger, "p"))),
    ("fork", |gate, ledger| code(gate.fork(ledger))),
    ("resolve-policy", |gate, _| {
        code(gate.resolve_policy(&inputs()))
    }),
    ("fold-mode-events", |gate, _| {
        code(gate.fold_mode_events(&[]))
    }),
    ("wider-modes", |gate, _| {
        code(gate.wider_modes(Mode::ReadOnly))
    }),
    ("check-escalation", |gate, _| {
        code(gate.check_escalation(None, None))
    }),
    ("judge-escalation", |gate, _| {
        code(gate.judge_escalation(Mode::WorkspaceWrite, circumstances()))
    }),
    ("escalation-refused", |gate, _| {
        code(gate.escalation_refused(Mode::WorkspaceWrite, Refusal::Rejected))
    }),
    ("denial-marker", |gate, _| {
        code(gate.denial_marker(Mode::ReadOnly))
    }),
    ("escalation-hint", |gate, _| code(gate.escalation_hint())),
    ("describe-policy", |gate, _| {
        let policy = dsh_fs::types::ExecutionPolicy {
            mode: Mode::ReadOnly,
            workspace_root: "/".into(),
            session_id: None,
        };
        code(gate.describe_policy(&policy))
    }),
];

/// Fails where `Gate::enter` forgets that the gate is broken.
#[test]
fn a_trap_in_any_function_of_a_gate_ends_that_gate() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = folder.path().join("code");
    let broken = Forger::gate().component();
    for (name, ask) in QUESTIONS {
        let mut gate = Gate::load(&broken, SHORT, Some(&code)).expect("it fits");
        let ledger = gate.ledger(Seed::random(), 0).expect("a memory");
        assert_eq!(ask(&mut gate, &ledger), Some("COMPONENT_TRAPPED"), "{name}");
        let after = gate.ledger(Seed::random(), 0).expect_err(name);
        assert_eq!(after.code.name(), "COMPONENT_TRAPPED", "{name}");
        assert!(after.message.contains("unreachable"), "{name}: {after}");
    }
}
