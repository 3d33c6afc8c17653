//! A literal replacement: which bytes of a text go, and what comes in their place.
//!
//! A line ending in the old text matches either ending. A line ending in the new text
//! takes the ending of what it replaces, else of the line it lands in, else of the line
//! before; in a content without any it stays as given. Where the two texts differ in
//! endings alone, both are taken exactly. An old text that ends in a CR and does not occur
//! like this means the CR of an ending: then its bytes are looked for, and the new text
//! stays as given. Nothing is normalised in any other way, and bytes outside the replaced
//! places are not touched.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr_iter;

use crate::automaton::Comparison;
use crate::fit::{Fitted, Fitting, Neighbours, alike_but_for_endings};
use crate::plan::Plan;
use crate::search::Search;
use crate::utf8::BYTE_ORDER_MARK;

/// The most lines that an ambiguous edit names.
pub const NAMED_LINES: usize = 10;

/// A text as it is edited.
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    /// The text without a byte order mark at its start.
    pub text: &'a str,
    /// Whether a byte order mark stands before it.
    pub byte_order_mark: bool,
}

/// Why an edit cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditRefusal {
    /// The old text is empty.
    Empty,
    /// The old and the new text are equal, or would leave the same bytes.
    Same,
    /// The old text does not occur.
    NotFound,
    /// The old text occurs more than once, and not all occurrences are to be replaced.
    Ambiguous {
        /// How often it occurs, overlapping occurrences included.
        count: u64,
        /// The lines, counted from 1, at which the first [`NAMED_LINES`] begin.
        lines: Vec<u64>,
    },
}

/// Plans the replacement of `old` by `new`: of the one occurrence, or of all of them
/// from left to right, none overlapping another and no new text searched.
///
/// A byte order mark at the start of the old text matches that of the content, which
/// stays; one at the start of the new text is not put behind it.
pub fn plan(
    content: Content<'_>,
    old: &str,
    new: &str,
    replace_all: bool,
) -> Result<Plan, EditRefusal> {
    if old.is_empty() {
        return Err(EditRefusal::Empty);
    }
    if old == new {
        return Err(EditRefusal::Same);
    }
    match plan_by(content, old, new, replace_all, comparison) {
        Err(EditRefusal::NotFound) if old.ends_with('\r') => {
            plan_by(content, old, new, replace_all, |_, _| Comparison::Bytes)
        }
        planned => planned,
    }
}

/// How an old text is compared that a new text replaces.
type Compare = fn(&str, &str) -> Comparison;

fn plan_by(
    content: Content<'_>,
    old: &str,
    new: &str,
    replace_all: bool,
    compare: Compare,
) -> Result<Plan, EditRefusal> {
    let marked = marked_place(content, old, new, compare);
    let search = Search::new(content.text, old, compare(old, new));
    let places = match replace_all {
        true => all_places(&search, marked.clone()),
        false => one_place(content.text, &search, marked.clone())?,
    };
    let plan = fitted(content, old, new, &places, marked.is_some(), compare);
    match places.is_empty() {
        true => Err(EditRefusal::NotFound),
        false if plan.changes_nothing(content.text) => Err(EditRefusal::Same),
        false => Ok(plan),
    }
}

/// Either ending matches either, unless the texts differ in nothing else.
fn comparison(old: &str, new: &str) -> Comparison {
    match alike_but_for_endings(old, new) {
        true => Comparison::Exact,
        false => Comparison::Lenient,
    }
}

/// The place at the start of the content that the old text means when it begins with
/// the byte order mark that stands before the content.
fn marked_place(
    content: Content<'_>,
    old: &str,
    new: &str,
    compare: Compare,
) -> Option<Range<usize>> {
    let rest = old.strip_prefix(BYTE_ORDER_MARK)?;
    if !content.byte_order_mark || rest.is_empty() {
        return None;
    }
    let comparison = compare(rest, without_mark(new));
    let end = Search::new(content.text, rest, comparison).end_at_start()?;
    Some(0..end)
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

fn all_places(search: &Search<'_>, marked: Option<Range<usize>>) -> Vec<Range<usize>> {
    let from = marked.as_ref().map_or(0, |place| place.end);
    marked.into_iter().chain(search.apart(from)).collect()
}

/// The one place, or why there is not exactly one.
fn one_place(
    content: &str,
    search: &Search<'_>,
    marked: Option<Range<usize>>,
) -> Result<Vec<Range<usize>>, EditRefusal> {
    let (first, second) = search.first_two();
    match (marked, first, second) {
        (Some(place), None, _) | (None, Some(place), None) => Ok(Vec::from([place])),
        (None, None, _) => Err(EditRefusal::NotFound),
        (marked, ..) => Err(ambiguous(content.as_bytes(), search, marked)),
    }
}

/// Counts the occurrences, and finds the lines of the first ones.
fn ambiguous(content: &[u8], search: &Search<'_>, marked: Option<Range<usize>>) -> EditRefusal {
    let mut ends = search.automaton(0, true);
    let mut starts: Vec<usize> = marked.into_iter().map(|place| place.start).collect();
    while starts.len() < NAMED_LINES
        && let Some(end) = ends.next()
    {
        starts.push(ends.place(end).start);
    }
    EditRefusal::Ambiguous {
        count: starts.len() as u64 + ends.count() as u64,
        lines: line_numbers(content, &starts),
    }
}

/// The lines of some places that are in order.
fn line_numbers(content: &[u8], places: &[usize]) -> Vec<u64> {
    let (mut line, mut counted_to) = (1, 0);
    let mut number = |&place: &usize| {
        line += memchr_iter(b'\n', &content[counted_to..place]).count() as u64;
        counted_to = place;
        line
    };
    places.iter().map(&mut number).collect()
}

/// Fits the new text in at each place.
fn fitted(
    content: Content<'_>,
    old: &str,
    new: &str,
    places: &[Range<usize>],
    marked: bool,
    compare: Compare,
) -> Plan {
    let exact = compare(old, new) != Comparison::Lenient;
    let fitting = Fitting::new(old, new);
    let mut beside = Neighbours::new(content.text.as_bytes());
    let mut plan = Plan::default();
    for place in places {
        let behind_mark = content.byte_order_mark && place.start == 0;
        if behind_mark && (marked || !old.starts_with(BYTE_ORDER_MARK)) {
            let (old, new) = (without_mark(old), without_mark(new));
            plan.add_alone(
                place.clone(),
                text_at(old, new, place, &mut beside, compare),
            );
            continue;
        }
        let endings = match exact {
            true => Fitted::AsGiven,
            false => fitting.fit(place, &mut beside),
        };
        plan.add(place.clone(), endings, |endings| fitting.text(endings));
    }
    plan
}

/// The new text for one place.
fn text_at(
    old: &str,
    new: &str,
    place: &Range<usize>,
    beside: &mut Neighbours<'_>,
    compare: Compare,
) -> String {
    let fitting = Fitting::new(old, new);
    let endings = match compare(old, new) != Comparison::Lenient {
        true => Fitted::AsGiven,
        false => fitting.fit(place, beside),
    };
    fitting.text(&endings)
}
