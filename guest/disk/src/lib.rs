//! A provider of files as a component: `dsh:fs/filesystem` over `wasi:filesystem`.
//!
//! It runs wherever WASI does, and sees the folders that the runtime gives the program.
//! Every path is walked one name at a time from such a folder, through open directories,
//! so that no link leads out of it; `walk` is read first. What may be changed is said by
//! the program's own command line (`options`), never by another component.
//!
//! WASI cannot hold other programs off and keeps neither permissions nor owner of a file
//! that is replaced: such a change is graded `best-effort`, and says so.

mod change;
mod content;
mod facts;
mod failure;
mod fence;
mod files;
mod ground;
mod hunk;
mod list;
mod options;
mod publish;
mod show;
mod stream;
mod walk;

#[allow(
    missing_docs,
    unsafe_code,
    unreachable_pub,
    clippy::all,
    reason = "generated from wit/, where the documentation is"
)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "provider",
        generate_all,
    });

    use super::files::Disk;

    export!(Disk with_types_in self);
}
