//! The WIT package can be read, and every item of it is documented and gated.

use std::fs;

use wit_parser::{Docs, Resolve, Stability, TypeDefKind};

use super::workspace;

fn package() -> Resolve {
    let mut resolve = Resolve::default();
    resolve
        .push_dir(workspace().join("wit"))
        .expect("wit/ is a package");
    resolve
}

fn documented(docs: &Docs) -> bool {
    docs.contents
        .as_ref()
        .is_some_and(|text| !text.trim().is_empty())
}

fn gated(stability: &Stability) -> bool {
    matches!(stability, Stability::Stable { .. })
}

#[test]
fn every_interface_function_and_type_has_a_comment_and_a_version() {
    let resolve = package();
    for (_, interface) in &resolve.interfaces {
        let name = interface.name.clone().unwrap_or_default();
        assert!(
            documented(&interface.docs) && gated(&interface.stability),
            "{name}"
        );
        for function in interface.functions.values() {
            // A method stands under the gate of its resource.
            let method = function.name.starts_with('[');
            let told = documented(&function.docs) && (method || gated(&function.stability));
            assert!(told, "{name}/{}", function.name);
        }
    }
    for (_, world) in &resolve.worlds {
        assert!(
            documented(&world.docs) && gated(&world.stability),
            "{}",
            world.name
        );
    }
    for (_, typedef) in &resolve.types {
        // Types without a name are parts of others, and an alias is the `use` of another.
        let Some(name) = &typedef.name else { continue };
        let used = matches!(typedef.kind, TypeDefKind::Type(wit_parser::Type::Id(_)));
        let told = documented(&typedef.docs) && gated(&typedef.stability);
        assert!(used || told, "the type {name}");
    }
}

#[test]
fn every_field_and_case_has_a_comment() {
    let resolve = package();
    for (_, typedef) in &resolve.types {
        let name = typedef.name.clone().unwrap_or_default();
        let parts: Vec<(&str, &Docs)> = match &typedef.kind {
            TypeDefKind::Record(it) => it.fields.iter().map(|it| (&*it.name, &it.docs)).collect(),
            TypeDefKind::Variant(it) => it.cases.iter().map(|it| (&*it.name, &it.docs)).collect(),
            TypeDefKind::Enum(it) => it.cases.iter().map(|it| (&*it.name, &it.docs)).collect(),
            TypeDefKind::Flags(it) => it.flags.iter().map(|it| (&*it.name, &it.docs)).collect(),
            _ => Vec::new(),
        };
        for (part, docs) in parts {
            assert!(documented(docs), "{name}.{part}");
        }
    }
}

/// Parameters are not in what the parser keeps, so they are looked for in the text: one a
/// line, with a comment on the line before.
#[test]
fn every_parameter_has_a_comment() {
    for file in fs::read_dir(workspace().join("wit")).expect("wit/") {
        let path = file.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text");
        let mut inside = false;
        let mut before = "";
        for line in text.lines().map(str::trim) {
            if inside && line.contains(':') && !line.starts_with(')') && !line.starts_with("///") {
                assert!(before.starts_with("///"), "{}: {line}", path.display());
            }
            inside = (inside || line.ends_with("func(") || line == "constructor(")
                && !line.starts_with(')');
            before = line;
        }
    }
}

#[test]
fn types_has_no_functions() {
    let resolve = package();
    let (_, types) = resolve
        .interfaces
        .iter()
        .find(|(_, interface)| interface.name.as_deref() == Some("types"))
        .expect("the interface types");
    assert!(types.functions.is_empty());
}

/// The committed page is what `cargo run -p dsh-fs-tests --bin reference` writes.
#[test]
fn the_reference_is_made_of_the_texts() {
    let folder = workspace().join("wit");
    let page = dsh_fs_tests::reference::page(&folder).expect("a page");
    let committed = fs::read_to_string(folder.join("README.md")).expect("wit/README.md");
    assert!(
        page == committed,
        "wit/README.md is not what the texts give: cargo run -p dsh-fs-tests --bin reference"
    );
}

#[test]
fn the_reference_names_everything_and_every_link_leads_somewhere() {
    let folder = workspace().join("wit");
    let page = dsh_fs_tests::reference::page(&folder).expect("a page");
    let resolve = package();
    for (_, interface) in &resolve.interfaces {
        for name in interface.functions.keys().chain(interface.types.keys()) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
    for link in page.split("](#").skip(1) {
        let (anchor, _) = link.split_once(')').expect("the end of a link");
        assert!(page.contains(&format!("<a id=\"{anchor}\">")), "{anchor}");
    }
}
