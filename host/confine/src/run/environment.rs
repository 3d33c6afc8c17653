//! What a command finds in its environment.

use std::ffi::{OsStr, OsString};

/// The variables that a command is given.
///
/// A library reads no environment of its own: the embedder hands over the variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment(Vec<(OsString, OsString)>);

/// Words of a name, between underscores, that mark a secret.
const SECRET_WORDS: [&str; 13] = [
    "TOKEN",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "PWD",
    "KEY",
    "KEYS",
    "APIKEY",
    "CREDENTIAL",
    "CREDENTIALS",
];

/// Names that hold such a word and no secret.
const HARMLESS: [&str; 2] = ["PWD", "OLDPWD"];

impl Environment {
    /// Exactly these.
    pub fn exactly(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// These without the secrets, except those that are named in `keep`.
    ///
    /// A secret is a variable whose name, split at underscores, has a word such as `TOKEN`,
    /// `SECRET`, `PASSWORD`, `KEY` or `CREDENTIALS` in any case, or ends in one
    /// (`GITHUBTOKEN`), and one whose value is a URL with a password. Everything else is
    /// passed on (`PATH`, `HOME`, `LANG`, `TERM`, settings of tools): a command finds what
    /// the user's own shell would.
    pub fn without_secrets(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        keep: &[&str],
    ) -> Self {
        let named = |name: &OsStr| keep.iter().any(|kept| name == *kept);
        let passes = |(name, value): &(OsString, OsString)| {
            named(name) || !(is_secret_name(name) || holds_password(value))
        };
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

fn is_secret_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    if HARMLESS.contains(&name.as_str()) {
        return false;
    }
    // The last word of a name is often written without an underscore before it.
    let run_together = ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY"];
    let marks = |word: &str| {
        SECRET_WORDS.contains(&word) || run_together.iter().any(|mark| word.ends_with(mark))
    };
    name.split('_').any(marks)
}

/// Whether a value is a URL with a password: `scheme://user:password@host`.
fn holds_password(value: &OsStr) -> bool {
    let value = value.to_string_lossy();
    let authorities = value.split("://").skip(1);
    authorities
        .filter_map(|rest| rest.split(['/', '?', '#']).next()?.rsplit_once('@'))
        .any(|(user, _)| user.contains(':'))
}
