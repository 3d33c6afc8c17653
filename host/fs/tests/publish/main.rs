//! The mutation half of the local backend, against real files.

mod tree;

mod create;
mod edit;
mod replace;
