//! `dsh-fs exec`: a command under the policy of the file tools.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use dsh_fs::types::ExecutionPolicy;
use dsh_fs_confine::{Confined, Environment, Verdict};
use dsh_fs_harness::{recover, verdict_name};
use dsh_fs_runtime::{AuditSink, Event, Record, Silent};

use crate::args::{Components, ExecArgs};
use crate::exit::{Failure, Reason};
use crate::recording::audit_to;
use crate::setup::{Fenced, OldTexts, Setup};
use crate::{recovery, shell};

/// How much of standard error is kept for telling a denial.
const KEPT: usize = 64 * 1024;

/// Runs the command; this program ends as it does.
pub(crate) fn exec(args: &ExecArgs) -> Result<(), Failure> {
    let audit: Arc<dyn AuditSink> = match &args.audit {
        Some(file) => audit_to(file)?,
        None => Arc::new(Silent),
    };
    let (confined, root) = confined(args, audit.as_ref())?;
    if args.verbose {
        tell(&confined);
    }
    let environment = Environment::without_secrets(std::env::vars_os(), &[]);
    let mut command = Command::new(&confined.argv[0]);
    command
        .args(&confined.argv[1..])
        .current_dir(root)
        .env_clear()
        .envs(environment.variables());
    let (status, stderr) = run(&mut command)?;
    let verdict = confined.classify(status.code(), &stderr);
    audit.record(&Record::now(
        None,
        Event::Confined {
            mode: confined.mode().name(),
            backend: confined.backend.name(),
            enforcement: confined.enforcement.name(),
            reasons: confined.enforcement.gaps(),
            verdict: verdict_name(&verdict),
        },
    ));
    match verdict {
        Verdict::Succeeded => Ok(()),
        Verdict::RunnerFailed(reason) => {
            Err(Failure::new(Reason::Runner, anyhow::anyhow!("{reason}")))
        }
        Verdict::Denied { code, line } => Err(Failure::new(
            Reason::Denied,
            anyhow::anyhow!(
                "the {} policy kept the command from something, and it ended with {code}: {line}",
                confined.mode().name()
            ),
        )),
        _ => Err(Failure::with_code(own_code(status))),
    }
}

/// The command as it is run, and the directory that it starts in.
fn confined(args: &ExecArgs, audit: &dyn AuditSink) -> Result<(Confined, PathBuf), Failure> {
    let setup = Setup {
        deployment: &args.deployment,
        components: &Components::default(),
        keeping: None,
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
    if let Some(transactions) = transactions {
        let recovered = recover(&transactions, &files, audit);
        recovery::tell(recovered.map_err(|error| error.message));
    }
    let policy = ExecutionPolicy {
        mode: deployment.mode,
        workspace_root: root.clone(),
        session_id: None,
    };
    let unavailable = |why: String| Failure::new(Reason::Unconfinable, anyhow::anyhow!("{why}"));
    let roots = files
        .pin(&policy)
        .map_err(|error| unavailable(error.message))?;
    let shell = shell::shell(&deployment)?;
    let shell = shell.ok_or_else(|| unavailable("this deployment offers no shell".into()))?;
    let argv: &[OsString] = &args.command;
    let confined = shell.confine(argv, &policy, &roots);
    let confined = confined.map_err(|refused| unavailable(refused.to_string()))?;
    let root = OsString::from_vec(dsh_fs::name::to_bytes(&root));
    Ok((confined, root.into()))
}

fn tell(confined: &Confined) {
    let (backend, kept) = (confined.backend.name(), confined.enforcement.name());
    // Where standard error is closed, nobody can be told.
    let _ = writeln!(io::stderr(), "dsh-fs: note: {backend}, enforcement {kept}");
    for gap in confined.enforcement.gaps() {
        let _ = writeln!(io::stderr(), "dsh-fs: note: not kept: {gap}");
    }
    for limit in confined.limits() {
        let _ = writeln!(io::stderr(), "dsh-fs: note: not governed: {limit}");
    }
}

/// Runs it, and hands its standard error on. A terminal is left to the command itself.
fn run(command: &mut Command) -> Result<(ExitStatus, String), Failure> {
    if io::stderr().is_terminal() {
        let status = command.status().context("the command")?;
        return Ok((status, String::new()));
    }
    let mut running = command
        .stderr(Stdio::piped())
        .spawn()
        .context("the command")?;
    let stderr = running.stderr.take().expect("it is piped");
    let hand_on = thread::spawn(move || handed_on(stderr));
    let status = running.wait().context("the command")?;
    let kept = hand_on.join().unwrap_or_default();
    Ok((status, String::from_utf8_lossy(&kept).into_owned()))
}

/// Copies to standard error until the end; answers the last of it.
fn handed_on(mut from: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut chunk = [0; 8_192];
    while let Ok(read @ 1..) = from.read(&mut chunk) {
        // A standard error that is closed takes nothing; the command goes on.
        let _ = io::stderr().write_all(&chunk[..read]);
        kept.extend_from_slice(&chunk[..read]);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
    kept
}

fn own_code(status: ExitStatus) -> u8 {
    let code = match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, signal) => 128 + signal.unwrap_or_default(),
    };
    u8::try_from(code).unwrap_or(1)
}
