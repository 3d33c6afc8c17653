//! Why a text was not found, where it nearly was. Nothing is replaced on the strength of
//! this: it only tells a model what to correct.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr_iter;

use crate::automaton::Comparison;
use crate::search::Search;

/// The fewest bytes, white space aside, that are worth a hint.
const FEWEST_BYTES: usize = 3;

/// How a text nearly occurs. Lines are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearMiss {
    /// It occurs from this line on, without the line numbers that it was given with.
    LineNumbers {
        /// The line.
        line: u64,
    },
    /// It occurs from this line on, but for white space.
    WhiteSpace {
        /// The line.
        line: u64,
    },
}

impl NearMiss {
    /// The hint, in one sentence.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Self::LineNumbers { line } => format!(
                "The text occurs at line {line} without the line numbers, which are not part of the file."
            ),
            Self::WhiteSpace { line } => {
                format!("The text at line {line} differs from it only in white space.")
            }
        }
    }
}

/// Looks for a text that does not occur as it is. Linear in both texts.
#[must_use]
pub fn near_miss(content: &str, old: &str) -> Option<NearMiss> {
    let numbered = without_line_numbers(old)
        .and_then(|bare| first_line(content, &bare, Comparison::Lenient))
        .map(|line| NearMiss::LineNumbers { line });
    numbered.or_else(|| {
        first_line(content, old, Comparison::Squeezed).map(|line| NearMiss::WhiteSpace { line })
    })
}

/// The line at which a text first occurs, if it is long enough to mean anything.
fn first_line(content: &str, text: &str, comparison: Comparison) -> Option<u64> {
    let letters = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count();
    if letters < FEWEST_BYTES {
        return None;
    }
    let place = Search::new(content, text, comparison).first_two().0?;
    let before = &content.as_bytes()[..place.start];
    Some(1 + memchr_iter(b'\n', before).count() as u64)
}

/// The text without the number at the start of each line, if every line has one.
fn without_line_numbers(old: &str) -> Option<String> {
    let (lines, end) = match old.strip_suffix('\n') {
        Some(lines) => (lines, "\n"),
        None => (old, ""),
    };
    let bare: Option<Vec<&str>> = lines.split('\n').map(without_line_number).collect();
    Some(bare?.join("\n") + end)
}

/// A line without a number and what separates it: `12: `, or a tab, or an arrow.
fn without_line_number(line: &str) -> Option<&str> {
    let number = line.trim_start_matches(' ');
    let rest = number.trim_start_matches(|character: char| character.is_ascii_digit());
    let separated = [": ", "\t", "\u{2192}"]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark));
    let empty = (rest.trim_end() == ":").then_some("");
    separated.or(empty).filter(|_| rest.len() < number.len())
}
