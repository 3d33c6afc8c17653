//! Asks the linker to write addresses in as few bytes as they need: otherwise it leaves
//! room for the largest in every call, which is a tenth of the code.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script is told its target by the environment"
)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--compress-relocations");
    }
}
