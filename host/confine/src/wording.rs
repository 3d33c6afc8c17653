//! Every sentence of this crate. A path is made safe to show here.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use dsh_fs::name;

use crate::error::{BadRunner, Unavailable};
use crate::options::Used;

/// What the launcher says on a kernel that knows only some of the rights.
pub(crate) const OLDER_ABI: &str = "partial enforcement (older Landlock ABI)";

fn shown(path: &Path) -> String {
    name::shown(&name::to_text(path.as_os_str().as_bytes()))
}

/// What the system said, without the number that Rust adds.
pub(crate) fn bare(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((bare, _)) => bare.to_owned(),
        None => text,
    }
}

pub(crate) fn unavailable(refusal: &Unavailable) -> String {
    let mode = refusal.mode.name();
    let mut text = format!(
        "sandbox mode \"{mode}\" cannot be kept for commands on this machine, so the command was not run."
    );
    for tried in &refusal.tried {
        text.push_str(&format!(" {}: {}.", tried.backend, tried.reason));
    }
    if let Some(detail) = &refusal.detail {
        text.push_str(&format!(" Runner failure: {detail}"));
    }
    let mut tried = refusal.tried.iter();
    if tried.any(|tried| tried.backend == "bubblewrap" && tried.gaps.is_empty()) {
        text.push_str(" What helps: install bubblewrap and allow user namespaces, use a kernel with Landlock (5.13 or newer), or configure a runner of your own.");
    }
    if refusal.tried.iter().any(|tried| !tried.gaps.is_empty()) {
        text.push_str(" A part of the policy is not enough here (on-partial is \"refuse\"): take that part out of the policy, use a backend that keeps it, or allow commands without it (on-partial = \"allow\").");
    }
    text
}

pub(crate) fn no_backend() -> String {
    "no backend is known for this system".to_owned()
}

pub(crate) fn workspace_moved(root: &str) -> String {
    let root = name::shown(root);
    format!("the workspace {root} is another directory than when the session started")
}

pub(crate) fn refused_in_part(gaps: &[String]) -> String {
    format!("it would not keep all of the policy: {}", gaps.join("; "))
}

pub(crate) fn no_wrapper() -> String {
    "no launcher is configured that could give up rights before the command starts".to_owned()
}

pub(crate) fn no_program(program: &Path) -> String {
    format!("the program {} is not installed", shown(program))
}

pub(crate) fn no_such_program(program: &OsStr, error: &io::Error) -> String {
    let program = shown(Path::new(program));
    match error.kind() {
        io::ErrorKind::NotFound => format!("the program {program} was not found"),
        _ => format!("the program {program} cannot be executed: {}", bare(error)),
    }
}

pub(crate) fn cannot_start(error: &io::Error) -> String {
    format!("it cannot be started ({})", bare(error))
}

pub(crate) fn probe_took_too_long(limit: Duration) -> String {
    format!("it did not answer within {} ms", limit.as_millis())
}

pub(crate) fn runner_said(said: &str) -> String {
    match said.lines().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("it does not work here ({})", name::shown(line.trim())),
        None => "it does not work here, and does not say why".to_owned(),
    }
}

pub(crate) fn silent_runner(backend: Used, exit: Option<i32>) -> String {
    let name = backend.name();
    match exit {
        Some(code) => format!("{name} ended with {code} before it reached the command"),
        None => format!("{name} was killed before it reached the command"),
    }
}

pub(crate) fn root_of_the_kernel(path: &Path) -> String {
    format!(
        "{} is made by the kernel and stays read-only for commands",
        shown(path)
    )
}

pub(crate) fn protected_is_missing(path: &Path) -> String {
    format!(
        "the protected path {} does not exist yet: a command can create it",
        shown(path)
    )
}

pub(crate) fn protected_is_a_link(path: &Path) -> String {
    format!(
        "a link leads to the protected path {}: a command can replace the link",
        shown(path)
    )
}

pub(crate) fn later(rule: &str) -> String {
    let rule = name::shown(rule);
    format!("what matches the deny-read rule {rule} only after the command has started can be read")
}

