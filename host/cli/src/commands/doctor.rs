//! `dsh-fs doctor`: what this machine, and the file system of a folder, can enforce.

use std::path::PathBuf;

use anyhow::Context;
use dsh_fs::probe::{self, Finding};
use dsh_fs_runtime::Made;
use serde_json::json;

use crate::args::{Components, DoctorArgs};
use crate::components::runtime;
use crate::exit::{Failure, Reason};
use crate::output::say;
use crate::paint::Paint;

/// Prints each finding with its reason.
pub(crate) fn doctor(args: &DoctorArgs) -> Result<(), Failure> {
    let folder = folder(args)?;
    let mut findings = probe::machine();
    findings.extend(probe::folder(&folder));
    findings.push(ahead_of_time()?);
    if args.json {
        let findings: Vec<_> = findings
            .iter()
            .map(|found| {
                json!({ "name": found.name, "works": found.works, "detail": found.detail,
                        "matters": found.matters })
            })
            .collect();
        say!("{:#}", json!({ "folder": folder, "findings": findings }))?;
        return Ok(());
    }
    let paint = Paint::stdout();
    say!("{} {}", paint.bold("folder"), folder.display())?;
    for found in &findings {
        let mark = if found.works {
            paint.green("yes")
        } else {
            paint.red("no ")
        };
        say!(
            "{mark}  {}  {}",
            paint.bold(&format!("{:<22}", found.name)),
            found.detail
        )?;
        say!("     {:<22}  {}", "", paint.dim(found.matters))?;
    }
    Ok(())
}

fn folder(args: &DoctorArgs) -> Result<PathBuf, Failure> {
    let folder = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = folder
        .canonicalize()
        .with_context(|| format!("folder {}", folder.display()))
        .map_err(|error| Failure::new(Reason::Workspace, error))?;
    if !folder.is_dir() {
        let error = anyhow::anyhow!("folder {}: not a directory", folder.display());
        return Err(Failure::new(Reason::Workspace, error));
    }
    Ok(folder)
}

fn ahead_of_time() -> Result<Finding, Failure> {
    let runtime = runtime(&Components::default())?;
    let works = runtime.made() == Made::AheadOfTime;
    Ok(Finding {
        name: "ahead-of-time code",
        works,
        detail: if works {
            "the shipped component was compiled when the program was built".into()
        } else {
            "the shipped code does not fit this machine; compiled at start instead".into()
        },
        matters: "start-up time only",
    })
}
