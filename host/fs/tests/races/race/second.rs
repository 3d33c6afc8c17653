//! Starting and stopping second processes.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;

use super::Bound;
use super::actor::{PART, Part, READY, REPORT, Role};
use super::user::User;

/// A running second process. Dropped, it is stopped.
pub(crate) struct Second {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Second {
    /// Starts this program again with a part.
    pub(crate) fn start(part: Part, user: User, bound: Bound) -> Self {
        let role = Role { part, user, bound };
        let role = serde_json::to_string(&role).expect("plain data");
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            // For the test harness: the one test that plays a part.
            .args(["--exact", "second_process", "--nocapture"])
            .env(PART, role)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be run again");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, output }
    }

    /// Waits until it has begun.
    pub(crate) fn ready(mut self) -> Self {
        self.line(READY);
        self
    }

    /// Tells it to stop, and takes its report.
    pub(crate) fn stop(mut self) -> Value {
        drop(self.child.stdin.take());
        self.report()
    }

    /// Waits until it is done by itself.
    pub(crate) fn finish(mut self) -> Value {
        self.report()
    }

    fn report(&mut self) -> Value {
        let line = self.line(REPORT);
        let status = self.child.wait().expect("it was started");
        assert!(status.success(), "a second process ended with {status}");
        serde_json::from_str(&line).expect("a report is JSON")
    }

    fn line(&mut self, prefix: &str) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.output.read_line(&mut line).expect("a pipe");
            if read == 0 {
                let status = self.child.wait();
                panic!("a second process ended without a report: {status:?}");
            }
            if let Some(rest) = line.strip_prefix(prefix) {
                return rest.to_owned();
            }
        }
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
