//! The program `dsh-fs` from end to end: what it reads, prints, and exits with.

mod arguments;
mod audit;
mod audit_page;
mod commands;
mod components;
mod deployment;
mod escalation;
mod lines;
mod ordinary;
mod output;
mod paths;
mod place;
mod program;
mod sessions;
mod sizes;
mod tools;
mod workspace;
