//! Literal edits: the rules by example, and the bytes outside the replaced places.

use dsh_fs_text::edit::{Content, EditRefusal, plan};
use dsh_fs_text::near::near_miss;
use proptest::prelude::*;

fn content(text: &str) -> Content<'_> {
    let stripped = text.strip_prefix('\u{FEFF}');
    Content {
        text: stripped.unwrap_or(text),
        byte_order_mark: stripped.is_some(),
    }
}

fn edit_with(text: &str, old: &str, new: &str, all: bool) -> Result<String, EditRefusal> {
    let content = content(text);
    let plan = plan(content, old, new, all)?;
    let after: String = plan.pieces(content.text).collect();
    assert_eq!(plan.new_len(content.text.len()), after.len() as u64);
    let mark = if content.byte_order_mark {
        "\u{FEFF}"
    } else {
        ""
    };
    Ok(format!("{mark}{after}"))
}

fn edit(text: &str, old: &str, new: &str) -> Result<String, EditRefusal> {
    edit_with(text, old, new, false)
}

fn edit_all(text: &str, old: &str, new: &str) -> Result<String, EditRefusal> {
    edit_with(text, old, new, true)
}

fn ambiguous(count: u64, lines: &[u64]) -> Result<String, EditRefusal> {
    Err(EditRefusal::Ambiguous {
        count,
        lines: lines.to_vec(),
    })
}

fn ok(text: &str) -> Result<String, EditRefusal> {
    Ok(text.to_owned())
}

#[test]
fn search_and_replacement_are_literal() {
    assert_eq!(edit("abc", "b", ""), ok("ac"));
    assert_eq!(edit("abc", "abc", ""), ok(""));
    assert_eq!(edit("a.c abc", "a.c", "x"), ok("x abc"));
    assert_eq!(edit("abc", "b", "$& $1 $$ $`"), ok("a$& $1 $$ $`c"));
    assert_eq!(edit("a😀b", "😀", "é"), ok("aéb"));
    assert_eq!(edit("e\u{301}\n", "é", "E"), Err(EditRefusal::NotFound));
    assert_eq!(
        edit("a\u{2028}b\r\n", "b", "c\nd"),
        ok("a\u{2028}c\r\nd\r\n")
    );
}

#[test]
fn what_cannot_be_planned() {
    assert_eq!(edit("abc", "", "x"), Err(EditRefusal::Empty));
    assert_eq!(edit_all("abc", "", "x"), Err(EditRefusal::Empty));
    assert_eq!(edit("abc", "b", "b"), Err(EditRefusal::Same));
    assert_eq!(edit("Abc", "abc", "x"), Err(EditRefusal::NotFound));
    assert_eq!(edit_all("abc", "zzz", "x"), Err(EditRefusal::NotFound));
    assert_eq!(edit("", "a", "x"), Err(EditRefusal::NotFound));
    assert_eq!(edit("x", "x\r\n", "x\n"), Err(EditRefusal::NotFound));
}

