//! `dsh-fs component`: what is in use, and what it asks for.

use dsh_fs_artifacts::{COMPOSED, GATE, Import, Inspection, TOOLBOX, compose, inspect};
use serde_json::json;

use crate::args::ComponentArgs;
use crate::components::{component_file, gate, runtime};
use crate::exit::{Failure, Reason};
use crate::output::say;
use crate::paint::Paint;

/// Prints name, size, digest, imports and exports of each component.
pub(crate) fn component(args: &ComponentArgs) -> Result<(), Failure> {
    // What cannot be loaded is not in use, whatever it says of itself.
    runtime(&args.components)?;
    let parts = match (&args.components.component, gate(&args.components)?) {
        (Some(file), _) => vec![("component", component_file(file)?)],
        (None, Some(gate)) => composed_with(gate)?,
        (None, None) => vec![
            ("gate", GATE.to_vec()),
            ("toolbox", TOOLBOX.to_vec()),
            ("composed", COMPOSED.to_vec()),
        ],
    };
    let mut shown = Vec::new();
    for (name, bytes) in &parts {
        let inspection = inspect(bytes).map_err(|error| Failure::new(Reason::Component, error))?;
        shown.push((*name, inspection));
    }
    if args.json {
        print_json(&shown)
    } else {
        print_text(&shown)
    }
}

fn composed_with(gate: Vec<u8>) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
    let composed =
        compose(TOOLBOX, &gate).map_err(|error| Failure::new(Reason::Component, error))?;
    Ok(vec![
        ("gate", gate),
        ("toolbox", TOOLBOX.to_vec()),
        ("composed", composed),
    ])
}

fn print_json(parts: &[(&str, Inspection)]) -> Result<(), Failure> {
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, part)| {
            json!({
                "name": name,
                "size": part.size,
                "digest": format!("sha256:{}", part.digest),
                "imports": part.imports.iter().map(|import| &import.name).collect::<Vec<_>>(),
                "exports": part.exports,
            })
        })
        .collect();
    say!("{:#}", json!({ "components": parts }))
}

fn print_text(parts: &[(&str, Inspection)]) -> Result<(), Failure> {
    let paint = Paint::stdout();
    for (name, part) in parts {
        say!("{}  {} bytes", paint.bold(name), part.size)?;
        say!("  sha256:{}", part.digest)?;
        for import in &part.imports {
            say!("  {} {}", paint.yellow("import"), shown(import))?;
        }
        for export in &part.exports {
            say!("  {} {export}", paint.green("export"))?;
        }
    }
    Ok(())
}

fn shown(import: &Import) -> String {
    let note = if import.type_only {
        " (types only)"
    } else {
        ""
    };
    format!("{}{note}", import.name)
}
