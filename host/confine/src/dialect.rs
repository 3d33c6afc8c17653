//! The words of each backend.

use crate::landlock::FAILED;
use crate::options::{Backend, Runner, ShellOptions, Used};
use crate::verdict::FailureRule;
use crate::wording;

/// The words of a backend: in which a denial shows, and by which its own failures are told.
pub(crate) fn dialect(used: Used, options: &ShellOptions) -> (Vec<String>, FailureRule) {
    let signed = |text: &str| FailureRule {
        fatal_signatures: vec![text.to_owned()],
        ..FailureRule::default()
    };
    let (denials, failure): (&[&str], FailureRule) = match used {
        Used::Nothing => (&[], FailureRule::default()),
        Used::Bubblewrap => (&["read-only file system"], signed("bwrap: ")),
        Used::Landlock => {
            let rule = FailureRule {
                allowed_exit_codes: Some(vec![FAILED]),
                informational_lines: vec![wording::launcher(wording::OLDER_ABI)],
                ..signed("landlock-run: ")
            };
            (&["permission denied"], rule)
        }
        Used::Seatbelt => (&["operation not permitted"], signed("sandbox-exec: ")),
        Used::Custom => {
            let rule = FailureRule {
                fatal_signatures: own(options, Runner::failure_signatures),
                ..FailureRule::default()
            };
            (&["read-only file system", "permission denied"], rule)
        }
    };
    let mut denials: Vec<String> = denials.iter().map(|text| (*text).to_owned()).collect();
    if used == Used::Custom {
        denials.extend(own(options, Runner::denial_signatures));
    }
    (denials, failure)
}

/// The words of the runner that the embedder configured.
fn own(options: &ShellOptions, words: impl Fn(&Runner) -> &[String]) -> Vec<String> {
    match &options.backend {
        Backend::Custom(runner) => words(runner).to_vec(),
        _ => Vec::new(),
    }
}
