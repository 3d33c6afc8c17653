//! The worlds of the WIT package.

use wit_parser::{Resolve, Stability, WorldItem, WorldKey};

/// The WIT package of this project.
pub(super) fn package() -> Resolve {
    let mut resolve = Resolve::default();
    resolve
        .push_dir(crate::workspace().join("wit"))
        .expect("wit/ is a package");
    resolve
}

#[test]
fn everything_that_a_world_has_is_gated() {
    let resolve = package();
    assert!(resolve.worlds.len() >= 3);
    for (_, world) in &resolve.worlds {
        for (key, item) in world.imports.iter().chain(&world.exports) {
            let WorldItem::Interface { stability, .. } = item else {
                panic!(
                    "{}: {} is no interface",
                    world.name,
                    resolve.name_world_key(key)
                );
            };
            // What an interface uses is imported with it, gated as that one is.
            let gated = matches!(stability, Stability::Stable { .. });
            assert!(gated, "{}: {}", world.name, resolve.name_world_key(key));
        }
    }
}

#[test]
fn a_gate_imports_types_alone() {
    let resolve = package();
    let (_, gate) = resolve
        .worlds
        .iter()
        .find(|(_, world)| world.name == "gate")
        .expect("a gate");
    let imports: Vec<String> = gate
        .imports
        .keys()
        .map(|key: &WorldKey| resolve.name_world_key(key))
        .collect();
    assert_eq!(imports, ["dsh:fs/types@0.1.0"]);
}

#[test]
fn every_interface_has_a_file_of_its_name() {
    let resolve = package();
    for (_, interface) in &resolve.interfaces {
        let name = interface.name.as_deref().expect("a name");
        let file = crate::workspace().join(format!("wit/{name}.wit"));
        let text = std::fs::read_to_string(&file).expect("the file of the interface");
        assert!(
            text.contains(&format!("\ninterface {name} {{")),
            "{}",
            file.display()
        );
    }
}
