//! `dsh-fs policy`: what a session would start with.

use dsh_fs_harness::AgentOptions;
use serde_json::json;

use super::policy_check::check;
use crate::args::{Components, PolicyAction, PolicyArgs};
use crate::exit::Failure;
use crate::output::say;
use crate::paint::Paint;
use crate::setup::{OldTexts, Setup, no_session};

/// Prints the resolved policy, the writable roots, and what a model is told of it.
pub(crate) fn policy(args: &PolicyArgs) -> Result<(), Failure> {
    match &args.action {
        Some(PolicyAction::Check(args)) => check(args),
        Some(PolicyAction::Schema) => say!("{:#}", dsh_fs_harness::deployment::schema()),
        None => of_a_session(args),
    }
}

fn of_a_session(args: &PolicyArgs) -> Result<(), Failure> {
    let setup = Setup {
        deployment: &args.deployment,
        components: &Components::default(),
        keeping: None,
        lasting: false,
        in_place: false,
        no_history: false,
        old_texts: Some(OldTexts::Nowhere),
    };
    let session = setup
        .open()?
        .agent("policy", AgentOptions::default())
        .map_err(no_session)?;
    let policy = session.policy().map_err(anyhow::Error::from)?;
    let roots = session.writable_roots().map_err(anyhow::Error::from)?;
    let text = session.policy_text().map_err(anyhow::Error::from)?;
    if args.json {
        let value = json!({
            "mode": policy.mode.name(),
            "workspaceRoot": policy.workspace_root,
            "writableRoots": roots,
            "text": text,
        });
        say!("{value:#}")?;
        return Ok(());
    }
    let paint = Paint::stdout();
    say!("{}             {}", paint.bold("mode"), policy.mode.name())?;
    say!(
        "{}   {}",
        paint.bold("workspace root"),
        policy.workspace_root
    )?;
    let shown = match (policy.mode, roots.is_empty()) {
        (dsh_fs::types::Mode::DangerFullAccess, _) => "everything".to_owned(),
        (_, true) => "nothing".to_owned(),
        (_, false) => roots.join("\n                 "),
    };
    say!("{}         {shown}", paint.bold("writable"))?;
    say!("{}  {}", paint.bold("the model hears"), text)?;
    Ok(())
}
