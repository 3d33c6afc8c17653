//! The fuzz target `paths`, with random bytes and with the kept corpus.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use std::fs;

use proptest::prelude::*;

#[path = "../../../tests/fuzz/targets/paths.rs"]
mod paths;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fuzz/corpus/paths");

/// Fails when `without_links` lets the kernel follow links, or when `name::push_valid`
/// leaves characters of the escape as they are.
#[test]
fn the_kept_corpus_holds() {
    let kept = fs::read_dir(CORPUS).expect("a folder");
    let files: Vec<_> = kept.map(|entry| entry.expect("an entry").path()).collect();
    assert!(files.len() >= 5, "{CORPUS} has {} files", files.len());
    for file in files {
        paths::check(&fs::read(file).expect("readable"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn random_bytes_hold(data in proptest::collection::vec(any::<u8>(), 0..24)) {
        paths::check(&data);
    }
}
