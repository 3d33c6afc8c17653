//! `dsh-fs exec`: a command under the policy of the file tools.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use dsh_fs::types::ExecutionPolicy;
use dsh_fs_confine::{AttachOptions, Confined, Enforcement, Environment, Shell, Verdict};
use dsh_fs_harness::{recover, verdict_name};
use dsh_fs_runtime::{AuditSink, Event, Record, Silent};

use crate::args::{Components, ExecArgs, Keeping};
use crate::exit::{Failure, Reason};
use crate::forward::Forwarding;
use crate::recording::audit_to;
use crate::setup::{Fenced, OldTexts, Setup};
use crate::{recovery, shell};

/// Runs the command; this program ends as it does.
pub(crate) fn exec(args: &ExecArgs) -> Result<(), Failure> {
    let audit: Arc<dyn AuditSink> = match &args.audit {
        Some(file) => audit_to(file)?,
        None => Arc::new(Silent),
    };
    let (shell, confined, root) = confined(args, audit.as_ref())?;
    if args.verbose {
        tell(&confined);
    }
    let keep: Vec<&str> = args.keep_env.iter().map(String::as_str).collect();
    let options = AttachOptions {
        cwd: root,
        env: Environment::without_secrets(std::env::vars_os(), &keep),
    };
    let forwarding = Forwarding::start()?;
    let finished = shell.attach(&confined, &options, |to| {
        forwarding.to(to, confined.backend)
    });
    let finished = finished.map_err(|error| Failure::new(Reason::Runner, error))?;
    audit.record(&Record::now(
        None,
        Event::Confined {
            mode: confined.mode().name(),
            backend: confined.backend.name(),
            enforcement: confined.enforcement.name(),
            reasons: confined.enforcement.gaps(),
            verdict: verdict_name(&finished.verdict),
        },
    ));
    ended(&confined, finished.verdict)
}

/// The verdict as an exit code, and what is said of it.
fn ended(confined: &Confined, verdict: Verdict) -> Result<(), Failure> {
    match verdict {
        Verdict::Succeeded => Ok(()),
        Verdict::RunnerFailed(reason) => Err(Failure::new(Reason::Runner, anyhow!("{reason}"))),
        Verdict::Denied { code, line } => Err(Failure::new(
            Reason::Denied,
            anyhow!(
                "the {} policy kept the command from something, and it ended with {code}: {line}",
                confined.mode().name()
            ),
        )),
        Verdict::NoProgram { code, reason } => {
            Err(Failure::new(Reason::Runner, anyhow!("{reason}")).with(byte(code)))
        }
        Verdict::Failed(code) => Err(Failure::with_code(byte(code))),
        // Nothing limits its time, and nobody withdraws.
        Verdict::TimedOut | Verdict::Cancelled => Err(Failure::told(Reason::Failed)),
    }
}

/// An exit code, which is a byte.
fn byte(code: i32) -> u8 {
    u8::try_from(code).unwrap_or(1)
}

/// The command as it is run, and the directory that it starts in.
fn confined(args: &ExecArgs, audit: &dyn AuditSink) -> Result<(Shell, Confined, PathBuf), Failure> {
    let keeping = Keeping {
        state: None,
        audit: args.audit.clone(),
    };
    let setup = Setup {
        deployment: &args.deployment,
        components: &Components::default(),
        keeping: Some(&keeping),
        lasting: false,
        in_place: false,
        no_history: false,
        old_texts: Some(OldTexts::Nowhere),
    };
    let Fenced {
        deployment,
        files,
        root,
        transactions,
    } = setup.fence()?;
    setup.check_audit(&deployment)?;
    if let Some(transactions) = transactions {
        let recovered = recover(&transactions, &files, audit);
        recovery::tell(recovered.map_err(|error| error.message));
    }
    let policy = ExecutionPolicy {
        mode: deployment.mode,
        workspace_root: root.clone(),
        session_id: None,
    };
    let unavailable = |why: String| Failure::new(Reason::Unconfinable, anyhow!("{why}"));
    let roots = files
        .pin(&policy)
        .map_err(|error| unavailable(error.message))?;
    let shell = shell::shell(&deployment)?;
    let shell = shell.ok_or_else(|| unavailable("this deployment offers no shell".into()))?;
    let argv: &[OsString] = &args.command;
    let confined = shell.confine(argv, &policy, &roots);
    let confined = confined.map_err(|refused| unavailable(refused.to_string()))?;
    let root = OsString::from_vec(dsh_fs::name::to_bytes(&root));
    Ok((shell, confined, root.into()))
}

fn tell(confined: &Confined) {
    let (backend, kept) = (confined.backend.name(), confined.enforcement.name());
    // Where standard error is closed, nobody can be told.
    let _ = match confined.enforcement {
        Enforcement::Unconfined => {
            writeln!(io::stderr(), "dsh-fs: note: nothing confines the command")
        }
        _ => writeln!(io::stderr(), "dsh-fs: note: {backend}, enforcement {kept}"),
    };
    for gap in confined.enforcement.gaps() {
        let _ = writeln!(io::stderr(), "dsh-fs: note: not kept: {gap}");
    }
    for limit in confined.limits() {
        let _ = writeln!(io::stderr(), "dsh-fs: note: not governed: {limit}");
    }
}
