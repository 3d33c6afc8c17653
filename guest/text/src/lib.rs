//! The text rules of dsh:fs: literal edits, line endings, UTF-8, read windows, names.
//!
//! Everything here is a function over text in memory, or over pieces of text in the
//! order of the file. Nothing reads or writes; nothing fails except by refusing.

#![no_std]

extern crate alloc;

mod automaton;
pub mod edit;
pub mod endings;
mod fit;
mod line;
pub mod name;
pub mod near;
pub mod plan;
mod search;
pub mod utf8;
pub mod window;
