//! The program dsh-fs.
fn main() {}
