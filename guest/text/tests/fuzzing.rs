//! The fuzz target `edits`, with random bytes and with the kept corpus.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use std::fs;

use proptest::prelude::*;

#[path = "../../../tests/fuzz/targets/edits.rs"]
mod edits;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fuzz/corpus/edits");

/// Fails when `literal_from` does not ask `splits_an_ending`, or when `plan` does not fall
/// back to bytes.
#[test]
fn the_kept_corpus_holds() {
    let kept = fs::read_dir(CORPUS).expect("a folder");
    let files: Vec<_> = kept.map(|entry| entry.expect("an entry").path()).collect();
    assert!(files.len() >= 5, "{CORPUS} has {} files", files.len());
    for file in files {
        edits::check(&fs::read(file).expect("readable"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn random_bytes_hold(data in proptest::collection::vec(any::<u8>(), 0..24)) {
        edits::check(&data);
    }
}
