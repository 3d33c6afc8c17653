//! Watches a load: it must get on, and its memory must be flat.

use std::fmt;
use std::io::{self, Write as _};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::THREADS;

/// A load in which no call has ended for so long stands still.
const STANDSTILL: Duration = Duration::from_secs(60);

/// How often memory is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// By how much the memory of the second half may exceed that of the first, in KiB: what the
/// sessions learn about files that they have not met before, and what the allocator keeps.
const GROWTH: u64 = 16 * 1024;

/// Counts the calls of a load, and knows which are running.
pub(crate) struct Watch {
    calls: u64,
    ended: AtomicU64,
    stopped: AtomicBool,
    running: [Mutex<String>; THREADS],
}

/// What was seen of a load.
pub(crate) struct Watched {
    calls: u64,
    took: Duration,
    /// Resident memory in KiB, and how many calls had ended then.
    memory: Vec<(u64, u64)>,
}

impl Watch {
    pub(crate) fn over(calls: u64) -> Self {
        Self {
            calls,
            ended: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            running: Default::default(),
        }
    }

    /// Whether all calls were made.
    pub(crate) fn enough(&self) -> bool {
        self.calls_ended() >= self.calls || self.stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn begins(&self, worker: usize, call: String) {
        *self.running[worker].lock().expect("nothing panics in here") = call;
    }

    pub(crate) fn ended(&self, worker: usize) {
        self.begins(worker, String::new());
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Looks on until the load is stopped. A load that stands still ends the process: its
    /// threads would never be joined.
    pub(crate) fn until_done(&self) -> Watched {
        let began = Instant::now();
        let mut memory = Vec::new();
        let mut last = (0, Instant::now());
        while !self.stopped.load(Ordering::Relaxed) {
            let ended = self.calls_ended();
            memory.push((ended, resident()));
            if ended != last.0 {
                last = (ended, Instant::now());
            }
            if last.1.elapsed() > STANDSTILL {
                self.standstill();
            }
            thread::sleep(GLANCE);
        }
        Watched {
            calls: self.calls_ended(),
            took: began.elapsed(),
            memory,
        }
    }

    fn calls_ended(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    fn standstill(&self) -> ! {
        let running = self.running.iter().map(|call| match call.try_lock() {
            Ok(call) => call.clone(),
            Err(_) => "?".to_owned(),
        });
        let running: Vec<String> = running.collect();
        let text = format!("no call has ended for {STANDSTILL:?}; running: {running:#?}\n");
        // Straight to the descriptor: what a test prints is lost with the process.
        let _ = io::stderr().write_all(text.as_bytes());
        process::abort()
    }
}

impl Watched {
    /// Whether the second half of the calls was made within the memory of the first.
    pub(crate) fn check_memory(&self) {
        let (first, second) = self.halves();
        assert!(first > 0, "memory was never looked at in the first half");
        assert!(
            second <= first + GROWTH,
            "memory grew from {first} to {second} KiB"
        );
    }

    /// The most memory in each half of the calls.
    fn halves(&self) -> (u64, u64) {
        let parts = self.parts(2);
        (parts[0], parts[1])
    }

    /// The most memory in each of so many equal parts of the calls.
    fn parts(&self, parts: u64) -> Vec<u64> {
        let part_of = |ended: u64| (ended * parts / self.calls.max(1)).min(parts - 1);
        let most = |part| {
            let seen = self.memory.iter();
            let seen = seen.filter(|(ended, _)| part_of(*ended) == part);
            seen.map(|(_, memory)| *memory).max().unwrap_or_default()
        };
        (0..parts).map(most).collect()
    }
}

impl fmt::Display for Watched {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} calls in {:.1} s; the most KiB of memory in each tenth of them: {:?}",
            self.calls,
            self.took.as_secs_f64(),
            self.parts(10)
        )
    }
}

/// The resident memory of this process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of this process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().split(' ').next());
    number.expect("a number").parse().expect("a number")
}