/// Fails when `Search::first_two` goes on behind the first occurrence instead of at its
/// second symbol.
#[test]
fn overlapping_occurrences_are_ambiguous() {
    assert_eq!(edit("aaa", "aa", "b"), ambiguous(2, &[1, 1]));
    assert_eq!(edit("a\r\na\na\r\n", "a\na", "b"), ambiguous(2, &[1, 2]));
    assert_eq!(edit("x\nx x\n", "x", "y"), ambiguous(3, &[1, 2, 2]));
    let many = "x\n".repeat(25);
    assert_eq!(
        edit(&many, "x", "y"),
        ambiguous(25, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    );
}

/// Takes hours when occurrences are counted one search after the other, or when a mixed
/// content is searched without the automaton.
#[test]
fn texts_that_are_made_to_be_slow_are_not() {
    let (content, old) = ("a".repeat(2_000_000), "a".repeat(500_000));
    assert_eq!(edit(&content, &old, "b"), ambiguous(1_500_001, &[1; 10]));
    let (content, old) = ("a\r\na\n".repeat(300_000), "a\n".repeat(100_000) + "b");
    assert_eq!(edit(&content, &old, "b"), Err(EditRefusal::NotFound));
    assert_eq!(near_miss(&content, &old), None);
}

#[test]
fn all_are_replaced_from_left_to_right() {
    assert_eq!(edit_all("aaaa", "aa", "b"), ok("bb"));
    assert_eq!(edit_all("aaa", "aa", "b"), ok("ba"));
    assert_eq!(edit_all("aa", "a", "aa"), ok("aaaa"));
    assert_eq!(
        edit_all("a\r\na\na\r\na\n", "a\n", "b\n"),
        ok("b\r\nb\nb\r\nb\n")
    );
}

#[test]
fn either_ending_matches_either() {
    assert_eq!(
        edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz"),
        ok("x\r\ny\r\nz\r\nc\r\n")
    );
    assert_eq!(edit("a\nb\n", "a\r\nb", "x\r\ny"), ok("x\ny\n"));
    assert_eq!(edit("a\r\nb\r\n", "a\n", "A\n"), ok("A\r\nb\r\n"));
    assert_eq!(edit("a\r\nb\nc", "a\nb\r\nc", "x"), ok("x"));
    assert_eq!(edit("a\r\nb\r\n", "\nb", ""), ok("a\r\n"));
}

#[test]
fn new_endings_follow_their_surroundings() {
    assert_eq!(
        edit("one\r\ntwo\r\n", "one", "one\nnew"),
        ok("one\r\nnew\r\ntwo\r\n")
    );
    assert_eq!(edit("a\nb\n", "a", "x\r\ny"), ok("x\ny\nb\n"));
    assert_eq!(edit("ab", "b", "b\nc"), ok("ab\nc"));
    assert_eq!(edit("ab", "b", "b\r\nc"), ok("ab\r\nc"));
    assert_eq!(edit("a\r\nb", "b", "b\nc"), ok("a\r\nb\r\nc"));
    assert_eq!(edit("a\nb\r\nc\n", "b", "b\nx"), ok("a\nb\r\nx\r\nc\n"));
    let long = format!("{}\r\ntail\r\n", "x".repeat(5000));
    assert_eq!(
        edit(&long, "tail", "t\nt"),
        ok(&long.replace("tail", "t\r\nt"))
    );
}

/// Lines that the old and the new text share keep the endings they have in the file.
#[test]
fn shared_lines_of_a_mixed_file_keep_their_endings() {
    assert_eq!(
        edit("a\r\nb\nc\r\nd", "a\nb\nc\nd", "a\nB\nc\nd"),
        ok("a\r\nB\nc\r\nd")
    );
    assert_eq!(
        edit("a\nb\r\nc", "a\nb\nc", "a\nx\ny\nb\nc"),
        ok("a\nx\r\ny\r\nb\r\nc")
    );
}

#[test]
fn endings_alone_are_changed_exactly() {
    assert_eq!(edit("a\r\nb\r\n", "a\r\nb", "a\nb"), ok("a\nb\r\n"));
    assert_eq!(edit_all("a\r\nb\n", "\r\n", "\n"), ok("a\nb\n"));
    assert_eq!(edit_all("a\r\nb\n", "\n", "\r\n"), ok("a\r\nb\r\n"));
    assert_eq!(edit("a\r\nb", "a\nb", "a\r\nb"), Err(EditRefusal::NotFound));
}

#[test]
fn other_carriage_returns_are_data() {
    assert_eq!(edit("a\rb", "\r", "-"), ok("a-b"));
    assert_eq!(edit("a\r\nb\rc\r\n", "\r", "-"), ok("a\r\nb-c\r\n"));
    assert_eq!(edit("a\r\nb\rc\r\n", "a", "A"), ok("A\r\nb\rc\r\n"));
    assert_eq!(edit("a\r\r\nb\r\n", "b", "c"), ok("a\r\r\nc\r\n"));
    assert_eq!(edit("a\r\r\nb\r\n", "a\r\r\nb", "a\r\nb"), ok("a\r\nb\r\n"));
    assert_eq!(edit("a\nb\n", "a", "x\r\r\ny"), ok("x\r\r\ny\nb\n"));
    assert_eq!(edit("a\r\nb", "a\r\r\nb", "x"), Err(EditRefusal::NotFound));
    assert_eq!(
        edit("10%\r20%\nnext\r\n", "next", "NEXT"),
        ok("10%\r20%\nNEXT\r\n")
    );
}

/// Fails when `plan` does not fall back to bytes, or fits new endings in then.
#[test]
fn a_cr_at_the_end_of_the_old_text_can_be_that_of_an_ending() {
    assert_eq!(edit("a\r\nb\n", "a\r", "a"), ok("a\nb\n"));
    assert_eq!(edit_all("a\r\nb\r\n", "\r", ""), ok("a\nb\n"));
    assert_eq!(edit("a\r\nb\r\n", "a\r", "A\r"), ok("A\r\nb\r\n"));
    assert_eq!(edit("a\r\nb\r\n", "a\r\nb\r", "x\ny"), ok("x\ny\n"));
    assert_eq!(edit("a\r\r\nb", "a\r\r", "a\r"), ok("a\r\nb"));
    assert_eq!(edit("a\r\nb\r\n", "\r", ""), ambiguous(2, &[1, 2]));
    assert_eq!(edit("\u{FEFF}a\r\n", "\u{FEFF}a\r", "b"), ok("\u{FEFF}b\n"));
    assert_eq!(edit("\u{FEFF}a\r\n", "a\r", "b\r\n"), ok("\u{FEFF}b\r\n\n"));
    // What occurs with its endings whole is meant first.
    assert_eq!(edit("a\r\na\rb", "a\r", "-"), ok("a\r\n-b"));
    assert_eq!(
        edit("a\nb\r\n", "a\r\nb\r", "-"),
        Err(EditRefusal::NotFound)
    );
}

#[test]
fn the_byte_order_mark_is_matched_and_kept() {
    assert_eq!(edit("\u{FEFF}a\n", "a", "b"), ok("\u{FEFF}b\n"));
    assert_eq!(edit("\u{FEFF}one\n", "\u{FEFF}one", "x"), ok("\u{FEFF}x\n"));
    assert_eq!(
        edit("\u{FEFF}one\n", "\u{FEFF}one", "\u{FEFF}x"),
        ok("\u{FEFF}x\n")
    );
    assert_eq!(edit("\u{FEFF}one\n", "one", "\u{FEFF}x"), ok("\u{FEFF}x\n"));
    assert_eq!(edit("\u{FEFF}a a\n", "\u{FEFF}a", "b"), ok("\u{FEFF}b a\n"));
    assert_eq!(
        edit("\u{FEFF}one\n", "\u{FEFF}one", "one"),
        Err(EditRefusal::Same)
    );
    assert_eq!(
        edit("one\n", "\u{FEFF}one", "x"),
        Err(EditRefusal::NotFound)
    );
    assert_eq!(
        edit("\u{FEFF}a\r\nb", "\u{FEFF}a\nb", "\u{FEFF}x\ny"),
        ok("\u{FEFF}x\r\ny")
    );
    let twice = "\u{FEFF}a\n\u{FEFF}a\n";
    assert_eq!(edit(twice, "\u{FEFF}a", "b"), ambiguous(2, &[1, 2]));
    assert_eq!(edit_all(twice, "\u{FEFF}a", "b"), ok("\u{FEFF}b\nb\n"));
}

#[test]
fn texts_are_shared() {
    let text = "a\n".repeat(1000);
    let plan = plan(content(&text), "a", "b\nc", true).expect("it occurs");
    let mut texts = plan.splices().map(|(_, text)| text.as_ptr());
    let first = texts.next();
    assert_eq!(plan.replacements(), 1000);
    assert!(texts.all(|text| Some(text) == first));
}

/// Every place where `old` occurs, found by trying each, a CR LF pair being one symbol.
fn naive_places(text: &str, old: &str) -> Vec<(usize, usize)> {
    let symbols = |text: &str| {
        let mut symbols = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let pair = rest.starts_with("\r\n");
            let len = if pair { 2 } else { first.len_utf8() };
            symbols.push((
                if pair { '\n' } else { first },
                text.len() - rest.len(),
                len,
            ));
            rest = &rest[len..];
        }
        symbols
    };
    let (text, old) = (symbols(text), symbols(old));
    let same =
        |window: &&[(char, usize, usize)]| window.iter().map(|s| s.0).eq(old.iter().map(|s| s.0));
    let place = |window: &[(char, usize, usize)]| {
        let last = window[window.len() - 1];
        (window[0].1, last.1 + last.2)
    };
    text.windows(old.len()).filter(same).map(place).collect()
}

