//! Proves dsh:fs: the runner of the vectors, for the program `vectors` and the suites.
//!
//! `dialect` reads a line, `run` runs it in every tier, `report` tells what became of it.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

pub mod after;
pub mod case;
pub mod codes;
pub mod components;
pub mod conformance;
pub mod content;
pub mod dialect;
pub mod equivalence;
pub mod files;
pub mod matching;
pub mod name;
pub mod outside;
pub mod places;
pub mod reference;
pub mod report;
pub mod run;
pub mod shipped;
pub mod stock;
pub mod tier;
pub mod tree;
pub mod unprivileged;
