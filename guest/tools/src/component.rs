//! The exported session: each method is handed to the file that is named after it.

use crate::bindings::dsh::fs::types::{ExecutionPolicy, ModeEvent};
use crate::bindings::exports::dsh::fs::tools::{
    ChangeAnswer, EditArgs, Failure, Guest, GuestSession, ListAnswer, ListArgs, ReadAnswer,
    ReadArgs, Session as SessionHandle, SessionConfig, WriteArgs,
};
use crate::session::Session;
use crate::{edit, list, read, write};

struct Toolbox;

impl Guest for Toolbox {
    type Session = Session;
}

impl GuestSession for Session {
    fn new(config: SessionConfig) -> Self {
        Self::start(config)
    }

    fn read(&self, args: ReadArgs) -> Result<ReadAnswer, Failure> {
        read::read(self, &args)
    }

    fn write(&self, args: WriteArgs) -> Result<ChangeAnswer, Failure> {
        write::write(self, &args)
    }

    fn edit(&self, args: EditArgs) -> Result<ChangeAnswer, Failure> {
        edit::edit(self, args)
    }

    fn list(&self, args: ListArgs) -> Result<ListAnswer, Failure> {
        list::list(self, &args)
    }

    fn mode_changed(&self, event: ModeEvent) {
        Session::mode_changed(self, event);
    }

    fn policy(&self) -> ExecutionPolicy {
        ExecutionPolicy::clone(&self.current_policy())
    }

    fn policy_text(&self) -> String {
        Session::policy_text(self)
    }

    fn snapshot(&self, page: u32) -> Option<String> {
        self.memory().snapshot(page)
    }

    fn restore(&self, page: String) -> Result<(), String> {
        self.memory().restore(&page)
    }

    fn fork(&self, session_id: Option<String>) -> SessionHandle {
        SessionHandle::new(Session::fork(self, session_id))
    }
}

#[allow(
    unsafe_code,
    reason = "the generated glue between the component and this type"
)]
mod export {
    use super::Toolbox;
    crate::bindings::export!(Toolbox with_types_in crate::bindings);
}
