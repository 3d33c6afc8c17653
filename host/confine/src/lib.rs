//! Runs shell commands under the policy of the file fence.

mod bubblewrap;
mod confined;
mod error;
mod hidden;
mod landlock;
mod options;
mod place;
mod probe;
mod profile;
mod run;
pub mod seatbelt;
mod shell;
mod verdict;
mod wording;

pub use confined::{Confined, Enforcement};
pub use error::{BadRunner, RunError, Tried, Unavailable};
pub use hidden::Hidden;
pub use landlock::landlock_exec;
pub use options::{Backend, Network, OnPartial, Runner, ShellOptions, Used};
pub use probe::{Machine, Platform, Probe};
pub use run::{Environment, Finished, Output, RunOptions};
pub use shell::Shell;
pub use verdict::{Evidence, FailureRule, Verdict, runner_failure};
