//! Components of other versions of the package, which wit/COMPATIBILITY.md speaks of: each
//! is made of the texts of today with one change, and loaded by the host of today.

use dsh_fs::types::Mode;
use dsh_fs_artifacts::{COMPOSED, GATE, inspect};
use dsh_fs_runtime::{ComponentSource, Runtime, RuntimeOptions};
use serde_json::json;
use wasmtime::Engine;
use wasmtime::component::{Component, Linker};
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{LiftLowerAbi, ManglingAndAbi, Resolve};

use crate::workspace::Workspace;

/// A component of a world of the changed package; every function of it traps.
fn component(world: &str, change: impl Fn(String) -> String) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
    let mut package = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "wit") {
            let text = std::fs::read_to_string(path).unwrap();
            package.push_str(&text.replace("package dsh:fs@0.1.0;", ""));
        }
    }
    let package = change(format!("package dsh:fs@0.1.0;\n{package}"));
    let mut resolve = Resolve::default();
    let id = resolve.push_str("all.wit", &package).unwrap();
    let world = resolve.select_world(&[id], Some(world)).unwrap();
    let mangling = ManglingAndAbi::Legacy(LiftLowerAbi::Sync);
    let mut module = dummy_module(&resolve, world, mangling);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    let mut encoder = ComponentEncoder::default();
    encoder.module(&module).unwrap();
    encoder.encode().unwrap()
}

/// The package as another version.
fn version(text: String, number: &str) -> String {
    text.replace("package dsh:fs@0.1.0", &format!("package dsh:fs@{number}"))
}

/// A change of one place, which must be there.
fn changed(text: String, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

fn options(component: ComponentSource) -> RuntimeOptions {
    RuntimeOptions {
        component,
        ..RuntimeOptions::default()
    }
}

fn load(component: ComponentSource) -> Result<(), String> {
    let loaded = Runtime::new(options(component));
    loaded.map(|_| ()).map_err(|error| error.to_string())
}

/// What ships, as another patch of the package: the names have the same length.
fn relabelled(component: &[u8], number: &str) -> Vec<u8> {
    let (from, to) = (b"@0.1.0".as_slice(), format!("@{number}"));
    let mut bytes = component.to_vec();
    for at in 0..=bytes.len() - from.len() {
        let before = &bytes[at.saturating_sub(20)..at];
        let ours = before.windows(7).any(|part| part == b"dsh:fs/");
        if ours && bytes[at..].starts_with(from) {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

/// Runs a read and a change through a session.
fn works(component: ComponentSource) {
    let ws = Workspace::new();
    let runtime = Runtime::new(options(component)).unwrap();
    let mut session = runtime.session(ws.options(Mode::WorkspaceWrite)).unwrap();
    let write = json!({"file_path": "a", "content": "one"});
    assert!(session.call("write", &write).ok);
    let edit = json!({"file_path": "a", "old_string": "one", "new_string": "two"});
    assert!(session.call("edit", &edit).ok);
    let read = session.call("read", &json!({"file_path": "a"}));
    assert!(read.ok && read.text.contains("two"), "{}", read.text);
}

/// What ships works under another number, as gate and as a whole. Fails where a stand-in is
/// made for what is not WASI (`is_wasi` in host/runtime/src/wasi/unused.rs), and so do the
/// tests of later functions and of changed types.
#[test]
fn another_patch_is_the_same_package() {
    let whole = relabelled(COMPOSED, "0.1.7");
    let names = inspect(&whole).unwrap();
    assert!(names.exports.contains(&"dsh:fs/tools@0.1.7".into()));
    works(ComponentSource::Whole(whole));
    works(ComponentSource::Gate(relabelled(GATE, "0.1.7")));
}

/// The rule of the engine, for hosts of later versions.
#[test]
fn a_later_patch_of_a_host_takes_an_older_component() {
    let engine = Engine::default();
    let text = r#"(component (import "dsh:fs/sandbox@0.1.0" (instance (export "a" (func)))))"#;
    let component = Component::new(&engine, wat::parse_str(text).unwrap()).unwrap();
    let takes = |host: &str| {
        let mut linker = Linker::<()>::new(&engine);
        let mut interface = linker.instance(host).unwrap();
        for name in ["a", "added"] {
            interface.func_wrap(name, |_, (): ()| Ok(())).unwrap();
        }
        linker.instantiate_pre(&component).is_ok()
    };
    assert!(takes("dsh:fs/sandbox@0.1.0") && takes("dsh:fs/sandbox@0.1.1"));
    assert!(!takes("dsh:fs/sandbox@0.2.0") && !takes("dsh:fs/sandbox@1.0.0"));
}

#[test]
fn another_minor_or_major_is_another_package() {
    for number in ["0.2.0", "1.0.0"] {
        let whole = component("composed", |text| {
            version(text, number).replace("version = 0.1.0", &format!("version = {number}"))
        });
        let error = load(ComponentSource::Whole(whole)).unwrap_err();
        assert!(error.contains(&format!("@{number}")), "{error}");
        let gate = component("gate", |text| version(text, number));
        let error = load(ComponentSource::Gate(gate)).unwrap_err();
        assert!(error.contains(&format!("@{number}")), "{error}");
    }
}

/// A newer gate may export more than an older toolbox knows of.
#[test]
fn a_function_may_be_added() {
    let more = |text| {
        let added = "escalation-hint: func() -> string;\n@since(version = 0.1.1)\nmore: func();";
        changed(
            version(text, "0.1.1"),
            "escalation-hint: func() -> string;",
            added,
        )
    };
    load(ComponentSource::Gate(component("gate", more))).unwrap();
}

/// An older host has no function that was added later: who needs it is told so.
#[test]
fn a_function_that_was_added_later_is_missed_by_name() {
    let more = |text| {
        let added =
            "interface approval {\n@since(version = 0.1.1)\nlater: func();\nuse types.{target-key,";
        changed(
            version(text, "0.1.1"),
            "interface approval {\n    use types.{target-key,",
            added,
        )
    };
    let error = load(ComponentSource::Whole(component("composed", more))).unwrap_err();
    assert!(error.contains("later"), "{error}");
}

/// Types are compared whole: nothing can be added to one, and nothing renamed.
#[test]
fn no_type_may_change() {
    let changes = [
        ("not-found,\n", "not-found,\n/// One more.\nbusy,\n"),
        (
            "detail: option<string>,",
            "detail: option<string>,\nhelp: option<string>,",
        ),
        ("allowed-once(grant),", "later,\nallowed-once(grant),"),
        (
            "/// The changed regions, bounded.\n        hunks,",
            "regions,",
        ),
    ];
    for (from, to) in changes {
        let whole = component("composed", |text| changed(version(text, "0.1.1"), from, to));
        let error = load(ComponentSource::Whole(whole)).expect_err(from);
        assert!(error.contains("dsh:fs/"), "{from}: {error}");
    }
}
