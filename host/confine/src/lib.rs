//! Runs shell commands under the policy of the file fence.
//!
//! [`Shell::confine`] makes an argv that runs a command under an `ExecutionPolicy`, with
//! the very roots that `SandboxedFileSystem` has pinned for it: what the fence lets be
//! written a command can write, and nothing else. [`Shell::run`] runs it to its end, and
//! [`Confined::classify`] reads the outcome of one that somebody else has run.
//!
//! [`Shell::attach`] runs one with the streams of this process, as a command line does.
//!
//! Where no backend works, nothing runs: [`Unavailable`] (`SANDBOX_UNAVAILABLE`) says what
//! was tried, why each failed, and what would help. Where one keeps a policy in part,
//! [`Enforcement::Partial`] says what it does not keep, or the command is refused
//! ([`OnPartial`]). That a command was denied something, that a runner failed, and that its
//! program cannot be started are three facts: [`Verdict::Denied`], [`Verdict::RunnerFailed`]
//! and [`Verdict::NoProgram`]. The last two are proved under bubblewrap and Landlock, by a
//! report or a pipe that the command does not have; a custom runner is told by its words.
//!
//! # What each backend gives
//!
//! | | bubblewrap | Landlock | Seatbelt |
//! | --- | --- | --- | --- |
//! | how | mounts: the disk read-only, the roots above it | rights that a process gives up | a profile |
//! | needs | the program, and user namespaces where it is not root | Linux 5.13; all of it from 6.2 on | macOS |
//! | found out by | running it | restricting a thread, and trying to write | – |
//! | writable roots | yes | yes, by the open directory | yes, by path |
//! | protected sub-paths | those that exist, and every directory above them is kept in its place | no: partial | yes |
//! | deny-read | what exists when the command starts | no: partial | yes |
//! | what the host keeps for itself | hidden, where it exists | no: a limit, not partial | hidden |
//! | owners, modes, times outside the roots | kept | not kept | kept |
//! | network off | all of it | TCP alone: partial | yes |
//! | other processes | not seen | no signals from Linux 6.12 on, never traced | seen |
//! | moves between two roots | copies (`mv` does it, `rename` fails) | moves | moves |
//! | rights of root | all but those to use its own files are given up | the same | – |
//!
//! Seatbelt is text here: its profile is tested as text, not by running it.
//!
//! A custom [`Runner`] gets the arguments of bubblewrap, and is believed.
//!
//! # What no backend gives
//!
//! - Services that listen on sockets (a container engine, an agent for keys) can be asked
//!   to do what a command may not. The network is open unless it is closed.
//! - A file that is hard-linked into a writable root can be written through that name, and
//!   one that is hard-linked out of a hidden place can be read.
//! - What other processes of the same user do to the disk between [`Shell::confine`] and
//!   the start. Landlock holds the roots open; bubblewrap takes paths.
//! - Shared memory, queues and keys that the kernel keeps for other processes of the user.
//!   Under Landlock a command can also set the limits and priorities of those, and, before
//!   Linux 6.12, send them signals.
//! - A standard output that is a file can be written and cut short by the command, and one
//!   under bubblewrap be read: it was opened by somebody who may.
//!
//! # Full or partial
//!
//! `Full` is said of the content and the names of files, which is what a policy is about.
//! [`Confined::limits`] says what a backend leaves open whatever the policy is. A relative
//! protected path counts beneath every root, `/tmp` included, as with the fence: where it
//! does not exist, the enforcement is partial.
//!
//! # The environment of a command
//!
//! A command gets the variables of [`RunOptions::env`] and no others.
//! [`Environment::without_secrets`] passes everything on but what looks like a secret by
//! its name or its value; what is needed all the same is kept by name. That is a help and no
//! fence. A command reads no environment of a process outside.
//!
//! # Who ends, and what is inherited
//!
//! [`Shell::run`] and [`Shell::attach`] leave a command nothing open but the three streams. It
//! ends with the thread that runs it, and what it has started ends with it: bubblewrap makes
//! a space of processes for that, and under Landlock a process watches over the command, that
//! nothing restricts and that has nothing open. Before Linux 6.12 a command can end that
//! process; then it ends too, and what it has started goes on.
//!
//! # Starting a command oneself
//!
//! The argv of Landlock is `[wrapper…, "--ro", "/", "--rw", ROOT, "--is", DEVICE:INODE, …,
//! "--", command…]`; the wrapper is a program that calls [`landlock_exec`], such as
//! `landlock-run` of this crate. A Rust program can do without an argv: [`Shell::prepare`]
//! has a `Command` restrict itself. Neither closes what whoever starts it has open, nor ends
//! what it leaves; and whether an argv failed is then told by its words alone.

mod backends;
mod bubblewrap;
mod confined;
mod dialect;
mod error;
mod hidden;
mod landlock;
mod options;
mod place;
mod probe;
mod profile;
mod rights;
mod run;
pub mod seatbelt;
mod shell;
mod verdict;
mod wording;

pub use confined::{Confined, Enforcement};
pub use error::{BadRunner, RunError, Tried, Unavailable};
pub use hidden::{Hidden, HideRule};
pub use landlock::landlock_exec;
pub use options::{Backend, Network, OnPartial, Runner, ShellOptions, Used};
pub use probe::{Machine, Platform, Probe};
pub use run::{AttachOptions, Environment, Finished, Output, RunOptions, Signals};
pub use shell::Shell;
pub use verdict::{Evidence, FailureRule, Verdict, runner_failure};
