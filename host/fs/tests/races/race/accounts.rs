//! Who has seen which number of the outside writer.
//!
//! A file is a first line `upto N` (ours), then lines `oN` (the outside writer's). Our
//! writes drop the lines that they have seen, raise `upto`, and remember what they dropped.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Content {
    pub(crate) upto: u64,
    pub(crate) outside: Vec<u64>,
    /// Whether the first line is there; it is not, while the file is being rewritten.
    pub(crate) is_whole: bool,
}

impl Content {
    pub(crate) fn parse(text: &str) -> Self {
        let mut content = Self::default();
        for line in text.lines() {
            if let Some(upto) = line.strip_prefix("upto ") {
                let number = upto.split(' ').next().unwrap_or_default();
                content.upto = number.parse().unwrap_or_default();
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

/// The numbers of 1 to `written` that are in none of the ranges, nor at the end.
pub(crate) fn missing(written: u64, seen: &[Value], at_the_end: &Content) -> Vec<u64> {
    let mut known: BTreeSet<u64> = at_the_end.outside.iter().copied().collect();
    for range in seen.iter().filter_map(Value::as_array).flatten() {
        let edge = |end: usize| range[end].as_u64().expect("a range of numbers");
        known.extend(edge(0)..=edge(1));
    }
    (1..=written)
        .filter(|number| !known.contains(number))
        .collect()
}
