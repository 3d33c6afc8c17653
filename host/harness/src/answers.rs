//! Answers that are kept: in the database, or for as long as the process lives.

use std::sync::OnceLock;

use dsh_fs_runtime::{Question, Scope};
use dsh_fs_state::{self as state, NewGrant, Store};

/// The answers that persons gave for longer than one call.
pub(crate) struct Answers {
    /// The database, where sessions last.
    lasting: Option<Store>,
    /// One in memory where they do not, made when there is something to keep.
    passing: OnceLock<Option<Store>>,
    /// Which directory the workspace is; nothing is kept where that cannot be told.
    place: Option<String>,
}

impl Answers {
    pub(crate) fn new(lasting: Option<Store>, place: Option<String>) -> Self {
        Self {
            lasting,
            passing: OnceLock::new(),
            place,
        }
    }

    /// How far an earlier answer to this question reaches, if there is one. A database that
    /// fails has none.
    pub(crate) fn find(&self, session: &str, question: &Question) -> Option<Scope> {
        let passing = || self.passing.get()?.as_ref();
        let store = self.lasting.as_ref().or_else(passing)?;
        let (root, place) = (&question.workspace_root, self.place.as_deref()?);
        let (tool, key, mode) = (question.tool, &question.key, question.mode);
        let grant = store.use_grant(session, root, place, tool, key, mode);
        Some(match grant.ok()??.grant.scope {
            state::Scope::Session(_) => Scope::Session,
            state::Scope::Workspace(_) => Scope::Workspace,
        })
    }

    /// Keeps a yes; answers whether that was possible.
    pub(crate) fn keep(&self, session: &str, question: &Question, scope: Scope) -> bool {
        let (Some(store), Some(place)) = (self.to_keep_in(), &self.place) else {
            return false;
        };
        let kept = store.remember_grant(&NewGrant {
            scope: match scope {
                Scope::Session => state::Scope::Session(session.to_owned()),
                Scope::Workspace => state::Scope::Workspace(question.workspace_root.clone()),
            },
            place: place.clone(),
            tool: question.tool.to_owned(),
            key: question.key.clone(),
            mode: question.mode,
        });
        kept.is_ok()
    }

    fn to_keep_in(&self) -> Option<&Store> {
        let passing = || self.passing.get_or_init(|| Store::in_memory().ok());
        self.lasting.as_ref().or_else(|| passing().as_ref())
    }
}
