//! From an offset in the text to a line and a column, and to the key that stands there.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The line and the column of an offset, from 1, in characters.
pub(super) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let before = String::from_utf8_lossy(before);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[start..].chars().count() + 1)
}

/// Takes the innermost entry at an offset out of a table, and answers its key with those
/// above it; nothing where no entry is there. What is left can be looked at for more.
pub(super) fn take_out(table: &mut DeTable<'_>, offset: usize) -> Option<String> {
    let mut found = None;
    for (key, value) in table.iter_mut() {
        let name = key.get_ref().to_string();
        let own = covers(&key.span(), offset) || covers(&value.span(), offset);
        if let Some(inner) = within(value, offset) {
            return Some(format!("{name}{inner}"));
        }
        if own {
            found = Some(name);
        }
    }
    let name = found?;
    table.remove(name.as_str());
    Some(name)
}

/// The same, in a value; the answer begins with what separates it from the key.
fn within(value: &mut Spanned<DeValue<'_>>, offset: usize) -> Option<String> {
    match value.get_mut() {
        DeValue::Table(table) => take_out(table, offset).map(|inner| format!(".{inner}")),
        DeValue::Array(array) => {
            for (index, item) in array.iter_mut().enumerate() {
                if let Some(inner) = within(item, offset) {
                    return Some(format!("[{index}]{inner}"));
                }
            }
            let index = array.iter().position(|item| covers(&item.span(), offset))?;
            let others = array.clone().into_iter().enumerate();
            *array = others
                .filter_map(|(other, item)| (other != index).then_some(item))
                .collect();
            Some(format!("[{index}]"))
        }
        _ => None,
    }
}

fn covers(span: &Range<usize>, offset: usize) -> bool {
    span.contains(&offset)
}
