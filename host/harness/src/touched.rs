//! What was changed while others were reading.

use std::collections::VecDeque;

use dsh_fs_runtime::Answer;
use serde_json::Value;

/// How many changes are told apart; a read that began before the oldest of them counts as
/// overtaken.
const MOST: usize = 256;

/// The changes of one agent, numbered.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    changes: u64,
    recent: VecDeque<(u64, String)>,
    /// The last change of which it is not known what it touched.
    blurred: u64,
}

impl Touched {
    /// The number of the last change.
    pub(crate) fn now(&self) -> u64 {
        self.changes
    }

    /// Writes down what a call of a changing tool may have changed.
    pub(crate) fn record(&mut self, answer: &Answer) {
        self.changes += 1;
        let keys = answer.value.as_ref().map(keys).unwrap_or_default();
        if keys.is_empty() {
            self.blurred = self.changes;
        }
        for key in keys {
            if self.recent.len() == MOST
                && let Some((number, _)) = self.recent.pop_front()
            {
                self.blurred = self.blurred.max(number);
            }
            self.recent.push_back((self.changes, key));
        }
    }

    /// Whether what a read saw may be of a file that was changed since.
    pub(crate) fn overtook(&self, since: u64, answer: &Answer) -> bool {
        let key = answer
            .value
            .as_ref()
            .and_then(|value| value["key"].as_str());
        match key {
            _ if self.blurred > since => true,
            Some(key) => {
                let mut later = self.recent.iter().filter(|(number, _)| *number > since);
                later.any(|(_, changed)| changed == key)
            }
            None => self.changes > since,
        }
    }
}

/// The keys of the files in the answer of a change, or of several.
fn keys(value: &Value) -> Vec<String> {
    let one = |value: &Value| value["key"].as_str().map(str::to_owned);
    let several = value["changes"].as_array().into_iter().flatten();
    one(value)
        .into_iter()
        .chain(several.filter_map(one))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(value: Option<Value>) -> Answer {
        Answer {
            ok: value.is_some(),
            code: None,
            text: String::new(),
            value,
        }
    }

    #[test]
    fn only_a_later_change_of_the_same_file_overtakes_a_read() {
        let mut touched = Touched::default();
        touched.record(&answer(Some(json!({"key": "/a"}))));
        let since = touched.now();
        let read = answer(Some(json!({"key": "/a"})));
        let absent = answer(None);
        assert!(!touched.overtook(since, &read) && !touched.overtook(since, &absent));
        touched.record(&answer(Some(json!({"changes": [{"key": "/b"}]}))));
        assert!(!touched.overtook(since, &read) && touched.overtook(since, &absent));
        touched.record(&answer(None));
        assert!(touched.overtook(since, &read));
    }
}
