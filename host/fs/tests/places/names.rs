//! Names that programs trip over.

use std::collections::BTreeSet;
use std::fs;

use dsh_fs::error::Code;
use dsh_fs::name;

use crate::support::Tree;
use crate::verbs::{A_FILE, A_FOLDER, Place};

/// In the escape. The two spellings of one word are two names.
fn names() -> Vec<String> {
    let plain = [
        "a\nb",
        "a\tb",
        "\u{1b}[2J",
        "dot.",
        "dots..",
        "...",
        "space ",
        " space",
        " . ",
        "é",
        "e\u{301}",
        "K",
        "\u{212a}",
        "a\u{efff}",
        "\u{efff}",
        "\u{efed}\u{efa0}\u{ef80}",
        "-rf",
        "~",
        "$HOME",
        "*",
        "a\\b",
        "a\"b'",
        "\u{feff}a",
        "\u{202e}txt",
        "CON",
        "a:b",
        "%2e%2e",
        ".dsh-fs",
        ".dsh-fs-mine",
    ];
    let mut names: Vec<String> = plain.iter().map(|name| (*name).to_owned()).collect();
    names.push("n".repeat(255));
    names.push("文".repeat(85));
    names.push("\u{efff}".repeat(255));
    names
}

/// Fails when `name::to_text` or `Spelling` changes a name in any way.
#[test]
fn every_name_works_as_a_file_and_as_a_folder() {
    let place = Place::new("ws/f/\nws/d/");
    let mut wanted = BTreeSet::new();
    for name in names() {
        let (file, child) = (format!("f/{name}"), format!("d/{name}/{name}"));
        let mut missing = A_FILE;
        missing[0] = Some(Code::NotFound);
        assert_eq!(place.all(&file), missing, "{name:?}");
        assert_eq!(place.all(&file), A_FILE, "{name:?}");
        assert_eq!(place.all(&child), missing, "{name:?}");
        assert_eq!(place.all(&format!("d/{name}")), A_FOLDER, "{name:?}");
        let target = place.target(&child).expect("it resolves");
        assert_eq!(place.read(&target).as_deref(), Ok("two"));
        wanted.insert(name::to_bytes(&name));
    }
    for folder in ["f", "d"] {
        let listed: Vec<_> = place
            .names(folder)
            .iter()
            .map(|n| name::to_bytes(n))
            .collect();
        assert_eq!(listed, wanted.iter().cloned().collect::<Vec<_>>());
        assert_eq!(on_disk(&place.tree, folder), wanted);
    }
}

fn on_disk(tree: &Tree, folder: &str) -> BTreeSet<Vec<u8>> {
    let names = fs::read_dir(tree.path("ws").join(folder)).expect("listed");
    names
        .map(|entry| entry.expect("an entry").file_name().into_encoded_bytes())
        .collect()
}

/// The composed and the decomposed name are two files that do not see each other.
#[test]
fn nfc_and_nfd_lie_side_by_side() {
    let place = Place::new("ws/é = composed");
    let decomposed = place.target("e\u{301}").expect("it resolves");
    place.write(&decomposed, "decomposed").expect("created");
    let composed = place.target("\u{e9}").expect("it resolves");
    assert_eq!(place.read(&composed).as_deref(), Ok("composed"));
    assert_eq!(place.read(&decomposed).as_deref(), Ok("decomposed"));
    assert_eq!(place.names("."), ["e\u{301}", "é"]);
}