/// The places of the bytes of an old text, where it ends in the CR of an ending.
fn naive_byte_places(text: &str, old: &str) -> Vec<(usize, usize)> {
    let starts = (0..text.len()).filter(|&at| text.as_bytes()[at..].starts_with(old.as_bytes()));
    let places = starts.map(|start| (start, start + old.len()));
    places.filter(|_| old.ends_with('\r')).collect()
}

fn normalised(text: &str) -> String {
    text.replace("\r\n", "\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn edits_equal_the_model(
        text in "([ab\rñ]|\n|\r\n){0,14}",
        old in "([ab\r]|\n|\r\n){1,4}",
        new in "([xñ\r]|\n|\r\n){0,4}",
        all in any::<bool>(),
    ) {
        prop_assume!(normalised(&old) != normalised(&new));
        let mut places = naive_places(&text, &old);
        let by_bytes = places.is_empty();
        if by_bytes {
            places = naive_byte_places(&text, &old);
        }
        match plan(content(&text), &old, &new, all) {
            Err(EditRefusal::NotFound) => prop_assert!(places.is_empty()),
            Err(EditRefusal::Ambiguous { count, lines }) => {
                prop_assert!(!all && places.len() > 1);
                prop_assert_eq!(count as usize, places.len());
                let model = places.iter().map(|place| 1 + text[..place.0].matches('\n').count() as u64);
                prop_assert_eq!(lines, model.take(10).collect::<Vec<_>>());
            }
            Err(other) => prop_assert!(false, "{:?}", other),
            Ok(plan) => {
                let mut end = 0;
                places.retain(|place| place.0 >= end && { end = place.1; true });
                let planned: Vec<_> = plan.splices().map(|(place, _)| (place.start, place.end)).collect();
                prop_assert_eq!(planned, places);
                for (_, fitted) in plan.splices() {
                    prop_assert_eq!(normalised(fitted), normalised(&new));
                    prop_assert!(!by_bytes || fitted == new);
                }
            }
        }
    }

    #[test]
    fn bytes_outside_the_places_stay(
        text in "([ab\r]|\n|\r\n){0,14}",
        old in "([ab\r]|\n|\r\n){1,3}",
        new in "([ab\r]|\n|\r\n){0,3}",
    ) {
        let Ok(plan) = plan(content(&text), &old, &new, true) else { return Ok(()) };
        let after: String = plan.pieces(&text).collect();
        let (mut before_at, mut after_at) = (0, 0);
        for (place, fitted) in plan.splices() {
            let kept = place.start - before_at;
            prop_assert_eq!(&text[before_at..place.start], &after[after_at..after_at + kept]);
            after_at += kept + fitted.len();
            before_at = place.end;
        }
        prop_assert_eq!(&text[before_at..], &after[after_at..]);
    }
}
