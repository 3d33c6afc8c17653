//! `dsh-fs component`: what is in use, and what it asks for.

use dsh_fs_artifacts::{COMPOSED, GATE, Import, Inspection, TOOLBOX, compose, inspect};
use serde_json::json;

use crate::args::ComponentArgs;
use crate::exit::{Failure, Reason};
use crate::paint::Paint;
use crate::setup::{component_file, runtime};

/// Prints name, size, digest, imports and exports of each component.
pub(crate) fn component(args: &ComponentArgs) -> Result<(), Failure> {
    // What cannot be loaded is not in use, whatever it says of itself.
    runtime(&args.components)?;
    let parts = match (&args.components.component, &args.components.gate) {
        (Some(file), _) => vec![("component", component_file(file)?)],
        (None, Some(file)) => composed_with(component_file(file)?)?,
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
        print_json(&shown);
    } else {
        print_text(&shown);
    }
    Ok(())
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

fn print_json(parts: &[(&str, Inspection)]) {
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
    println!("{:#}", json!({ "components": parts }));
}

fn print_text(parts: &[(&str, Inspection)]) {
    let paint = Paint::stdout();
    for (name, part) in parts {
        println!("{}  {} bytes", paint.bold(name), part.size);
        println!("  sha256:{}", part.digest);
        for import in &part.imports {
            println!("  {} {}", paint.yellow("import"), shown(import));
        }
        for export in &part.exports {
            println!("  {} {export}", paint.green("export"));
        }
    }
}

fn shown(import: &Import) -> String {
    let note = if import.type_only {
        " (types only)"
    } else {
        ""
    };
    format!("{}{note}", import.name)
}
