//! `dsh-fs mcp`: the tools for an agent that speaks the Model Context Protocol.

use std::sync::Arc;

use anyhow::anyhow;
use dsh_fs_mcp::{Approval, McpOptions, ServeError, serve_stdio};

use crate::approve::{self, Always};
use crate::args::{ApproveArg, McpArgs};
use crate::exit::{Failure, Reason};
use crate::setup::{Setup, no_session};

/// Serves one client, until it closes standard input.
pub(crate) fn mcp(args: &McpArgs) -> Result<(), Failure> {
    approve::check(args.approve, &args.deployment)?;
    let harness = setup(args).start()?;
    let mut options = McpOptions::new(args.session.as_deref().unwrap_or("main"));
    options.client_roots = !args.ignore_client_roots;
    options.approval = match args.approve {
        ApproveArg::Never => Approval::Never,
        ApproveArg::Ask => Approval::Client,
        ApproveArg::Always => Approval::By(Arc::new(Always)),
    };
    serve_stdio(Arc::new(harness), options).map_err(|error| match error {
        ServeError::Session(error) => no_session(error),
        error => Failure::new(Reason::Failed, anyhow!("{error}")),
    })
}

fn setup(args: &McpArgs) -> Setup<'_> {
    Setup {
        deployment: &args.deployment,
        components: &args.components,
        keeping: Some(&args.keeping),
        lasting: args.session.is_some(),
        in_place: args.in_place,
        no_history: args.no_history,
        old_texts: None,
    }
}
