//! Windows of lines against a plain model, in any pieces.

use dsh_fs_text::endings::LineEndings;
use dsh_fs_text::window::{CutLine, Wanted, Window, WindowReader};
use proptest::prelude::*;

const WIDE: Wanted = Wanted {
    first_line: 1,
    first_column: 1,
    max_lines: 2000,
    max_bytes: 51_200,
    max_line_chars: 2000,
};

fn read(text: &str, wanted: Wanted) -> Window {
    let mut reader = WindowReader::new(wanted);
    reader.feed(text);
    reader.finish()
}

fn read_in_characters(text: &str, wanted: Wanted) -> Window {
    let mut reader = WindowReader::new(wanted);
    for character in text.chars() {
        reader.feed(character.encode_utf8(&mut [0; 4]));
    }
    reader.finish()
}

fn cut(line: u32, next_column: u32) -> CutLine {
    CutLine { line, next_column }
}

#[test]
fn one_carriage_return_belongs_to_an_ending() {
    let window = read("a\r\nb\r\r\nc\rd\r", WIDE);
    assert_eq!(window.text, "a\nb\r\nc\rd\n");
    assert_eq!(window.total_lines, 3);
    assert_eq!(window.line_endings, LineEndings::Crlf);
    assert!(!window.final_newline);
}

#[test]
fn an_empty_text_has_no_lines() {
    let window = read("", WIDE);
    assert_eq!(
        (window.text.as_str(), window.line_count, window.total_lines),
        ("", 0, 0)
    );
}

#[test]
fn a_window_past_the_end_still_counts() {
    let window = read(
        "1\n2\n",
        Wanted {
            first_line: 3,
            ..WIDE
        },
    );
    assert_eq!((window.line_count, window.total_lines), (0, 2));
}

#[test]
fn the_carriage_return_at_the_character_limit_does_not_count() {
    let window = read(
        "abcde\r\nabcdef\r\nabcd\n",
        Wanted {
            max_line_chars: 5,
            ..WIDE
        },
    );
    assert_eq!(window.text, "abcde\nabcde\nabcd\n");
    assert_eq!(window.cut_lines, [cut(2, 6)]);
    assert_eq!(window.line_endings, LineEndings::Mixed);
}

#[test]
fn characters_are_counted_and_never_split() {
    let window = read(
        "😀😀\n😀😀x\n",
        Wanted {
            max_line_chars: 2,
            ..WIDE
        },
    );
    assert_eq!(window.text, "😀😀\n😀😀\n");
    assert_eq!(window.cut_lines, [cut(2, 3)]);
}

#[test]
fn no_later_shorter_line_is_taken_after_the_cap() {
    let window = read(
        "aaaa\nbbbbbbbb\nc\n",
        Wanted {
            max_bytes: 6,
            ..WIDE
        },
    );
    assert_eq!(
        (window.text.as_str(), window.capped, window.total_lines),
        ("aaaa\n", true, 3)
    );
}

#[test]
fn the_line_limit_is_no_cap() {
    let wanted = Wanted {
        max_bytes: 4,
        max_lines: 2,
        ..WIDE
    };
    let window = read("a\nb\nccccccccc\n", wanted);
    assert_eq!((window.text.as_str(), window.capped), ("a\nb\n", false));
    let window = read(
        "a\nb\nccccccccc\n",
        Wanted {
            max_lines: 3,
            ..wanted
        },
    );
    assert_eq!((window.text.as_str(), window.capped), ("a\nb\n", true));
}

#[test]
fn line_feeds_between_lines_count_and_the_last_does_not() {
    let text = format!("{}\n", "x".repeat(1023)).repeat(60);
    assert_eq!(read(&text, WIDE).line_count, 50);
}

/// Fails when `Line::fitting_bytes` no longer lets one character pass, or when
/// `end_line` leaves the first line out as it does later ones.
#[test]
fn every_window_makes_progress() {
    let text = "añ😀b\nc\n";
    let (mut line, mut column, mut seen) = (1, 1, String::new());
    while line < 2 {
        let wanted = Wanted {
            first_line: line,
            first_column: column,
            max_bytes: 2,
            ..WIDE
        };
        let window = read(text, wanted);
        seen.push_str(window.text.trim_end_matches('\n'));
        match window.cut_lines.first() {
            Some(cut) => {
                assert!(cut.next_column > column);
                column = cut.next_column;
            }
            None => (line, column) = (line + window.line_count, 1),
        }
    }
    assert_eq!(seen, "añ😀b");
}

#[test]
fn a_column_applies_to_the_first_line_only() {
    let wanted = Wanted {
        first_line: 2,
        first_column: 3,
        max_line_chars: 2,
        ..WIDE
    };
    let window = read("one\nabcdef\nabcdef", wanted);
    assert_eq!(window.text, "cd\nab\n");
    assert_eq!(window.cut_lines, [cut(2, 5), cut(3, 3)]);
}

/// The same rules, written for a text that is split into lines first.
fn model(text: &str, wanted: Wanted) -> (String, Vec<CutLine>, bool) {
    let (mut out, mut cuts, mut number) = (String::new(), Vec::new(), wanted.first_line);
    let body = text.strip_suffix('\n').unwrap_or(text);
    let lines = if text.is_empty() {
        Vec::new()
    } else {
        body.split('\n').collect::<Vec<_>>()
    };
    let skip = wanted.first_line as usize - 1;
    for (index, line) in lines
        .iter()
        .skip(skip)
        .take(wanted.max_lines as usize)
        .enumerate()
    {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let column = if index == 0 {
            wanted.first_column as usize - 1
        } else {
            0
        };
        let rest: Vec<char> = line.chars().skip(column).collect();
        let mut kept: String = rest.iter().take(wanted.max_line_chars as usize).collect();
        let room = (wanted.max_bytes as usize).saturating_sub(out.len());
        let over = kept.len() > room || out.len() > wanted.max_bytes as usize;
        if over && index > 0 {
            return (out, cuts, true);
        }
        while kept.len() > room && kept.chars().count() > 1 {
            kept.pop();
        }
        let taken = kept.chars().count();
        let capped = over && taken < rest.len().min(wanted.max_line_chars as usize);
        if taken < rest.len() {
            cuts.push(cut(
                number,
                u32::try_from(column.min(line.chars().count()) + taken + 1).unwrap(),
            ));
        }
        out.push_str(&kept);
        out.push('\n');
        number += 1;
        if capped {
            return (out, cuts, true);
        }
    }
    (out, cuts, false)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn windows_equal_the_model(
        text in "[ab\r\né😀]{0,30}",
        first_line in 1_u32..5,
        first_column in 1_u32..5,
        max_lines in 1_u32..5,
        max_bytes in 1_u32..12,
        max_line_chars in 1_u32..6,
    ) {
        let wanted = Wanted { first_line, first_column, max_lines, max_bytes, max_line_chars };
        let window = read(&text, wanted);
        prop_assert_eq!(&window, &read_in_characters(&text, wanted));
        prop_assert_eq!(window.total_lines as usize, text.lines().count());
        prop_assert_eq!(window.final_newline, text.ends_with('\n'));
        prop_assert_eq!(window.line_endings, LineEndings::of(&text));
        prop_assert_eq!(window.line_count as usize, window.text.matches('\n').count());
        prop_assert_eq!((window.text, window.cut_lines, window.capped), model(&text, wanted));
    }
}
