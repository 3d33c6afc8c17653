//! Edits beside a naive model: what is replaced, what is refused, what stays.

use dsh_fs_text::edit::{Content, EditRefusal, plan};
use dsh_fs_text::plan::Plan;

/// What a byte stands for in a text; the last one ends the text.
const TOKENS: [&str; 9] = ["a", "b", "\n", "\r", "\r\n", "é", "ab", "a\r\n", "|"];

/// How symbols of two texts are compared.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Lenient,
    Exact,
    Bytes,
}

type Place = (usize, usize);

/// The first byte says whether all are replaced and whether a mark stands before the
/// content; then come the old text, the new text and the content.
pub(crate) fn check(data: &[u8]) {
    let Some((&flags, rest)) = data.split_first() else {
        return;
    };
    let tokens = rest
        .iter()
        .map(|byte| TOKENS[usize::from(*byte) % TOKENS.len()]);
    let texts: String = tokens.collect();
    let mut texts = texts.splitn(3, '|').map(|text| text.replace('|', ""));
    let mut next = || texts.next().unwrap_or_default();
    let (old, new, text) = (next(), next(), next());
    let (all, byte_order_mark) = (flags & 1 != 0, flags & 2 != 0);
    let content = Content {
        text: &text,
        byte_order_mark,
    };
    let planned = plan(content, &old, &new, all);
    let about = format!("{text:?}: {old:?} to {new:?}, all: {all}: {planned:?}");
    compare(&text, (&old, &new, all), planned, &about);
}

fn compare(
    text: &str,
    (old, new, all): (&str, &str, bool),
    planned: Result<Plan, EditRefusal>,
    about: &str,
) {
    if old.is_empty() || old == new {
        assert!(planned.is_err(), "{about}");
        return;
    }
    let (way, mut places) = model(text, old, new);
    match planned {
        Err(EditRefusal::NotFound) => assert!(places.is_empty(), "{about}"),
        Err(EditRefusal::Ambiguous { count, .. }) => {
            assert!(!all && count > 1, "{about}");
            assert_eq!(count, places.len() as u64, "{about}");
        }
        Err(EditRefusal::Same) => assert!(!places.is_empty(), "{about}"),
        Err(EditRefusal::Empty) => panic!("{about}"),
        Ok(plan) => {
            assert!(all || places.len() == 1, "{about}");
            let mut end = 0;
            places.retain(|place| {
                place.0 >= end && {
                    end = place.1;
                    true
                }
            });
            check_plan(text, &plan, &places, about);
            for (_, fitted) in plan.splices() {
                let as_given = way != Way::Lenient;
                assert!(!as_given || fitted == new, "{about}");
                assert_eq!(normalised(fitted), normalised(new), "{about}");
            }
        }
    }
}

/// Bytes outside the places stay, and the places are those of the model.
fn check_plan(text: &str, plan: &Plan, places: &[Place], about: &str) {
    let planned: Vec<Place> = plan.splices().map(|(at, _)| (at.start, at.end)).collect();
    assert_eq!(planned, places, "{about}");
    let (mut expected, mut kept) = (String::new(), 0);
    for (place, fitted) in plan.splices() {
        expected += &text[kept..place.start];
        expected += fitted;
        kept = place.end;
    }
    expected += &text[kept..];
    let after: String = plan.pieces(text).collect();
    assert_eq!(after, expected, "{about}");
    assert_eq!(plan.new_len(text.len()), after.len() as u64, "{about}");
}

/// All places, overlapping ones included, and how they were compared.
fn model(text: &str, old: &str, new: &str) -> (Way, Vec<Place>) {
    let way = match normalised(old) == normalised(new) {
        true => Way::Exact,
        false => Way::Lenient,
    };
    let places = places(text, old, way);
    match places.is_empty() && old.ends_with('\r') {
        true => (Way::Bytes, self::places(text, old, Way::Bytes)),
        false => (way, places),
    }
}

fn places(text: &str, old: &str, way: Way) -> Vec<Place> {
    let (text, old) = (symbols(text, way), symbols(old, way));
    let same = |window: &&[(&str, Place)]| window.iter().map(|s| s.0).eq(old.iter().map(|s| s.0));
    let place = |window: &[(&str, Place)]| (window[0].1.0, window[window.len() - 1].1.1);
    text.windows(old.len()).filter(same).map(place).collect()
}

/// Characters with their places; but for bytes, CR LF is one of them.
fn symbols(text: &str, way: Way) -> Vec<(&str, Place)> {
    let mut symbols = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let pair = way != Way::Bytes && text[at..].starts_with("\r\n");
        let end = at + if pair { 2 } else { first.len_utf8() };
        let symbol = if pair && way == Way::Lenient {
            "\n"
        } else {
            &text[at..end]
        };
        symbols.push((symbol, (at, end)));
        at = end;
    }
    symbols
}

fn normalised(text: &str) -> String {
    text.replace("\r\n", "\n")
}
