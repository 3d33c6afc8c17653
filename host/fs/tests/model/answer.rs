//! Answers beside what they must be.

use dsh_fs::error::{Code, Error};

/// The text that bytes are, if they are one.
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// The value of an answer that may be given, or nothing where it had to be refused.
pub(crate) fn code<T: std::fmt::Debug>(
    answer: Result<T, Error>,
    refusal: Option<Code>,
) -> Result<Option<T>, String> {
    match (answer, refusal) {
        (Ok(value), None) => Ok(Some(value)),
        (Err(error), Some(code)) if error.code == code => Ok(None),
        (answer, refusal) => Err(format!("{answer:?}, expected {refusal:?}")),
    }
}

pub(crate) fn same<T: PartialEq + std::fmt::Debug + ?Sized>(
    found: &T,
    expected: &T,
) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{found:?}, expected {expected:?}")),
    }
}
