//! `dsh-fs component`: what is in use, and what it asks for.

use dsh_fs_artifacts::{Inspection, inspect};
use serde_json::json;

use crate::args::ComponentArgs;
use crate::exit::{Failure, Reason};
use crate::paint::Paint;
use crate::setup::{component_file, runtime};

/// Prints name, size, digest, imports and exports of each component.
pub(crate) fn component(args: &ComponentArgs) -> Result<(), Failure> {
    // What cannot be loaded is not in use, whatever it says of itself.
    let runtime = runtime(&args.components)?;
    let mut parts: Vec<(&str, Vec<u8>)> = Vec::new();
    match (&args.components.component, &args.components.gate) {
        (Some(file), _) => parts.push(("component", component_file(file)?)),
        (None, Some(file)) => {
            parts.push(("gate", component_file(file)?));
            parts.push(("toolbox", dsh_fs_artifacts::TOOLBOX.to_vec()));
            parts.push(("composed", runtime.component_bytes().to_vec()));
        }
        (None, None) => {
            parts.push(("gate", dsh_fs_artifacts::GATE.to_vec()));
            parts.push(("toolbox", dsh_fs_artifacts::TOOLBOX.to_vec()));
            parts.push(("composed", runtime.component_bytes().to_vec()));
        }
    }
    let mut shown = Vec::new();
    for (name, bytes) in &parts {
        let inspection =
            inspect(bytes).map_err(|error| Failure::new(Reason::Component, error))?;
        shown.push((*name, inspection));
    }
    if args.json {
        print_json(&shown);
    } else {
        print_text(&shown);
    }
    Ok(())
}

fn print_json(parts: &[(&str, Inspection)]) {
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, part)| {
            json!({
                "name": name,
                "size": part.size,
                "digest": format!("sha256:{}", part.digest),
                "imports": part.imports,
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
            println!("  {} {import}", paint.yellow("import"));
        }
        for export in &part.exports {
            println!("  {} {export}", paint.green("export"));
        }
    }
}
