//! The tool `bash`: a command under the policy of the session's files.
//!
//! What may be asked for, and what is said of a denial, the gate decides; what is kept, the
//! shell keeps, over the roots that the fence has pinned. A yes of a person is for exactly
//! the command that the person saw.

mod answer;
mod arguments;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::name::{shown, to_bytes};
use dsh_fs::roots::Roots;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_confine::{Confined, RunOptions};
use dsh_fs_runtime::gate::{Circumstances, Refusal};
use dsh_fs_runtime::{
    Answer, Approver, AuditSink, CallCode, CallError, Decision, Event, Question, Record,
    wording as questions,
};
use serde_json::Value;

use crate::gate_room::GateRoom;
use crate::lanes::Lanes;
use crate::shell::ShellAccess;
use crate::verdict::verdict_name;
use crate::wording;

use arguments::Arguments;

/// What the commands of one agent run with.
pub(crate) struct Bash {
    pub(crate) shell: Option<ShellAccess>,
    pub(crate) gate: Arc<GateRoom>,
    /// The canonical directory of the session.
    pub(crate) root: String,
    pub(crate) session: String,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) audit: Arc<dyn AuditSink>,
}

impl Bash {
    /// Runs a command under the mode of the session, or under a wider one that a person allows for it.
    pub(crate) fn call(&self, lanes: &Lanes, args: &Value, cancel: &Cancel) -> Answer {
        match self.run(lanes, args, cancel) {
            Ok(answer) => answer,
            Err(error) => {
                self.record(Event::CallFailed {
                    tool: "bash",
                    code: error.code.name(),
                    path: None,
                });
                error.into()
            }
        }
    }

    fn run(&self, lanes: &Lanes, args: &Value, cancel: &Cancel) -> Result<Answer, CallError> {
        let args = Arguments::of(args)?;
        let mode = lanes.mode();
        let unavailable = |why| CallError::of_call(CallCode::SandboxUnavailable, why);
        let Some(access) = &self.shell else {
            return Err(unavailable(wording::no_shell()));
        };
        let allowed = self.allowed(mode, &args)?;
        let confined = self
            .confined(access, &lanes.roots(allowed), &args.command)
            .map_err(|refused| unavailable(refused.to_string()))?;
        let options = RunOptions {
            time_limit: Some(args.time_limit.unwrap_or(access.time_limit)),
            output_cap: access.output_cap,
            cancel: cancel.clone(),
            ..RunOptions::new(self.directory(), access.environment.clone())
        };
        let finished = access.shell.run(&confined, &options);
        let finished = finished.map_err(|error| unavailable(error.to_string()))?;
        self.record(Event::Confined {
            mode: confined.mode().name(),
            backend: confined.backend.name(),
            enforcement: confined.enforcement.name(),
            reasons: confined.enforcement.gaps(),
            verdict: verdict_name(&finished.verdict),
        });
        let way_out = self.way_out(mode, allowed)?;
        answer::of(&confined, &finished, &way_out)
    }

    /// The mode that the command runs under.
    fn allowed(&self, mode: Mode, args: &Arguments) -> Result<Mode, CallError> {
        let (asked, reason) = (
            args.sandbox_permissions.as_deref(),
            args.justification.as_deref(),
        );
        if asked.is_none() && reason.is_none() {
            return Ok(mode);
        }
        let checked = self.gate.ask(|gate| gate.check_escalation(asked, reason))?;
        let wanted = checked.map_err(|why| CallError::of_call(CallCode::InvalidArguments, why))?;
        let Some(wanted) = wanted else {
            return Ok(mode);
        };
        let circumstances = Circumstances {
            effective: mode,
            confined: true,
            approver: self.approver.is_some(),
            owner: true,
        };
        let refused = |why| CallError::of_call(CallCode::EscalationRefused, why);
        self.gate
            .ask(|gate| gate.judge_escalation(wanted, circumstances))?
            .map_err(refused)?;
        let refusal = match self.ask(wanted, &args.command, reason.unwrap_or_default()) {
            decision if decision.is_yes() => return Ok(wanted),
            Decision::Rejected => Refusal::Rejected,
            Decision::Cancelled => Refusal::Cancelled,
            _ => Refusal::Unavailable,
        };
        let why = self
            .gate
            .ask(|gate| gate.escalation_refused(wanted, refusal))?;
        Err(refused(why))
    }

    fn ask(&self, mode: Mode, command: &str, reason: &str) -> Decision {
        let Some(approver) = &self.approver else {
            return Decision::Unavailable;
        };
        let decision = approver.ask(&Question {
            tool: "bash",
            key: command.to_owned(),
            path: shown(command),
            workspace_root: self.root.clone(),
            mode,
            justification: questions::shown_justification(reason),
            session_id: Some(self.session.clone()),
            change: None,
        });
        self.record(Event::Asked {
            tool: "bash",
            key: command,
            mode: mode.name(),
            decision: decision.name(),
        });
        decision
    }

    fn confined(
        &self,
        access: &ShellAccess,
        roots: &Roots,
        command: &str,
    ) -> Result<Confined, dsh_fs_confine::Unavailable> {
        let argv = [
            access.program.clone().into_os_string(),
            OsString::from("-c"),
            OsString::from(command),
        ];
        let policy = ExecutionPolicy {
            // Where a client has narrowed them, the mode of the roots is the one to keep.
            mode: roots.mode(),
            workspace_root: self.root.clone(),
            session_id: Some(self.session.clone()),
        };
        access.shell.confine(&argv, &policy, roots)
    }

    fn directory(&self) -> PathBuf {
        use std::os::unix::ffi::OsStringExt;
        OsString::from_vec(to_bytes(&self.root)).into()
    }

    /// What a model is told of a denial: the marker, and how to ask for more where it can.
    fn way_out(&self, mode: Mode, allowed: Mode) -> Result<Vec<String>, CallError> {
        self.gate.ask(|gate| {
            let mut lines = vec![gate.denial_marker(allowed)?];
            if allowed == mode && !gate.wider_modes(allowed)?.is_empty() {
                lines.push(gate.escalation_hint()?);
            }
            Ok(lines)
        })
    }

    fn record(&self, event: Event<'_>) {
        self.audit.record(&Record::now(Some(&self.session), event));
    }
}
