//! Which records are shown.

use dsh_fs::name::shown;

use super::entry::Entry;
use crate::args::AuditArgs;

/// What a record must have; a filter that is absent asks for nothing.
pub(super) struct Filter {
    session: Option<String>,
    path: Option<String>,
    code: Option<String>,
}

impl Filter {
    pub(super) fn new(args: &AuditArgs) -> Self {
        Self {
            session: args.session.clone(),
            path: args.path.clone(),
            code: args.code.clone(),
        }
    }

    pub(super) fn passes(&self, entry: &Entry) -> bool {
        let session = self.session.as_deref();
        session.is_none_or(|session| entry.session() == Some(session))
            && self.passes_path(entry)
            && self.passes_code(entry)
    }

    /// A part of a path, as it is spelled or as it is shown.
    fn passes_path(&self, entry: &Entry) -> bool {
        let Some(part) = &self.path else {
            return true;
        };
        let path = entry.path();
        path.contains(part.as_str()) || path.contains(&shown(part))
    }

    fn passes_code(&self, entry: &Entry) -> bool {
        let code = self.code.as_deref();
        code.is_none_or(|code| entry.outcome().eq_ignore_ascii_case(code))
    }
}
