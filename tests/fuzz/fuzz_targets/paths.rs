//! libFuzzer calls the target `paths`.

#![no_main]

#[path = "../targets/paths.rs"]
mod paths;

libfuzzer_sys::fuzz_target!(|data: &[u8]| paths::check(data));
