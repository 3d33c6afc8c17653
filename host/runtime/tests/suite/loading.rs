//! Which components are made ready, and what is said about the others.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;

use dsh_fs::types::{Mode, Target, WriteGuard};
use dsh_fs_artifacts::{COMPOSED, GATE, TOOLBOX};
use dsh_fs_runtime::gate::{Gate, Prior, Seed};
use dsh_fs_runtime::{ComponentSource, Limits, LoadError, Made, Runtime, RuntimeOptions};
use serde_json::json;
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{LiftLowerAbi, ManglingAndAbi, Resolve};

use crate::forger::Forger;
use crate::workspace::Workspace;

fn load(component: ComponentSource) -> Result<Runtime, LoadError> {
    Runtime::new(RuntimeOptions {
        component,
        ..RuntimeOptions::default()
    })
}

fn refused(component: ComponentSource) -> String {
    load(component).err().expect("it is refused").to_string()
}

#[test]
fn another_gate_takes_the_place_of_the_one_that_ships() {
    let ws = Workspace::new();
    let runtime = load(ComponentSource::Gate(GATE.to_vec())).unwrap();
    let mut session = runtime.session(ws.options(Mode::WorkspaceWrite)).unwrap();
    let write = json!({"file_path": "a", "content": "x"});
    assert!(session.call("write", &write).ok);
}

#[test]
fn what_is_no_gate_is_refused_in_a_sentence() {
    let core = wat::parse_str("(module)").unwrap();
    assert!(refused(ComponentSource::Gate(core)).contains("core WebAssembly module"));
    assert!(refused(ComponentSource::Gate(b"hello".to_vec())).contains("not WebAssembly"));
    assert!(refused(ComponentSource::Gate(COMPOSED.to_vec())).contains("filesystem"));
    let truncated = GATE[..GATE.len() / 2].to_vec();
    assert!(refused(ComponentSource::Gate(truncated)).contains("not a valid"));
    assert!(refused(ComponentSource::Whole(TOOLBOX.to_vec())).contains("dsh:fs/observation"));
    assert!(refused(ComponentSource::Whole(GATE.to_vec())).contains("tools"));
}

#[test]
fn compiled_code_is_kept_in_a_private_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let options = RuntimeOptions {
        component: ComponentSource::Whole(COMPOSED.to_vec()),
        limits: Limits::default(),
        code_cache: Some(cache.clone()),
    };
    let kept = || {
        fs::read_dir(&cache)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    Runtime::new(options.clone()).unwrap();
    let [code]: [_; 1] = kept().collect::<Vec<_>>().try_into().expect("one file");
    // A file that is not whole is not used, and is made again.
    fs::write(&code, b"rubbish").unwrap();
    Runtime::new(options.clone()).unwrap();
    assert!(fs::metadata(&code).unwrap().len() > 1_000);

    fs::remove_file(&code).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    Runtime::new(options).unwrap();
    assert_eq!(kept().count(), 0);
}

/// What may have happened to a file of the cache.
type Spoiling = (&'static str, fn(&Path) -> std::io::Result<()>);

const SPOILED: [Spoiling; 5] = [
    ("a byte is another one", |code| {
        let mut bytes = fs::read(code)?;
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(code, bytes)
    }),
    ("it is cut off", |code| {
        let bytes = fs::read(code)?;
        fs::write(code, &bytes[..bytes.len() - 1])
    }),
    ("others may write it", |code| {
        fs::set_permissions(code, fs::Permissions::from_mode(0o620))
    }),
    ("it is a link", |code| {
        let elsewhere = code.with_extension("elsewhere");
        fs::rename(code, &elsewhere)?;
        symlink(elsewhere, code)
    }),
    ("it is of another user", |code| {
        chown(code, Some(65_534), None)
    }),
];

/// Fails, case by case, without the comparison of digests in `find` of `code_cache.rs`,
/// without `is_mine_alone` in `read_private`, and without `NOFOLLOW` there.
#[test]
fn code_that_is_not_whole_or_not_ones_own_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let options = RuntimeOptions {
        component: ComponentSource::Whole(Forger::new().component()),
        limits: Limits::default(),
        code_cache: Some(cache.clone()),
    };
    let made = || Runtime::new(options.clone()).unwrap().made();
    assert_eq!(made(), Made::Now);
    let code = fs::read_dir(&cache).unwrap().next().unwrap();
    let code = code.unwrap().path();
    let mut used = Vec::new();
    for (what, spoil) in SPOILED {
        // What was spoiled before has been made again.
        assert_eq!(made(), Made::Earlier, "before {what}");
        match spoil(&code) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                let test = "code_that_is_not_whole_or_not_ones_own_is_not_used";
                println!("SKIPPED {test}: {what} needs root");
            }
            spoiled => {
                spoiled.expect(what);
                used.extend((made() == Made::Earlier).then_some(what));
            }
        }
    }
    assert_eq!(used, [""; 0]);
}

