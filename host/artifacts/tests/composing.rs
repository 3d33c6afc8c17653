//! What the build makes, and what composing refuses.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use dsh_fs_artifacts::{
    COMPOSED, COMPOSED_AOT, ComponentError, GATE, GATE_AOT, OBSERVATION, SANDBOX, TOOLBOX, TOOLS,
    chain, check_gate_imports, compose, digest, inspect,
};
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, Resolve};

/// A component of a world of the package, every function of which traps. `change` turns
/// the text of the package into another one first.
fn dummy(world: &str, change: impl Fn(String) -> String) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
    let mut package = String::new();
    for entry in std::fs::read_dir(folder).expect("the package is there") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "wit") {
            let text = std::fs::read_to_string(path).expect("text");
            package.push_str(&text.replace("package dsh:fs@0.1.0;", ""));
        }
    }
    let package = change(format!("package dsh:fs@0.1.0;\n{package}"));
    let id = resolve.push_str("all.wit", &package).expect("right WIT");
    let world = resolve
        .select_world(&[id], Some(world))
        .expect("it is there");
    let mut module = dummy_module(
        &resolve,
        world,
        ManglingAndAbi::Legacy(wit_parser::LiftLowerAbi::Sync),
    );
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
        .expect("a custom section");
    let mut encoder = ComponentEncoder::default();
    encoder.module(&module).expect("it fits");
    encoder.encode().expect("it fits")
}

fn unchanged(package: String) -> String {
    package
}

fn imports_that_run(component: &[u8]) -> Vec<String> {
    let imports = inspect(component).expect("a component").imports;
    let run = imports.into_iter().filter(|import| !import.type_only);
    run.map(|import| import.name).collect()
}

#[test]
fn the_gate_imports_nothing_that_runs() {
    assert_eq!(imports_that_run(GATE), [""; 0]);
    let exports = inspect(GATE).unwrap().exports;
    assert!(exports.contains(&OBSERVATION.into()) && exports.contains(&SANDBOX.into()));
    check_gate_imports(GATE).unwrap();
}

#[test]
fn the_composed_component_imports_files_and_approval_alone() {
    let mut imports = imports_that_run(COMPOSED);
    imports.sort();
    assert_eq!(
        imports,
        ["dsh:fs/approval@0.1.0", "dsh:fs/filesystem@0.1.0"]
    );
    let inspection = inspect(COMPOSED).unwrap();
    assert_eq!(inspection.exports, [TOOLS]);
    assert_eq!(inspection.size, COMPOSED.len());
    assert_eq!(inspection.digest, digest(COMPOSED));
    assert_eq!(inspection.digest.len(), 64);
}

#[test]
fn the_composed_component_keeps_to_its_size() {
    assert!(COMPOSED.len() <= 128 * 1024, "{} bytes", COMPOSED.len());
}

#[test]
fn code_is_made_ahead_of_time_and_no_path_of_this_machine_is_in_it() {
    let home = env!("CARGO_MANIFEST_DIR").as_bytes();
    for bytes in [GATE, TOOLBOX, COMPOSED, GATE_AOT, COMPOSED_AOT] {
        assert!(!bytes.is_empty());
        assert!(!bytes.windows(home.len()).any(|window| window == home));
        assert!(!bytes.windows(8).any(|window| window == b".cargo/r"));
    }
}

#[test]
fn equal_pieces_give_equal_bytes() {
    assert_eq!(
        compose(TOOLBOX, GATE).unwrap(),
        compose(TOOLBOX, GATE).unwrap()
    );
}

