//! Who has seen which number of the outside writer.
//!
//! A file is a first line `upto N by K`, where N is the highest number that our cycle K
//! had seen, then lines `oN` of the outside writer. Our writes drop the lines that they
//! have seen and remember them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Content {
    pub(crate) upto: u64,
    /// Which cycle of ours made it.
    pub(crate) by: Option<u64>,
    pub(crate) outside: Vec<u64>,
    /// Whether the first line is there; it is not, while the file is being rewritten.
    pub(crate) is_whole: bool,
}

impl Content {
    pub(crate) fn parse(text: &str) -> Self {
        let mut content = Self::default();
        for line in text.lines() {
            if let Some(upto) = line.strip_prefix("upto ") {
                let mut words = upto.split(" by ");
                let mut number = || words.next().and_then(|word| word.parse().ok());
                content.upto = number().unwrap_or_default();
                content.by = number();
                content.is_whole = true;
            } else if let Some(number) = line.strip_prefix('o') {
                content.outside.extend(number.parse::<u64>());
            }
        }
        content.is_whole &= text.ends_with('\n');
        content
    }

    /// The highest number that is there, or was seen before.
    pub(crate) fn newest(&self) -> u64 {
        self.outside.iter().copied().fold(self.upto, u64::max)
    }
}

/// A set of numbers as ranges, which is short.
pub(crate) fn to_ranges(numbers: &BTreeSet<u64>) -> Value {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    json!(ranges)
}

/// What ranges hold.
pub(crate) fn from_ranges(ranges: &Value) -> BTreeSet<u64> {
    let ranges = ranges.as_array().expect("ranges").iter();
    let edge = |range: &Value, end: usize| range[end].as_u64().expect("a range of numbers");
    ranges
        .flat_map(|range| edge(range, 0)..=edge(range, 1))
        .collect()
}
