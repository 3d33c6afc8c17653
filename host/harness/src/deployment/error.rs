//! What is wrong with a configuration, and where.

use std::fmt;

use dsh_fs::roots::BadGlob;

use super::wording;

/// The kinds of problems. The names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConfigCode {
    /// The text is no TOML.
    Syntax,
    /// A key that means nothing.
    UnknownKey,
    /// A value of the wrong type, or one that cannot be meant.
    BadValue,
    /// The file cannot be read.
    Unreadable,
    /// Somebody who is not trusted with the policy could have written the file.
    UnsafeFile,
    /// The command line allows more than the file.
    Widened,
}

impl ConfigCode {
    /// Every code.
    pub const ALL: [Self; 6] = [
        Self::Syntax,
        Self::UnknownKey,
        Self::BadValue,
        Self::Unreadable,
        Self::UnsafeFile,
        Self::Widened,
    ];

    /// The protocol string, for example `CONFIG_BAD_VALUE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "CONFIG_SYNTAX",
            Self::UnknownKey => "CONFIG_UNKNOWN_KEY",
            Self::BadValue => "CONFIG_BAD_VALUE",
            Self::Unreadable => "CONFIG_UNREADABLE",
            Self::UnsafeFile => "CONFIG_UNSAFE_FILE",
            Self::Widened => "CONFIG_WIDENED",
        }
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its kind.
    pub code: ConfigCode,
    /// The file, as it was named; empty where there is none.
    pub file: String,
    /// Line and column, from 1, in characters; nothing where the whole file is meant.
    pub place: Option<(usize, usize)>,
    /// The key, with those above it (`shell.on-partial`, `roots[1]`).
    pub key: Option<String>,
    /// One sentence: what is wrong, and what was expected.
    pub message: String,
}

impl Problem {
    /// One about a whole file.
    pub(super) fn of_file(code: ConfigCode, file: &str, message: String) -> Self {
        Self {
            code,
            file: file.to_owned(),
            place: None,
            key: None,
            message,
        }
    }

    /// A pattern of a deployment that no file describes.
    pub(super) fn bad_pattern(pattern: &str, error: &BadGlob) -> Self {
        Self {
            key: Some("deny-read".to_owned()),
            ..Self::of_file(
                ConfigCode::BadValue,
                "",
                wording::bad_pattern(pattern, error),
            )
        }
    }
}

impl fmt::Display for Problem {
    /// `FILE:LINE:COLUMN: CODE: KEY: sentence`, the shape that editors follow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
        }
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        if !self.file.is_empty() {
            write!(f, " ")?;
        }
        write!(f, "{}: ", self.code.name())?;
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        write!(f, "{}", self.message)
    }
}

/// Everything that is wrong with a configuration, in the order of the file; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<Problem>,
}

impl ConfigError {
    /// One problem.
    pub(super) fn of(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }

    /// Several problems, in the order of the file; nothing where there are none.
    pub(super) fn of_all(mut problems: Vec<Problem>) -> Option<Self> {
        problems.sort_by_key(|problem| problem.place);
        (!problems.is_empty()).then_some(Self { problems })
    }

    /// The problems.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The code of the first.
    #[must_use]
    pub fn code(&self) -> ConfigCode {
        self.problems[0].code
    }
}

impl fmt::Display for ConfigError {
    /// One line a problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}
