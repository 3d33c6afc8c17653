//! A gate is a plug-in: composed in the place of another, or before one.

use dsh_fs_artifacts::{GATE, TOOLBOX, chain, compose, inspect};
use dsh_fs_tests::components::{CHAIN_GATE, OPEN_GATE};

#[test]
fn a_link_imports_the_next_gate_and_nothing_else() {
    let link = inspect(CHAIN_GATE).expect("a component");
    let asks: Vec<&str> = link
        .imports
        .iter()
        .filter(|import| !import.type_only)
        .map(|import| import.name.as_str())
        .collect();
    assert_eq!(asks, ["dsh:fs/observation@0.1.0", "dsh:fs/sandbox@0.1.0"]);
}

#[test]
fn a_chain_of_two_is_a_gate() {
    let gate = chain(CHAIN_GATE, GATE).expect("a chain");
    compose(TOOLBOX, &gate).expect("a toolbox over the chain");
    let longer = chain(CHAIN_GATE, &gate).expect("a chain of three");
    compose(TOOLBOX, &longer).expect("a toolbox over the longer chain");
}

#[test]
fn a_toolbox_is_no_gate() {
    assert!(compose(TOOLBOX, TOOLBOX).is_err());
    assert!(
        chain(GATE, OPEN_GATE).is_err(),
        "a gate that asks no next is no link"
    );
}
