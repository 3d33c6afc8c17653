//! The program `dsh-fs` from end to end: what it reads, prints, and exits with.

mod arguments;
mod audit;
mod audit_page;
mod commands;
mod components;
mod databases;
mod deployment;
mod escalation;
mod exec;
mod lasting;
mod lines;
mod ordinary;
mod output;
mod outside_the_files;
mod own_files;
mod paths;
mod place;
pub(crate) mod program;
mod sessions;
mod several;
mod sizes;
mod tools;
mod widening;
mod workspace;
