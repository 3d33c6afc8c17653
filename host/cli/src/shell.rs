//! From the policy of a deployment to a shell that keeps it.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use dsh_fs_confine::{Backend, Environment, OnPartial, Runner, Shell, ShellOptions};
use dsh_fs_harness::ShellAccess;
use dsh_fs_harness::deployment::{Deployment, OnPartial as Partial, ShellBackend};

use crate::exit::{Failure, Reason};

/// The shell of a deployment; nothing where it offers none. Commands find the environment
/// of this program, without what is named like a secret.
pub(crate) fn access(deployment: &Deployment) -> Result<Option<ShellAccess>, Failure> {
    let shell = shell(deployment)?;
    Ok(shell.map(|shell| {
        let environment = Environment::without_secrets(std::env::vars_os(), &[]);
        ShellAccess::new(Arc::new(shell), environment)
    }))
}

/// What confines the commands of a deployment.
pub(crate) fn shell(deployment: &Deployment) -> Result<Option<Shell>, Failure> {
    let rules = &deployment.shell;
    let backend = match rules.backend {
        ShellBackend::None => return Ok(None),
        ShellBackend::Auto => Backend::Auto,
        ShellBackend::Bubblewrap => Backend::Bubblewrap,
        ShellBackend::Landlock => Backend::Landlock,
        ShellBackend::Custom => Backend::Custom(runner(deployment)?),
    };
    let program = std::env::current_exe().context("the path of this program")?;
    Ok(Some(Shell::new(ShellOptions {
        backend,
        on_partial: match rules.on_partial {
            Partial::Allow => OnPartial::Allow,
            Partial::Refuse => OnPartial::Refuse,
        },
        landlock_wrapper: vec![program.into(), "landlock-exec".into()],
        ..ShellOptions::default()
    })))
}

fn runner(deployment: &Deployment) -> Result<Runner, Failure> {
    let bad = |error| Failure::new(Reason::Config, error);
    let runner = deployment.shell.runner.clone();
    let runner = runner.ok_or_else(|| bad(anyhow!("the custom shell names no runner")))?;
    let command = runner.argv.into_iter().map(Into::into).collect();
    Runner::new(command, runner.failure)
        .and_then(|made| made.with_denials(runner.denial))
        .map_err(|error| bad(anyhow!("{error}")))
}
