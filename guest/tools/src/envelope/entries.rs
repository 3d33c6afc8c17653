//! The layout of a listing.

use super::{closed, opened, push_name, push_numbered, push_range};
use crate::bindings::dsh::fs::types::{DirEntry, EntryKind};

/// The entries of a directory from one on, and how to read on.
pub(crate) fn entries(path: &str, entries: &[DirEntry], first: u32, total: u32) -> String {
    let names: usize = entries.iter().map(|entry| entry.name.len() + 24).sum();
    let mut text = opened(path, "directory", names);
    for entry in entries {
        push_entry(&mut text, entry);
    }
    text.push('\n');
    let first = u64::from(first);
    let next = first + entries.len() as u64;
    if next <= u64::from(total) {
        push_range(&mut text, "(Showing entries ", first, next - 1);
        push_numbered(&mut text, " of ", u64::from(total), "");
        push_numbered(&mut text, ". Use offset=", next, " to continue.)");
    } else {
        push_numbered(
            &mut text,
            "(End of directory - total ",
            u64::from(total),
            " entries)",
        );
    }
    closed(text)
}

fn push_entry(text: &mut String, entry: &DirEntry) {
    push_name(text, &entry.name);
    if entry.kind == EntryKind::Directory {
        text.push('/');
    }
    let mut facts = Facts::new(text);
    if entry.is_link {
        facts.next().push_str("link");
    }
    match (&entry.trouble, entry.size, entry.kind) {
        (Some(trouble), ..) => push_name(facts.next(), trouble),
        (None, Some(1), _) => facts.next().push_str("1 byte"),
        (None, Some(size), _) => push_numbered(facts.next(), "", size, " bytes"),
        (None, None, EntryKind::Other) => facts.next().push_str("special file"),
        (None, None, _) => {}
    }
    facts.end();
    text.push('\n');
}

/// Facts about an entry, in brackets behind its name.
struct Facts<'t> {
    text: &'t mut String,
    any: bool,
}

impl<'t> Facts<'t> {
    fn new(text: &'t mut String) -> Self {
        Self { text, any: false }
    }

    fn next(&mut self) -> &mut String {
        self.text.push_str(if self.any { ", " } else { " (" });
        self.any = true;
        self.text
    }

    fn end(self) {
        if self.any {
            self.text.push(')');
        }
    }
}
