//! Publication: a mutation of one file, from its target to its answer.
//!
//! `write`, `edit` and `remove` are the flows and read like them; `create` and `replace` are the
//! two ways in which a staged file gets its name. Nothing here follows a link, and
//! nothing but a staged, complete file ever has the target's name: only where the embedder
//! allows it does `in_place` write to a file that cannot be replaced.

mod aside;
mod edit;
mod exchange;
pub(crate) mod failure;
mod flags;
mod in_place;
mod lease;
mod marks;
mod metadata;
mod old;
mod parents;
mod recover;
mod remove;
mod replace;
mod report;
mod stage;
mod unmade;
mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use self::failure::Failure;
use self::recover::{Recovery, Tools};
use super::fence::{Fence, Walk};
use super::queue::Queue;
use super::sys::{Kernel, Watch};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::types::{Edit, EditGuard, Mutation, Removal, Report, Target, WriteGuard};
use crate::version::VersionSecret;
use crate::within::Within;
use crate::wording::{Verb, aborted};

/// How often a mutation begins anew because somebody else moved something meanwhile.
const ATTEMPTS: u32 = 24;

/// Whether a mutation waits for the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The file before it has its name, and the directory after: a power failure leaves
    /// the old file or the new one.
    #[default]
    Full,
    /// Neither. A crash of the program still leaves the old file or the new one; a power
    /// failure may leave an empty one.
    NoSync,
}

/// How mutations are carried out.
#[derive(Clone, Debug)]
pub struct PublishOptions {
    /// Whether a mutation waits for the disk.
    pub durability: Durability,
    /// Changed regions, and the text before a write, are worked out where the old and the
    /// new content are both smaller than this many bytes.
    pub diff_limit: u64,
    /// The most changed regions in an answer.
    pub max_hunks: usize,
    /// Whether a file that cannot be replaced is written in place: one with several names,
    /// one that is mounted on, and one in a directory where nothing can be made. That gives
    /// up old-or-new after a crash, reaches every other name of the file (also outside a
    /// root), and is graded `best-effort`. Without, such files are refused.
    pub in_place: bool,
    /// How directories are walked; `None` asks the kernel once.
    pub walk: Option<Walk>,
}

impl Default for PublishOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            diff_limit: 1 << 20,
            max_hunks: 200,
            in_place: false,
            walk: None,
        }
    }
}

/// Carries out mutations. May be used from several threads at once.
#[derive(Debug)]
pub(crate) struct Publisher {
    kernel: Kernel,
    secret: VersionSecret,
    options: PublishOptions,
    fence: Fence,
    targets: Queue<String>,
    recovery: Recovery,
    unnamed: AtomicBool,
}

impl Publisher {
    /// A publisher whose versions are made under this secret.
    pub(crate) fn new(secret: VersionSecret, options: PublishOptions) -> Self {
        Self::on(Kernel::default(), secret, options)
    }

    /// One whose system calls are watched.
    pub(crate) fn watched(
        secret: VersionSecret,
        options: PublishOptions,
        watch: Arc<dyn Watch>,
    ) -> Self {
        Self::on(Kernel::watched(watch), secret, options)
    }

    fn on(kernel: Kernel, secret: VersionSecret, options: PublishOptions) -> Self {
        Self {
            fence: Fence::new(kernel.clone(), options.walk),
            kernel,
            secret,
            options,
            targets: Queue::new(),
            recovery: Recovery::default(),
            unnamed: AtomicBool::new(true),
        }
    }

    /// Publishes a whole file; missing parents are made, and unmade if it fails.
    pub(crate) fn write(
        &self,
        target: &Target,
        within: &Within,
        content: &str,
        guard: &WriteGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let job = write::WriteJob {
            publisher: self,
            target,
            within,
            content,
            guard,
            report,
            cancel,
        };
        self.in_turn(Verb::Write, target, cancel, || job.attempt())
    }

    /// Replaces text in a file; the version is checked before the text is searched.
    pub(crate) fn edit(
        &self,
        target: &Target,
        within: &Within,
        edit: &Edit,
        guard: &EditGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let job = edit::EditJob {
            publisher: self,
            target,
            within,
            edit,
            guard,
            report,
            cancel,
        };
        self.in_turn(Verb::Edit, target, cancel, || job.attempt())
    }

    /// Removes a file that is still this version.
    pub(crate) fn remove(
        &self,
        target: &Target,
        within: &Within,
        version: &str,
        cancel: &Cancel,
    ) -> Result<Removal, Error> {
        let job = remove::RemoveJob {
            publisher: self,
            target,
            within,
            version,
            cancel,
        };
        self.in_turn(Verb::Remove, target, cancel, || job.attempt())
    }

    /// How many targets are being changed or waited for.
    pub(crate) fn busy_targets(&self) -> usize {
        self.targets.len()
    }

    /// Runs attempts in the turn of the caller, until one has an answer.
    fn in_turn<T>(
        &self,
        verb: Verb,
        target: &Target,
        cancel: &Cancel,
        attempt: impl Fn() -> Result<T, Failure>,
    ) -> Result<T, Error> {
        let _turn = self
            .targets
            .enter(target.key.clone(), cancel)
            .map_err(|_| aborted(verb))?;
        for number in 1..=ATTEMPTS {
            match attempt() {
                Err(Failure::Again) if number < ATTEMPTS => pause(number),
                Err(Failure::Unlinkable) => self.unnamed.store(false, Ordering::Relaxed),
                Ok(done) => return Ok(done),
                Err(failure) => return Err(failure.worded(verb, &target.display)),
            }
        }
        Err(Failure::Again.worded(verb, &target.display))
    }

    fn tools(&self) -> Tools<'_> {
        Tools {
            kernel: &self.kernel,
            secret: &self.secret,
        }
    }

    fn stages_unnamed(&self) -> bool {
        self.unnamed.load(Ordering::Relaxed)
    }
}

/// Lets whoever is in the way finish: at once at first, then up to 4 milliseconds.
fn pause(attempt: u32) {
    match attempt {
        0..=2 => thread::yield_now(),
        _ => thread::sleep(Duration::from_micros(
            250 << attempt.min(6).saturating_sub(2),
        )),
    }
}
