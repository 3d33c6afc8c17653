//! What the component may call: thin translations that look up a handle, call `host/fs`,
//! and convert. None of them calls back into the guest.

mod approval;
pub(crate) mod filesystem;
mod listing;
mod mutation;
mod open;
mod shown;
pub(crate) mod stream;

pub(crate) use mutation::operation_name;

use crate::bindings::types;
use crate::state::State;

impl types::Host for State {}
