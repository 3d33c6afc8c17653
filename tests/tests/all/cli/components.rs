//! `--gate` and `--component`: other gates, and files that are none.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use dsh_fs_artifacts::{COMPOSED, GATE, TOOLBOX};
use dsh_fs_tests::components::{CHAIN_GATE, OPEN_GATE, WASI_GATE};
use serde_json::{Value, json};

use super::place::{Place, answers, call, lines};

fn put(place: &Place, name: &str, bytes: &[u8]) {
    fs::write(place.beside(name), bytes).expect("a file");
}

/// Without the guard of the provider the write goes through although nobody said `--bare`.
#[test]
fn an_open_gate_is_believed_only_by_a_bare_provider() {
    let place = Place::with_file("kept");
    put(&place, "open.wasm", OPEN_GATE);
    let calls = [call(
        "write",
        json!({"file_path": "a.txt", "content": "replaced"}),
    )];
    assert_eq!(
        place.codes(&["--gate", "open.wasm"], &calls),
        ["FS_NOT_OBSERVED"]
    );
    assert_eq!(place.content("a.txt"), "kept");
    // The shipped gate demands a guard also where none is required.
    assert_eq!(place.codes(&["--bare"], &calls), ["FS_NOT_OBSERVED"]);
    assert_eq!(
        place.codes(&["--bare", "--gate", "open.wasm"], &calls),
        ["ok"]
    );
    assert_eq!(place.content("a.txt"), "replaced");
}

#[test]
fn a_link_of_a_chain_decides_or_asks_the_shipped_gate() {
    let place = Place::with_file("one");
    put(&place, "link.wasm", CHAIN_GATE);
    fs::write(place.file("b.frozen"), "one").expect("a file");
    let change = |path| json!({"file_path": path, "old_string": "one", "new_string": "two"});
    let calls = [
        call("edit", change("a.txt")),
        call("read", json!({"file_path": "a.txt"})),
        call("edit", change("a.txt")),
        call("read", json!({"file_path": "b.frozen"})),
        call("edit", change("b.frozen")),
    ];
    let codes = place.codes(&["--gate", "link.wasm"], &calls);
    assert_eq!(
        codes,
        ["FS_NOT_OBSERVED", "ok", "ok", "ok", "FS_PERMISSION_DENIED"]
    );
    assert_eq!(place.content("b.frozen"), "one");
}

#[test]
fn gates_that_are_named_one_after_the_other_are_a_chain() {
    let place = Place::with_file("one");
    put(&place, "link.wasm", CHAIN_GATE);
    put(&place, "open.wasm", OPEN_GATE);
    fs::write(place.file("b.frozen"), "one").expect("a file");
    let change = |path| json!({"file_path": path, "old_string": "one", "new_string": "two"});
    let calls = [
        call("edit", change("a.txt")),
        call("edit", change("b.frozen")),
    ];
    let codes = place.codes(
        &["--bare", "--gate", "link.wasm", "--gate", "open.wasm"],
        &calls,
    );
    assert_eq!(codes, ["ok", "FS_PERMISSION_DENIED"]);
    // The open gate asks nobody, so that nothing can come after it.
    let why = place
        .run(&["--gate", "open.wasm", "--gate", "link.wasm"], b"")
        .failed(4);
    assert!(why.starts_with("gate open.wasm: "), "{why}");
}

/// Without the feature `wasi` of the runtime the session ends at its first failure.
#[test]
fn a_gate_of_another_toolchain_finds_a_clock_and_no_output() {
    let place = Place::new();
    put(&place, "wasi.wasm", WASI_GATE);
    let read = |path| call("read", json!({ "file_path": path }));
    let calls = [read("missing"), read("{output}"), read("{folders}")];
    let ended = place.run(&["--gate", "wasi.wasm"], lines(&calls).as_bytes());
    assert_eq!(ended.stderr, "");
    let answers = answers(&ended.done());
    let text = |index: usize| answers[index]["text"].as_str().expect("a text").to_owned();
    assert!(
        text(0).contains(" It is 1") || text(0).contains(" It is 2"),
        "{}",
        text(0)
    );
    assert!(text(1).contains("[true, true]"), "{}", text(1));
    assert!(text(2).ends_with('0'), "{}", text(2));
}

