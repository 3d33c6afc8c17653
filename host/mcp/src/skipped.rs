//! A line that is too long to be taken: what is left of it says whose request it was.

use rmcp::model::RequestId;
use serde_json::{Map, Value};

/// How much is kept of each end, in bytes.
const KEPT: usize = 4 * 1024;

/// The ends of a line that is being skipped.
#[derive(Default)]
pub(crate) struct Skipped {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Skipped {
    /// Takes the next part of the line.
    pub(crate) fn push(&mut self, part: &[u8]) {
        let room = KEPT - self.head.len().min(KEPT);
        self.head.extend_from_slice(&part[..room.min(part.len())]);
        self.tail
            .extend_from_slice(&part[part.len().saturating_sub(KEPT)..]);
        let over = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..over);
    }

    /// The id of the request, so that its sender does not wait for ever: among the fields
    /// before the first one that holds others, or behind the last one.
    pub(crate) fn id(&self) -> Option<RequestId> {
        let fields = before(&self.head).or_else(|| behind(&self.tail))?;
        serde_json::from_value(fields.get("id")?.clone()).ok()
    }
}

/// The whole fields up to the first one that holds others.
fn before(head: &[u8]) -> Option<Map<String, Value>> {
    let start = head.trim_ascii_start().strip_prefix(b"{")?;
    let end = start.iter().position(|byte| b"{[".contains(byte))?;
    let last = start[..end].iter().rposition(|byte| *byte == b',')?;
    with_id(&start[..last])
}

/// The fields behind the last one that holds others.
fn behind(tail: &[u8]) -> Option<Map<String, Value>> {
    let end = tail.trim_ascii_end().strip_suffix(b"}")?;
    let start = end.iter().rposition(|byte| b"}]".contains(byte))?;
    let fields = end[start + 1..].trim_ascii_start();
    with_id(fields.strip_prefix(b",")?)
}

fn with_id(fields: &[u8]) -> Option<Map<String, Value>> {
    let object = [b"{", fields, b"}"].concat();
    let fields: Map<String, Value> = serde_json::from_slice(&object).ok()?;
    fields.contains_key("id").then_some(fields)
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::{KEPT, Skipped};

    fn id_of(line: &str) -> Option<RequestId> {
        let mut skipped = Skipped::default();
        for part in line.as_bytes().chunks(1_000) {
            skipped.push(part);
        }
        skipped.id()
    }

    #[test]
    fn the_id_is_found_at_either_end_and_never_within_a_value() {
        let long = "x".repeat(3 * KEPT);
        let seven = Some(RequestId::Number(7));
        let text = Some(RequestId::String("a".into()));
        let params = format!(r#""params":{{"content":"{long}"}}"#);
        for (line, expected) in [
            (
                format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m",{params}}}"#),
                &seven,
            ),
            (
                format!(
                    r#"{{"method":"m",{params},"jsonrpc":"2.0","id":7}}{}"#,
                    "\r\n"
                ),
                &seven,
            ),
            (format!(r#"{{"id": "a", {params}}}"#), &text),
            (format!(r#"{{"method":"m",{params}}}"#), &None),
            (
                format!(r#"{{"method":"m","params":{{"a":"{long}","b":[],"id":7}}}}"#),
                &None,
            ),
            (
                format!(r#"{{"method":"m","params":{{"a":"{long}}},\"id\":7}}"}}}}"#),
                &None,
            ),
            (long.clone(), &None),
        ] {
            assert_eq!(&id_of(&line), expected, "{}", &line[..40]);
        }
    }
}
