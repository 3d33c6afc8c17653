//! Why bytes are not the component that was wanted.

use std::fmt::Display;

/// What a library says of a component, on one line. It quotes names out of the component,
/// which could otherwise move the cursor of whoever reads them.
pub(crate) fn told(error: impl Display) -> String {
    let mut line = String::new();
    for c in format!("{error:#}").chars() {
        match c {
            '"' | '\'' | '\\' => line.push(c),
            _ => line.extend(c.escape_debug()),
        }
    }
    line
}

/// Why a component was refused, or could not be composed with another.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// The bytes are a core module, which has no typed interface.
    #[error(
        "this is a core WebAssembly module, not a component; \
         make a component of it with `wasm-tools component new`"
    )]
    CoreModule,
    /// The bytes are not WebAssembly at all.
    #[error("this is not WebAssembly: it does not begin with the four bytes \\0asm")]
    NotWasm,
    /// The bytes begin as a component and then break a rule.
    #[error("this is not a valid WebAssembly component: {0}")]
    Broken(String),
    /// A gate asks for something that no gate may have.
    #[error("the gate imports {import}: {reason}")]
    ForbiddenImport {
        /// The full name of the import.
        import: String,
        /// Why no gate may have it.
        reason: &'static str,
    },
    /// A piece has no interface that the other one needs.
    #[error("the {piece} does not export {wanted}{found}")]
    MissingExport {
        /// Which piece.
        piece: &'static str,
        /// The interface with its version.
        wanted: &'static str,
        /// What it exports in its place, as the end of a sentence.
        found: String,
    },
    /// A piece asks for no interface that the other one could answer.
    #[error("the {piece} does not import {wanted}{found}")]
    MissingImport {
        /// Which piece.
        piece: &'static str,
        /// The interface with its version.
        wanted: &'static str,
        /// What it imports in its place, as the end of a sentence.
        found: String,
    },
    /// Both pieces have an interface of that name, with other types.
    #[error("the {interface} of the gate has other types than the one that is imported: {reason}")]
    Mismatch {
        /// The interface with its version.
        interface: &'static str,
        /// Where they differ.
        reason: String,
    },
    /// The pieces fit, and could still not be put together.
    #[error("the components could not be composed: {0}")]
    Composition(String),
}