/// Names in a component are any text; the sentence about it is read on a terminal. Fails
/// without `told` in `error.rs` of `host/artifacts`.
#[test]
fn a_refusal_quotes_nothing_that_moves_a_cursor() {
    let escape = "\\1b[2J\\0a\\e2\\80\\ae";
    for text in [
        format!("(component (import \"url=<{escape}>\" (func)))"),
        format!(
            "(component (core module $m (import \"{escape}\" \"a\" (func)))
               (core instance (instantiate $m)))"
        ),
        format!(
            "(component (core module $m) (core instance $i (instantiate $m))
               (alias core export $i \"{escape}\" (core func)))"
        ),
    ] {
        let component = wat::parse_str(&text).expect("well-formed text");
        for source in [
            ComponentSource::Gate(component.clone()),
            ComponentSource::Whole(component),
        ] {
            let error = refused(source);
            assert!(error.contains("\\u{1b}[2J\\n\\u{202e}"), "{error:?}");
            assert!(!error.contains(['\n', '\u{1b}', '\u{202e}']), "{error:?}");
        }
    }
}

#[test]
fn the_gate_alone_decides_and_remembers() {
    let mut gate = Gate::shipped(Limits::default()).unwrap();
    assert_eq!(
        gate.decide_write(&Prior::Absent).unwrap(),
        WriteGuard::CreateIfAbsent
    );
    let ledger = gate.ledger(Seed::random(), 0).unwrap();
    let target = Target {
        key: "/a".into(),
        display: "/a".into(),
    };
    assert!(gate.edit_intent(&ledger, &target).unwrap().is_err());
    let seen = Prior::Present("v1".into());
    gate.observe(&ledger, "/a", &seen).unwrap();
    let copy = gate.fork(&ledger).unwrap();
    gate.forget(ledger).unwrap();
    assert_eq!(gate.prior_of(&copy, "/a").unwrap(), seen);
    assert_eq!(
        gate.wider_modes(Mode::WorkspaceWrite).unwrap(),
        [Mode::DangerFullAccess]
    );
}

/// A gate of which every function traps, with this import.
fn gate_that_imports(import: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
    let mut resolve = Resolve::default();
    let clocks = "package wasi:clocks@0.2.0; interface clock { now: func() -> u64; }";
    resolve.push_str("clocks.wit", clocks).unwrap();
    resolve.push_dir(folder).unwrap();
    let world = format!(
        "package test:gate; world gate {{ import {import};
         export dsh:fs/observation@0.1.0; export dsh:fs/sandbox@0.1.0; }}"
    );
    let package = resolve.push_str("gate.wit", &world).unwrap();
    let world = resolve.select_world(&[package], Some("gate")).unwrap();
    let mangling = ManglingAndAbi::Legacy(LiftLowerAbi::Sync);
    let mut module = dummy_module(&resolve, world, mangling);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    let mut encoder = ComponentEncoder::default();
    encoder.module(&module).unwrap();
    encoder.encode().unwrap()
}

#[test]
fn a_gate_may_import_wasi_and_breaks_alone() {
    let gate = gate_that_imports("wasi:clocks/clock@0.2.0");
    let mut alone = Gate::load(&gate, Limits::default(), None).unwrap();
    for _ in 0..2 {
        let error = alone.decide_write(&Prior::Absent).unwrap_err();
        assert_eq!(error.code.name(), "COMPONENT_TRAPPED", "{error}");
    }
    let ws = Workspace::new();
    let runtime = load(ComponentSource::Gate(gate)).unwrap();
    let error = runtime.session(ws.options(Mode::ReadOnly)).err().unwrap();
    assert_eq!(error.code.name(), "COMPONENT_TRAPPED", "{error}");
}

#[test]
fn a_gate_that_asks_a_next_one_is_not_run_alone() {
    let link = gate_that_imports("dsh:fs/observation@0.1.0");
    let error = Gate::load(&link, Limits::default(), None).err().unwrap();
    assert!(error.to_string().contains("dsh:fs/observation"), "{error}");
    let error = refused(ComponentSource::Gate(link));
    assert!(error.contains("dsh:fs/observation"), "{error}");
}
