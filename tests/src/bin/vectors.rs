//! Runs vector files or folders: `vectors [options] PATH...`.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::Parser;
use dsh_fs_tests::run::{Options, Verdict};
use dsh_fs_tests::tier::Tier;
use dsh_fs_tests::tier::adapter::Adapter;
use dsh_fs_tests::{files, report, unprivileged};

/// Runs vectors natively, on the gate, and through the whole host.
#[derive(Parser)]
struct Arguments {
    /// Vector files, or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Run only in this tier: native, gate or host; may be repeated.
    #[arg(long, value_parser = parse_tier)]
    tier: Vec<Tier>,
    /// Run in another implementation: a command that speaks the protocol of tests/kit.
    #[arg(long, value_name = "COMMAND", conflicts_with = "tier")]
    adapter: Option<String>,
    /// Run only the vector with this id.
    #[arg(long)]
    only: Option<String>,
    /// Where the trees are built; must not be a temporary directory.
    #[arg(long)]
    base: Option<PathBuf>,
    /// Name the skipped vectors.
    #[arg(long)]
    list_skipped: bool,
    /// One object a vector instead of sentences.
    #[arg(long)]
    json: bool,
    /// Print the vectors in the format of tests/README.md instead of running them.
    #[arg(long)]
    print: bool,
    /// This process is the ordinary user that a vector asked for.
    #[arg(long, hide = true)]
    as_child: bool,
}

fn parse_tier(name: &str) -> Result<Tier, String> {
    Tier::from_name(name).ok_or_else(|| "native, gate or host".to_owned())
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    unprivileged::usual_umask();
    if arguments.print {
        print!("{}", files::written(&arguments.paths)?);
        return Ok(ExitCode::SUCCESS);
    }
    let adapter = arguments.adapter.as_deref().map(Adapter::start);
    let options = Options {
        adapter: adapter.transpose()?.map(Arc::new),
        base: arguments.base,
        tiers: arguments.tier,
        as_child: arguments.as_child,
    };
    let outcomes = files::run(&arguments.paths, arguments.only.as_deref(), &options)?;
    let told = if arguments.json {
        report::json(&outcomes)
    } else {
        report::text(&outcomes, arguments.list_skipped)
    };
    print!("{told}");
    let failed = outcomes
        .iter()
        .any(|outcome| matches!(outcome.verdict, Verdict::Failed(_)));
    Ok(ExitCode::from(u8::from(failed)))
}
