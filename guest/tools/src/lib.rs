//! The tools of dsh:fs as a component: read, write, edit, list.
//!
//! `pipeline` is the flow of one mutation and is read first; `session` holds what a
//! session knows. Whether something may happen, and how that is told, is asked of the
//! gate; the layout of an answer is made in `envelope`.

mod arguments;
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
        world: "toolbox",
        generate_all,
    });
}
mod component;
mod edit;
mod envelope;
mod failure;
mod list;
mod memory;
mod pipeline;
mod read;
mod seen;
mod session;
mod write;
