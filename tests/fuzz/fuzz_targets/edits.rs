//! libFuzzer calls the target `edits`.

#![no_main]

#[path = "../targets/edits.rs"]
mod edits;

libfuzzer_sys::fuzz_target!(|data: &[u8]| edits::check(data));
