//! What the running call asks to be done, as its caller gave it: what a person is shown,
//! and what a grant is good for.

use std::sync::Arc;

use crate::bindings::tools;

/// The request of one call. The texts are shared with the call, not copied.
#[derive(Clone, Default)]
pub(crate) enum Request {
    /// No change of one file.
    #[default]
    Other,
    /// `write`, or `undo` with the text that it brings back.
    Write(Arc<tools::WriteArgs>),
    /// `edit`.
    Edit(Arc<tools::EditArgs>),
}
