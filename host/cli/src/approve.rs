//! Who answers when a call asks for wider permissions.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

use anyhow::anyhow;
use rustix::termios::{QueueSelector, tcflush};

use dsh_fs_runtime::{Approver, Decision, Question, wording};

use crate::args::{ApproveArg, Deployment};
use crate::exit::{Failure, Reason};

/// The approver that the command line asks for; none where nobody may be asked.
pub(crate) fn approver(
    choice: ApproveArg,
    deployment: &Deployment,
) -> Result<Option<Arc<dyn Approver>>, Failure> {
    check(choice, deployment)?;
    Ok(match choice {
        ApproveArg::Never => None,
        ApproveArg::Always => Some(Arc::new(Always)),
        ApproveArg::Ask => Some(Arc::new(Terminal)),
    })
}

/// Whoever may be asked by the file of a deployment is not answered for by an option.
pub(crate) fn check(choice: ApproveArg, deployment: &Deployment) -> Result<(), Failure> {
    if choice != ApproveArg::Always || deployment.config.is_none() {
        return Ok(());
    }
    let why = anyhow!("CONFIG_WIDENED: --approve always would go further than the file");
    let failure = Failure::new(Reason::Config, why);
    Err(failure.hint("say it there: [[escalate]] with answer = \"always\""))
}

/// Approves everything. For scripts in a place that may be lost.
pub(crate) struct Always;

impl Approver for Always {
    fn ask(&self, _question: &Question) -> Decision {
        Decision::AllowedOnce
    }
}

/// Asks on the controlling terminal, since standard input carries the calls.
struct Terminal;

impl Approver for Terminal {
    fn ask(&self, question: &Question) -> Decision {
        ask_on_terminal(question).unwrap_or(Decision::Unavailable)
    }
}

fn ask_on_terminal(question: &Question) -> std::io::Result<Decision> {
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    // Keys that were struck before the question answer nothing.
    tcflush(&terminal, QueueSelector::IFlush)?;
    write!(
        terminal,
        "{}\nAllow this? [y]es once / [s]ession / [w]orkspace / [N]o ",
        wording::question(question)
    )?;
    terminal.flush()?;
    let mut reply = String::new();
    if BufReader::new(terminal).read_line(&mut reply)? == 0 {
        return Ok(Decision::Cancelled);
    }
    Ok(match reply.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Decision::AllowedOnce,
        "s" | "session" => Decision::AllowedForSession,
        "w" | "workspace" => Decision::AllowedForWorkspace,
        _ => Decision::Rejected,
    })
}
