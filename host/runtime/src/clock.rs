//! How long a call may run: a thread that ticks while calls are under way, and an account
//! of what a call spent outside WebAssembly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wasmtime::{Engine, UpdateDeadline};

use crate::limits::Limits;

/// How often the epoch moves on while a call runs.
const TICK: Duration = Duration::from_millis(10);
/// The ticks without a call after which the thread sleeps until the next one.
const IDLE_TICKS: u32 = 100;

/// Moves the epoch of one engine on while at least one call runs.
#[derive(Debug)]
pub(crate) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    running: AtomicUsize,
    asleep: AtomicBool,
    stopped: AtomicBool,
}

impl Ticker {
    pub(crate) fn start(engine: Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("dsh-fs-ticker".into())
            .spawn(move || tick(&engine, &theirs))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Keeps the epoch moving until what is returned is dropped.
    pub(crate) fn run(&self) -> Running<'_> {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        if self.shared.asleep.load(Ordering::SeqCst) {
            self.wake();
        }
        Running(&self.shared)
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.wake();
        if let Some(thread) = self.thread.take() {
            // The thread holds nothing that could be lost: were it to panic, only the
            // epoch would stand still, and the engine goes away with it.
            let _ = thread.join();
        }
    }
}

/// A call that is under way.
pub(crate) struct Running<'a>(&'a Shared);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

fn tick(engine: &Engine, shared: &Shared) {
    let mut idle = 0;
    while !shared.stopped.load(Ordering::SeqCst) {
        idle = match shared.running.load(Ordering::SeqCst) {
            0 => idle + 1,
            _ => 0,
        };
        if idle < IDLE_TICKS {
            thread::sleep(TICK);
            engine.increment_epoch();
        } else {
            sleep_until_called(shared);
            idle = 0;
        }
    }
}

/// `asleep` is set before the count is read and a call counts before it reads `asleep`:
/// one of the two sees the other, so that no call runs without a tick.
fn sleep_until_called(shared: &Shared) {
    shared.asleep.store(true, Ordering::SeqCst);
    let nothing_to_do = shared.running.load(Ordering::SeqCst) == 0;
    if nothing_to_do && !shared.stopped.load(Ordering::SeqCst) {
        thread::park();
    }
    shared.asleep.store(false, Ordering::SeqCst);
}

/// What one call has spent outside WebAssembly.
#[derive(Debug)]
pub(crate) struct Account {
    guest_ticks: u64,
    host_limit: Duration,
    host_spent: Duration,
    not_yet_credited: Duration,
}

impl Account {
    pub(crate) fn new(limits: &Limits) -> Self {
        let ticks = limits.guest_time.as_millis() / TICK.as_millis();
        Self {
            // One more, since the first tick may come at once.
            guest_ticks: u64::try_from(ticks).unwrap_or(u64::MAX / 2) + 1,
            host_limit: limits.host_time,
            host_spent: Duration::ZERO,
            not_yet_credited: Duration::ZERO,
        }
    }

    /// Begins a call; answers its deadline in ticks.
    pub(crate) fn begin(&mut self) -> u64 {
        self.host_spent = Duration::ZERO;
        self.not_yet_credited = Duration::ZERO;
        self.guest_ticks
    }

    /// Notes a file operation; answers whether the call has time left for another.
    pub(crate) fn spent_on_files(&mut self, since: Instant) -> bool {
        let spent = since.elapsed();
        self.host_spent += spent;
        self.not_yet_credited += spent;
        self.host_spent <= self.host_limit
    }

    /// Notes time for which a person is to thank: it is charged to nobody.
    pub(crate) fn spent_on_a_person(&mut self, since: Instant) {
        self.not_yet_credited += since.elapsed();
    }

    /// What happens when the deadline is reached: time that was spent outside is given
    /// back, once; then the call is over.
    pub(crate) fn at_deadline(&mut self) -> UpdateDeadline {
        let credit = std::mem::take(&mut self.not_yet_credited);
        match u64::try_from(credit.as_millis() / TICK.as_millis()) {
            Ok(0) | Err(_) => UpdateDeadline::Interrupt,
            Ok(ticks) => UpdateDeadline::Continue(ticks),
        }
    }
}
