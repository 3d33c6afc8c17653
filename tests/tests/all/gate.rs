//! The gate touches nothing, and both components are small.

use dsh_fs_artifacts::{COMPOSED, GATE, check_gate_imports, inspect};

/// The most bytes of the gate.
const GATE_BYTES: usize = 32 << 10;

/// The most bytes of toolbox and gate composed.
const COMPOSED_BYTES: usize = 128 << 10;

#[test]
fn the_gate_imports_types_alone() {
    let gate = inspect(GATE).expect("a component");
    let functions: Vec<_> = gate
        .imports
        .iter()
        .filter(|import| !import.type_only)
        .collect();
    assert!(functions.is_empty(), "{functions:?}");
    assert!(
        gate.imports
            .iter()
            .all(|import| import.name == "dsh:fs/types@0.1.0")
    );
    check_gate_imports(GATE).expect("a gate");
}

#[test]
fn the_composed_component_imports_files_and_approval_alone() {
    let composed = inspect(COMPOSED).expect("a component");
    let mut imports: Vec<&str> = composed
        .imports
        .iter()
        .filter(|import| !import.type_only)
        .map(|import| import.name.as_str())
        .collect();
    imports.sort_unstable();
    assert_eq!(
        imports,
        ["dsh:fs/approval@0.1.0", "dsh:fs/filesystem@0.1.0"]
    );
}

#[test]
fn the_components_are_small() {
    assert!(
        GATE.len() <= GATE_BYTES,
        "the gate has {} bytes",
        GATE.len()
    );
    assert!(
        COMPOSED.len() <= COMPOSED_BYTES,
        "the composed has {} bytes",
        COMPOSED.len()
    );
}