/// Fails without `check_gate_imports` in `compose`.
#[test]
fn a_gate_that_imports_files_or_approval_is_refused() {
    for (interface, words) in [
        ("filesystem", "touches a file"),
        ("approval", "asks a person"),
    ] {
        let gate = dummy("gate", |package| {
            package.replace(
                "world gate {",
                &format!("world gate {{ import {interface};"),
            )
        });
        let error = compose(TOOLBOX, &gate).expect_err("refused");
        assert!(
            matches!(error, ComponentError::ForbiddenImport { .. }),
            "{error}"
        );
        assert!(error.to_string().contains(interface), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_gate_may_import_wasi_and_no_stranger() {
    let with = |name: &'static str| {
        dummy("gate", move |package| {
            package.replace(
                "world gate {",
                &format!("world gate {{ import {name}: interface {{ now: func() -> u64; }}"),
            )
        })
    };
    let wasi = dummy("gate", |package| {
        let clocks = "package wasi:clocks@0.2.0 { interface clock { now: func() -> u64; } }";
        let import = "world gate { import wasi:clocks/clock@0.2.0;";
        package.replace("world gate {", import) + clocks
    });
    check_gate_imports(&wasi).unwrap();
    let error = check_gate_imports(&with("clock")).expect_err("a stranger");
    assert!(error.to_string().contains("clock"), "{error}");
}

#[test]
fn a_gate_of_another_version_is_named() {
    let gate = dummy("gate", |package| package.replace("0.1.0", "0.2.0"));
    let error = compose(TOOLBOX, &gate)
        .expect_err("another version")
        .to_string();
    assert!(
        error.contains(OBSERVATION) && error.contains("0.2.0"),
        "{error}"
    );
}

#[test]
fn a_gate_of_a_version_that_fits_is_composed() {
    let gate = dummy("gate", |package| {
        package.replace("package dsh:fs@0.1.0", "package dsh:fs@0.1.1")
    });
    let composed = compose(TOOLBOX, &gate).unwrap();
    assert!(inspect(&composed).unwrap().exports.contains(&TOOLS.into()));
    let outer = dummy("chained-gate", unchanged);
    compose(TOOLBOX, &chain(&outer, &gate).unwrap()).unwrap();
}

#[test]
fn a_gate_with_other_types_is_a_mismatch() {
    let gate = dummy("gate", |package| {
        package.replace(
            "escalation-hint: func() -> string;",
            "escalation-hint: func() -> u32;",
        )
    });
    let error = compose(TOOLBOX, &gate).expect_err("other types");
    assert!(matches!(error, ComponentError::Mismatch { .. }), "{error}");
}

#[test]
fn a_missing_export_or_import_is_named() {
    let half = dummy("gate", |package| {
        package
            .replace(
                "export sandbox;\n}\n\n/// A gate that is",
                "}\n/// A gate that is",
            )
            .replace(
                "@since(version = 0.1.0)\n    }\n/// A gate that is",
                "}\n/// A gate that is",
            )
    });
    let error = compose(TOOLBOX, &half)
        .expect_err("half a gate")
        .to_string();
    assert!(error.contains("does not export dsh:fs/sandbox"), "{error}");
    let error = compose(GATE, GATE).expect_err("no toolbox").to_string();
    assert!(
        error.contains("does not import dsh:fs/observation"),
        "{error}"
    );
}

#[test]
fn a_chain_of_gates_is_a_gate() {
    let outer = dummy("chained-gate", unchanged);
    let chained = chain(&outer, GATE).unwrap();
    assert_eq!(imports_that_run(&chained), [""; 0]);
    compose(TOOLBOX, &chained).unwrap();
    // Two links, and one that asks nobody.
    let longer = chain(&outer, &chained).unwrap();
    check_gate_imports(&longer).unwrap();
    let error = chain(GATE, GATE).expect_err("it asks no next").to_string();
    assert!(
        error.contains("does not import dsh:fs/observation"),
        "{error}"
    );
}

#[test]
fn what_is_no_component_is_refused_in_a_sentence() {
    let core = dummy_core();
    assert!(matches!(inspect(&core), Err(ComponentError::CoreModule)));
    assert!(matches!(
        inspect(b"#!/bin/sh"),
        Err(ComponentError::NotWasm)
    ));
    assert!(matches!(inspect(b""), Err(ComponentError::NotWasm)));
    // Cut between two sections it is still a component, and no gate any more.
    for length in (0..GATE.len()).step_by(997) {
        assert!(compose(TOOLBOX, &GATE[..length]).is_err(), "{length}");
    }
}

/// No bytes make it panic: every byte of a small component is changed once.
#[test]
fn rubbish_is_an_error_and_no_panic() {
    let mut bytes = dummy("provider", unchanged);
    bytes.truncate(4_000);
    for at in 8..bytes.len() {
        let kept = bytes[at];
        for value in [0, 0x7f, 0xff, kept ^ 1] {
            bytes[at] = value;
            let _ = inspect(&bytes);
        }
        bytes[at] = kept;
    }
}

fn dummy_core() -> Vec<u8> {
    vec![0, b'a', b's', b'm', 1, 0, 0, 0]
}
