//! Others act in the middle of a call of several edits.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{AuditSink, Event, Limits, Record, Runtime, RuntimeOptions, Session};
use serde_json::json;

use super::{content, edit, journals, multi, plant, see, transactions};
use crate::workspace::{SHIPPED, Workspace};

type Act = Box<dyn FnOnce() + Send>;

/// Acts once, right after the n-th change was published.
struct After {
    number: usize,
    act: Mutex<(usize, Option<Act>)>,
}

impl AuditSink for After {
    fn record(&self, record: &Record<'_>) {
        if !matches!(record.event, Event::Published { .. }) {
            return;
        }
        let mut state = self.act.lock().expect("no test panics in here");
        state.0 += 1;
        if state.0 == self.number
            && let Some(act) = state.1.take()
        {
            act();
        }
    }
}

fn after(number: usize, act: impl FnOnce() + Send + 'static) -> Arc<After> {
    Arc::new(After {
        number,
        act: Mutex::new((0, Some(Box::new(act)))),
    })
}

fn planted() -> Workspace {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one"), ("b", "one"), ("c", "one")]);
    ws
}

fn session(ws: &Workspace, runtime: &Runtime, audit: Arc<After>) -> Session {
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.transactions = Some(transactions(ws));
    options.audit = audit;
    runtime.session(options).unwrap()
}

fn all_old(ws: &Workspace) {
    for name in ["a", "b", "c"] {
        assert_eq!(content(ws, name), "one", "{name}");
    }
    assert!(journals(ws).is_empty());
}

/// Fails when what is there now is not compared with what the call left.
#[test]
fn a_change_by_somebody_else_is_left_and_named() {
    let ws = planted();
    let file = ws.inside("a");
    let audit = after(2, move || fs::write(file, "theirs").unwrap());
    let mut session = session(&ws, &SHIPPED, audit);
    see(&mut session, &["a", "b", "c"]);
    let edits = [
        edit("a", "one", "two"),
        edit("b", "one", "two"),
        edit("c", "x", "y"),
    ];
    let answer = multi(&mut session, &edits);
    assert_eq!(answer.code, Some("FS_EDIT_NOT_FOUND"), "{answer:?}");
    let told = format!(
        "Edit 3 of 3 (\"c\") failed. Every other change was taken back, but these files are \
         left as they are now:\n  {}: it was changed since",
        ws.inside("a")
    );
    assert!(answer.text.ends_with(&told), "{}", answer.text);
    assert_eq!(
        (content(&ws, "a"), content(&ws, "b")),
        ("theirs".into(), "one".into())
    );
    let kept = journals(&ws);
    assert!(kept.len() == 1 && kept[0].ends_with(".stopped"), "{kept:?}");

    // The session has not seen their change.
    let answer = session.call("write", &json!({"file_path": "a", "content": "x"}));
    assert_eq!(answer.code, Some("FS_STALE_VERSION"));
}

/// Fails when `State::end` lowers the flag at the end of each edit.
#[test]
fn a_withdrawal_between_two_edits_takes_all_back() {
    let ws = planted();
    let cancel = Arc::new(Mutex::new(None::<dsh_fs::cancel::Cancel>));
    let flag = Arc::clone(&cancel);
    let audit = after(2, move || flag.lock().unwrap().as_ref().unwrap().cancel());
    let mut session = session(&ws, &SHIPPED, audit);
    *cancel.lock().unwrap() = Some(session.cancel_handle());
    see(&mut session, &["a", "b", "c"]);
    let edits = ["a", "b", "c"].map(|name| edit(name, "one", "two"));
    let answer = multi(&mut session, &edits);
    assert_eq!(answer.code, Some("FS_ABORTED"), "{answer:?}");
    all_old(&ws);
    // The next call is not meant.
    assert!(multi(&mut session, &edits).ok);
}

/// The component is stopped after its second change was published. Fails when the host
/// relies on the component for the way back.
#[test]
fn a_component_that_breaks_in_the_middle_leaves_nothing() {
    let ws = planted();
    let limits = Limits {
        host_time: Duration::from_secs(2),
        ..Limits::default()
    };
    let runtime = Runtime::new(RuntimeOptions {
        limits,
        ..RuntimeOptions::default()
    })
    .unwrap();
    let audit = after(2, || std::thread::sleep(Duration::from_millis(2_100)));
    let mut session = session(&ws, &runtime, audit);
    see(&mut session, &["a", "b", "c"]);
    let edits = ["a", "b", "c"].map(|name| edit(name, "one", "two"));
    let answer = multi(&mut session, &edits);
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"), "{answer:?}");
    assert!(answer.text.contains("Edit 2 of 3"), "{}", answer.text);
    all_old(&ws);
}

/// Each file goes forward once and back once, and both are in the audit. Fails when the
/// host takes a file back once more that the component has had taken back.
#[test]
fn each_file_is_taken_back_once() {
    let ws = planted();
    let mut session = super::session(&ws);
    see(&mut session, &["a", "b", "c"]);
    let edits = [
        edit("a", "one", "two"),
        edit("b", "one", "two"),
        edit("c", "x", "y"),
    ];
    assert!(!multi(&mut session, &edits).ok);
    all_old(&ws);
    let published = ["published", "\"tool\":\"multi_edit\""];
    assert_eq!(ws.audit.count(&published), 4);
    let taken_back = ["taken-back", "\"restored\":2", "\"left\":0"];
    assert_eq!(ws.audit.count(&taken_back), 1);
}
