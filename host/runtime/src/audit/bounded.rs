//! Texts that a component chose, cut: it could have gigabytes written down by them.

use serde::Serializer;

/// The most bytes of one text. The longest path that a kernel takes has 4,096 bytes, and
/// three times as many where each of them is escaped.
const MOST_BYTES: usize = 16 * 1024;

/// Serializes a text, with `…` in the place of what is too much.
pub(super) fn text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if text.len() <= MOST_BYTES {
        return serializer.serialize_str(text);
    }
    let end = text.floor_char_boundary(MOST_BYTES);
    serializer.serialize_str(&format!("{}…", &text[..end]))
}

/// The same of a text that may be missing.
pub(super) fn optional<S: Serializer>(
    value: &Option<&str>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => text(value, serializer),
        None => serializer.serialize_none(),
    }
}
