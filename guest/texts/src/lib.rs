//! The rules for text as a component: `dsh:fs/text` over `dsh-fs-text`.
//!
//! Nothing is decided here; values of the WIT package are translated and back. A provider
//! that is written in another language asks this component, and so edits and shows to the
//! letter what the local backend of the host does.

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
        world: "texts",
        generate_all,
    });

    use super::Texts;

    export!(Texts with_types_in self);
}
mod edit;
mod show;

use bindings::dsh::fs::types::{Edit, ReadWindow, TextWindow};
use bindings::exports::dsh::fs::text::{EditRefusal, Edited, Guest};

/// The component, to which the exported interface is attached.
struct Texts;

impl Guest for Texts {
    fn apply_edit(content: String, edit: Edit) -> Result<Edited, EditRefusal> {
        edit::apply(&content, &edit)
    }

    fn show(content: String, version: String, window: ReadWindow) -> TextWindow {
        show::window(&content, version, window)
    }
}

/// A content without the byte order mark at its start, and whether there was one.
fn unmarked(content: &str) -> (&str, bool) {
    match content.strip_prefix(dsh_fs_text::utf8::BYTE_ORDER_MARK) {
        Some(text) => (text, true),
        None => (content, false),
    }
}
