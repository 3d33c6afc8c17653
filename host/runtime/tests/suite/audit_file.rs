//! The audit in a file: whole lines, in order, none lost without a word.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use dsh_fs_runtime::{AuditSink, Both, Event, JsonLines, Record, Silent};
use serde_json::Value;

use crate::audit::events;

/// A record that can be told from others.
fn numbered(sink: &dyn AuditSink, number: usize) {
    sink.record(&Record::now(
        None,
        Event::TransactionBegun {
            transaction: "t",
            files: number,
        },
    ));
}

fn numbers(values: &[Value]) -> Vec<u64> {
    let numbers = values.iter().filter_map(|value| value["files"].as_u64());
    numbers.collect()
}

#[test]
fn the_file_is_this_users_alone_and_is_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("audit.jsonl");
    for number in 0..2 {
        numbered(&JsonLines::open(&file, |_| ()).expect("it opens"), number);
    }
    assert_eq!(numbers(&events(&file)), [0, 1]);
    let mode = fs::metadata(&file)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// Fails without `ends_in_the_middle`.
#[test]
fn half_a_line_of_a_killed_process_costs_no_other_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("audit.jsonl");
    fs::write(&file, "{\"event\":\"publ").expect("a file");
    numbered(&JsonLines::open(&file, |_| ()).expect("it opens"), 7);
    let text = fs::read_to_string(&file).expect("it is there");
    let last = text.lines().nth(1).expect("a line of its own");
    assert_eq!(
        serde_json::from_str::<Value>(last).expect("whole")["files"],
        7
    );
}

#[test]
fn two_sinks_on_one_file_tear_no_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("audit.jsonl");
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let sink = JsonLines::open(&file, |_| ()).expect("it opens");
                (0..5_000).for_each(|number| numbered(&sink, number));
            });
        }
    });
    assert_eq!(events(&file).len(), 10_000);
}

/// Memory that takes its time, and that fails as long as it is told to.
#[derive(Clone, Default)]
struct Slow {
    written: Arc<Mutex<Vec<u8>>>,
    failures: Arc<AtomicUsize>,
    pause: Duration,
}

impl Slow {
    fn values(&self) -> Vec<Value> {
        let written = self.written.lock().expect("no panic");
        let text = String::from_utf8(written.clone()).expect("JSON");
        let lines = text.lines().filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_str(line).expect("whole"))
            .collect()
    }
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        thread::sleep(self.pause);
        let left = self.failures.load(Ordering::SeqCst);
        if left > 0 {
            self.failures.store(left - 1, Ordering::SeqCst);
            return Err(io::Error::other("no room"));
        }
        self.written
            .lock()
            .expect("no panic")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Fails where `record` in `audit/json_lines.rs` uses `try_send`.
#[test]
fn a_full_queue_waits_and_loses_nothing() {
    let slow = Slow {
        pause: Duration::from_millis(20),
        ..Slow::default()
    };
    let sink = JsonLines::to(slow.clone(), |_| ()).expect("a thread");
    (0..20_000).for_each(|number| numbered(&sink, number));
    drop(sink);
    assert_eq!(numbers(&slow.values()), (0..20_000).collect::<Vec<_>>());
}

#[test]
fn after_a_flush_everything_is_there() {
    let slow = Slow {
        pause: Duration::from_millis(50),
        ..Slow::default()
    };
    let sink = JsonLines::to(slow.clone(), |_| ()).expect("a thread");
    for number in 0..3 {
        numbered(&sink, number);
        sink.flush();
        assert_eq!(slow.values().len(), number + 1);
    }
}

/// Fails where `Paper::write` does not count, or reports each time.
#[test]
fn an_error_is_reported_once_and_the_loss_is_written_down() {
    let slow = Slow::default();
    slow.failures.store(2, Ordering::SeqCst);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let sink = JsonLines::to(slow.clone(), move |error| {
        hears.lock().expect("no panic").push(error.to_string());
    });
    let sink = sink.expect("a thread");
    for number in 0..3 {
        numbered(&sink, number);
        sink.flush();
    }
    assert_eq!(*heard.lock().expect("no panic"), ["no room"]);
    let values = slow.values();
    assert_eq!(values[0]["event"], "records-lost");
    assert_eq!(values[0]["records"], 2);
    assert_eq!(numbers(&values), [2]);
}

/// Fails where `is_written` is left out of `JsonLines`, where a flush tries nothing again,
/// and where `lost` forgets what the file was told of.
#[test]
fn a_sink_says_whether_it_is_written_and_how_much_was_lost() {
    let slow = Slow::default();
    let sink = Arc::new(JsonLines::to(slow.clone(), |_| ()).expect("a thread"));
    let both = Both(Arc::new(Silent), Arc::clone(&sink) as Arc<dyn AuditSink>);
    numbered(&both, 0);
    assert!(both.is_written());
    slow.failures.store(2, Ordering::SeqCst);
    numbered(&both, 1);
    assert!(!both.is_written());
    assert!(both.is_written(), "there is room again");
    assert_eq!(slow.values()[1]["event"], "records-lost");
    assert_eq!(sink.lost(), 1);
}

#[test]
fn two_sinks_hear_the_same_and_a_silent_one_nothing() {
    let (one, two) = (Slow::default(), Slow::default());
    let sink = |slow: &Slow| Arc::new(JsonLines::to(slow.clone(), |_| ()).expect("a thread"));
    let both = Both(sink(&one), sink(&two));
    numbered(&both, 1);
    assert!(both.is_enabled());
    drop(both);
    assert_eq!(one.values(), two.values());
    assert!(!Both(Arc::new(Silent), Arc::new(Silent)).is_enabled());
}
