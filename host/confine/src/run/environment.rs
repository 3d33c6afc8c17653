//! What a command finds in its environment.

use std::ffi::{OsStr, OsString};

use super::secrets::is_secret;

/// The variables that a command is given.
///
/// A library reads no environment of its own: the embedder hands over the variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// Exactly these.
    pub fn exactly(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// These without the secrets, except those that are named in `keep`.
    ///
    /// A secret is a variable whose name has a word such as `TOKEN`, `SECRET`, `PASSWORD`,
    /// `KEY`, `AUTH`, `PAT`, `COOKIE`, `DSN` or `WEBHOOK` between underscores, in any case, or
    /// ends in one of the longer ones (`GITHUBTOKEN`); and one whose value is a URL with a
    /// password, a token of a well-known kind, or a private key. `SSH_AUTH_SOCK` is one:
    /// who has it may use the keys of the user. The table is `run/secrets.rs`.
    ///
    /// This is a help and no fence: a secret by another name passes. Everything else is
    /// passed on (`PATH`, `HOME`, `LANG`, `TERM`, settings of tools): a command finds what
    /// the user's own shell would.
    pub fn without_secrets(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        keep: &[&str],
    ) -> Self {
        let named = |name: &OsStr| keep.iter().any(|kept| name == *kept);
        let passes = |(name, value): &(OsString, OsString)| named(name) || !is_secret(name, value);
        Self(variables.into_iter().filter(passes).collect())
    }

    /// The same with one variable more, or another value for it.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        let name = name.into();
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, value.into()));
        self
    }

    /// The variables.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}
