//! The mutation half of the local backend, against real files.

mod tree;
mod watch;

mod crash;
mod create;
mod edit;
mod faults;
mod fence;
mod moments;
mod races;
mod replace;
mod slow_opener;
