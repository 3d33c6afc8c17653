//! Text taken apart and put together without the formatting machinery of `core`.
//!
//! These are functions of their own and not inlined: they are called from many places,
//! none of which needs to be fast.

use alloc::string::String;

/// Appends the lowest digits of a number, in lower case.
#[inline(never)]
pub(crate) fn push_hex(text: &mut String, value: u64, digits: usize) {
    for position in (0..digits).rev() {
        let digit = (value >> (4 * position)) as usize & 15;
        push(
            text,
            "0123456789abcdef".get(digit..=digit).unwrap_or_default(),
        );
    }
}

/// Appends a text.
#[inline(never)]
pub(crate) fn push(text: &mut String, more: &str) {
    text.push_str(more);
}

/// The first character of a text, also as a text, and the rest.
#[inline(never)]
pub(crate) fn split_first(text: &str) -> Option<(char, &str, &str)> {
    let first = text.chars().next()?;
    let (spelled, rest) = text.split_at_checked(first.len_utf8())?;
    Some((first, spelled, rest))
}
