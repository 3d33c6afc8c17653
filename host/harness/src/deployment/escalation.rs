//! Who may escalate to what, before anybody is asked.

use dsh_fs::types::Mode;
use globset::{Glob, GlobMatcher};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What becomes of a request for a wider mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MayEscalate {
    /// A person is asked.
    Ask,
    /// It is refused, and nobody is asked.
    Never,
    /// It is granted once, and nobody is asked.
    Always,
}

impl MayEscalate {
    /// Of two answers the one that lets less through.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Ask, _) | (_, Self::Ask) => Self::Ask,
            (Self::Always, Self::Always) => Self::Always,
        }
    }

    /// The word in a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Never => "never",
            Self::Always => "always",
        }
    }
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct EscalationRule {
    session: GlobMatcher,
    to: Option<Mode>,
    answer: MayEscalate,
}

impl EscalationRule {
    /// A rule for the sessions whose name matches a glob, and for one mode or for all.
    ///
    /// # Errors
    /// The reason why it is no glob.
    pub fn new(session: &str, to: Option<Mode>, answer: MayEscalate) -> Result<Self, String> {
        let glob = Glob::new(session).map_err(|error| error.kind().to_string())?;
        Ok(Self {
            session: glob.compile_matcher(),
            to,
            answer,
        })
    }

    /// Whether it speaks of this request.
    #[must_use]
    pub fn fits(&self, session: &str, to: Mode) -> bool {
        self.to.is_none_or(|mode| mode == to) && self.session.is_match(session)
    }

    /// The glob of the sessions.
    #[must_use]
    pub fn session(&self) -> &str {
        self.session.glob().glob()
    }

    /// The mode; nothing where it speaks of all.
    #[must_use]
    pub fn to(&self) -> Option<Mode> {
        self.to
    }

    /// The answer.
    #[must_use]
    pub fn answer(&self) -> MayEscalate {
        self.answer
    }
}