/// Fails without `code_cache` in `components.rs` of host/cli, and where the folder may be read by others.
#[test]
fn the_code_of_a_gate_is_kept_in_a_private_folder_of_the_state() {
    let place = Place::with_file("one");
    put(&place, "wasi.wasm", WASI_GATE);
    let calls = [call("read", json!({"file_path": "a.txt"}))];
    let kept = || {
        let folder = fs::read_dir(place.beside("state/dsh-fs/code")).expect("the cache");
        let file = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.expect("an entry").path();
            let facts = fs::metadata(&path).expect("a file");
            (path, facts.ino(), facts.mode() & 0o777)
        };
        folder.map(file).collect::<Vec<_>>()
    };
    assert_eq!(place.codes(&["--gate", "wasi.wasm"], &calls), ["ok"]);
    let first = kept();
    assert!(matches!(first[..], [(_, _, 0o600)]), "{first:?}");
    assert_eq!(place.codes(&["--gate", "wasi.wasm"], &calls), ["ok"]);
    assert_eq!(kept(), first, "the second start compiles nothing");
    let folder = fs::metadata(place.beside("state/dsh-fs/code")).expect("the cache");
    assert_eq!(folder.mode() & 0o777, 0o700);
}

#[test]
fn a_component_takes_the_place_of_the_shipped_one() {
    let place = Place::with_file("one");
    put(&place, "whole.wasm", COMPOSED);
    let calls = [call("read", json!({"file_path": "a.txt"}))];
    assert_eq!(place.codes(&["--component", "whole.wasm"], &calls), ["ok"]);
}

/// One sentence that names the file, whatever is wrong with it.
#[test]
fn what_is_no_component_is_named_and_ends_with_4() {
    let place = Place::new();
    let mut corrupt = GATE.to_vec();
    let middle = corrupt.len() / 2;
    corrupt[middle..middle + 64].fill(0xff);
    put(&place, "corrupt", &corrupt);
    put(&place, "truncated", &GATE[..1_000]);
    put(&place, "empty", b"");
    put(&place, "text", b"(component)");
    put(&place, "core", b"\0asm\x01\0\0\0");
    put(&place, "magic", b"\0asm");
    put(&place, "layer", b"\0asm\x0d\0\x02\0");
    fs::create_dir(place.beside("directory")).expect("a directory");
    let names = [
        "corrupt",
        "truncated",
        "empty",
        "text",
        "core",
        "magic",
        "layer",
        "directory",
        "missing",
    ];
    for name in names {
        for option in ["--gate", "--component"] {
            for command in ["run", "component"] {
                let ended = place.program([command, option, name]);
                assert_eq!(
                    ended.stderr.trim_end().lines().count(),
                    1,
                    "{}",
                    ended.stderr
                );
                let why = ended.failed(4);
                assert!(
                    why.contains(&format!(" {name}: ")) || why.starts_with(&format!("{name}: ")),
                    "{why}"
                );
            }
        }
    }
}

#[test]
fn a_component_of_another_world_is_no_gate_and_no_toolbox() {
    let place = Place::new();
    put(&place, "gate", GATE);
    put(&place, "toolbox", TOOLBOX);
    put(&place, "composed", COMPOSED);
    let wrong = [
        ("--component", "gate", "dsh:fs/tools"),
        ("--component", "toolbox", "dsh:fs/"),
        ("--gate", "toolbox", "dsh:fs/"),
        ("--gate", "composed", "dsh:fs/"),
    ];
    for (option, name, named) in wrong {
        let why = place.run(&[option, name], b"").failed(4);
        assert!(why.contains(named) && why.contains(name), "{why}");
    }
}

#[test]
fn the_parts_in_use_are_told() {
    let place = Place::new();
    put(&place, "open.wasm", OPEN_GATE);
    let told = |args: &[&str]| -> Value {
        let text = place
            .program([&["component", "--json"], args].concat())
            .done();
        serde_json::from_str(&text).expect("JSON")
    };
    let parts = told(&[]);
    let parts = parts["components"].as_array().expect("a list");
    let names: Vec<_> = parts
        .iter()
        .map(|part| part["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["gate", "toolbox", "composed"]);
    for (part, bytes) in parts.iter().zip([GATE, TOOLBOX, COMPOSED]) {
        assert_eq!(part["size"], bytes.len());
        assert_eq!(
            part["digest"],
            format!("sha256:{}", dsh_fs_artifacts::digest(bytes))
        );
        assert!(part["imports"].is_array() && part["exports"].is_array());
    }
    let other = told(&["--gate", "open.wasm"]);
    assert_eq!(other["components"][0]["size"], OPEN_GATE.len());
    assert!(
        !Path::new("open.wasm").exists(),
        "the folder is the one of the place"
    );
}
