//! Colour on a terminal, plain text elsewhere and under `NO_COLOR`.

use std::io::IsTerminal;

/// Whether escape sequences are printed.
#[derive(Clone, Copy)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For standard output as it is.
    pub(crate) fn stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self(wanted && std::io::stdout().is_terminal())
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Something that went through, or was added.
    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// Something that was refused, or removed.
    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("31", text)
    }

    /// Something to know.
    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// An aside.
    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
}
