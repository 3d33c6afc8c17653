//! What a person was shown is what is done: a mutation under a grant is compared with the
//! request that the question was made from.

use dsh_fs::error::{Code, Error};
use dsh_fs::name;
use dsh_fs::types::{Edit, Target, WriteGuard};

use super::filesystem::OpenFiles;
use super::mutation::Intent;
use crate::bindings::tools::EditArgs;
use crate::change::Found;
use crate::request::Request;
use crate::state::State;
use crate::wording;

/// What a mutation puts into the file.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    /// A whole content, where this guard holds.
    Write(&'a str, &'a WriteGuard),
    /// A replacement.
    Edit(&'a Edit),
}

impl State {
    /// Whether a mutation under a grant is the one that was shown. A component that swaps
    /// the texts after the answer is `FS_SANDBOX_DENIED`; one that would replace what came
    /// into the file after the question is `FS_STALE_VERSION`.
    pub(super) fn check_shown(&self, open: &OpenFiles, intent: &Intent<'_>) -> Result<(), Error> {
        let Some(granted) = &open.granted else {
            return Ok(());
        };
        if !is_what_was_asked(&self.call.request, intent.work) {
            return Err(self.grant_refused("it is for another change"));
        }
        match intent.work {
            Work::Write(_, guard)
                if self.replaces_later_work(&granted.found, guard, intent.target) =>
            {
                Err(changed_since_the_question(intent.target))
            }
            _ => Ok(()),
        }
    }

    /// Whether this guard would let go what was not there when the person was asked. One
    /// that names a version which is not there now fails by itself, and says what changed.
    fn replaces_later_work(&self, found: &Found, guard: &WriteGuard, target: &Target) -> bool {
        let WriteGuard::ReplaceIfVersion(wanted) = guard else {
            return false;
        };
        match found {
            Found::Unknown => false,
            Found::Version(shown) if shown == wanted => false,
            Found::Version(_) | Found::Absent => {
                match Found::at(target, &self.authority.reader, &self.cancel) {
                    Found::Absent => false,
                    Found::Version(now) => now == *wanted,
                    Found::Unknown => true,
                }
            }
        }
    }
}

fn is_what_was_asked(request: &Request, work: Work<'_>) -> bool {
    match (request, work) {
        (Request::Write(args), Work::Write(content, _)) => args.content == content,
        (Request::Edit(args), Work::Edit(edit)) => is_edit(args, edit),
        _ => false,
    }
}

fn is_edit(args: &EditArgs, edit: &Edit) -> bool {
    args.old_string == edit.old_text
        && args.new_string == edit.new_text
        && args.replace_all == edit.replace_all
}

fn changed_since_the_question(target: &Target) -> Error {
    Error {
        code: Code::StaleVersion,
        message: wording::changed_since_the_question(&target.display),
        path: Some(name::shown(&target.display)),
        detail: None,
    }
}