pub(crate) fn landlock_protects_nothing(path: &Path) -> String {
    format!(
        "Landlock cannot keep {} read-only beneath a writable root",
        shown(path)
    )
}

pub(crate) fn landlock_hides_nothing(path: &Path) -> String {
    format!("Landlock cannot hide {}", shown(path))
}

pub(crate) fn landlock_only_hides() -> String {
    "Landlock hides nothing, and nothing else was asked".to_owned()
}

pub(crate) fn landlock_closes_tcp_alone() -> String {
    "Landlock closes TCP (from Linux 6.12 on abstract sockets too), and nothing else".to_owned()
}

pub(crate) fn landlock_is_absent() -> String {
    "Landlock is not offered by this kernel, or is off".to_owned()
}

pub(crate) fn landlock_refuses_nothing() -> String {
    "Landlock is offered, but a restricted thread was not refused".to_owned()
}

pub(crate) fn landlock_failed(error: &io::Error) -> String {
    format!("the rights could not be given up: {}", bare(error))
}

pub(crate) fn landlock_refuses_moves() -> String {
    "this kernel's Landlock refuses every move and link between directories".to_owned()
}

pub(crate) fn landlock_lets_truncate() -> String {
    "this kernel's Landlock does not keep files outside the roots from being cut short".to_owned()
}

pub(crate) fn launcher(reason: &str) -> String {
    format!("landlock-run: {reason}")
}

pub(crate) fn usage(reason: &str) -> String {
    format!("usage error: {reason}")
}

pub(crate) fn no_rule_path(path: &Path, error: &io::Error) -> String {
    format!("cannot open rule path: {}: {}", shown(path), bare(error))
}

pub(crate) fn another_directory() -> String {
    "a root is another directory than the one that was pinned".to_owned()
}

pub(crate) fn exec_failed(error: &io::Error) -> String {
    format!("exec failed: {}", bare(error))
}

pub(crate) fn unsayable_path(path: &Path) -> String {
    format!(
        "{} is not UTF-8 and cannot be said in a profile",
        shown(path)
    )
}

pub(crate) fn runner_without_program() -> BadRunner {
    BadRunner("a runner needs a program")
}

pub(crate) fn runner_without_signatures() -> BadRunner {
    BadRunner("a runner requires at least one failure signature")
}

pub(crate) fn unusable_signature() -> BadRunner {
    BadRunner("failure signatures must be non-empty single-line strings")
}

pub(crate) fn unusable_denial() -> BadRunner {
    BadRunner("denial signatures must be non-empty single-line strings")
}

pub(crate) fn no_directory(directory: &Path, source: &io::Error) -> String {
    format!(
        "the working directory {} cannot be entered: {}",
        shown(directory),
        bare(source)
    )
}

pub(crate) fn unusable_argv() -> &'static str {
    "a command needs a program, and no argument may hold a NUL"
}

pub(crate) fn system(source: &io::Error) -> String {
    format!("the command could not be run: {}", bare(source))
}

/// What a backend leaves open whatever the policy says.
pub(crate) fn limits(backend: Used) -> &'static [&'static str] {
    match backend {
        Used::Nothing => &[],
        Used::Bubblewrap | Used::Custom => &[
            "services that listen on sockets of this machine can be asked to do what the command may not",
            "shared memory, queues and keys that the kernel keeps for other processes of the user can be reached",
        ],
        Used::Landlock => &[
            "permissions, owners, times and extended attributes of files outside the roots can be changed, where the user may",
            "what this program keeps for itself (old texts, its database) can be read",
            "services that listen on sockets of this machine can be asked to do what the command may not",
            "shared memory, queues and keys that the kernel keeps for other processes of the user can be reached, and limits and priorities of those be set",
            "before Linux 6.12 other processes of the user can be sent signals, also the one that ends what the command leaves",
        ],
        Used::Seatbelt => &[
            "services that listen on sockets of this machine can be asked to do what the command may not",
        ],
    }
}
