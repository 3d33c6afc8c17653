//! Whether bytes are text, in one piece and in any pieces.

use dsh_fs_text::utf8::{Checker, NotText, check};
use proptest::prelude::*;

fn in_pieces(content: &[u8], size: usize) -> Result<(bool, String), NotText> {
    let mut checker = Checker::new();
    let mut text = String::new();
    for piece in content.chunks(size) {
        let checked = checker.feed(piece)?;
        text.extend(checked.joined);
        text.push_str(checked.text);
    }
    checker.finish()?;
    Ok((checker.byte_order_mark(), text))
}

#[test]
fn malformed_text_is_refused_wherever_it_is_cut() {
    let malformed: [&[u8]; 9] = [
        b"a\xffb",
        b"\xc3",
        b"\xc0\x80",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"xxxx\xe9",
        b"x\xe2\x82",
        b"\xff",
        b"\xfe",
    ];
    for content in malformed {
        for size in 1..=4 {
            assert_eq!(
                in_pieces(content, size),
                Err(NotText::InvalidUtf8),
                "{content:?}"
            );
        }
    }
}

#[test]
fn nul_wins_within_a_piece() {
    assert_eq!(check(b"\xff\x00"), Err(NotText::Nul));
    assert_eq!(
        check(&[&[b'a'; 9000][..], b"\0"].concat()),
        Err(NotText::Nul)
    );
}

#[test]
fn utf16_is_named_wherever_it_is_cut() {
    for size in 1..=4 {
        assert_eq!(in_pieces(b"\xff\xfea\0", size), Err(NotText::Utf16Le));
        assert_eq!(in_pieces(b"\xfe\xff\0a", size), Err(NotText::Utf16Be));
    }
}

#[test]
fn only_the_first_byte_order_mark_is_taken_off() {
    for size in 1..=7 {
        let twice = "\u{FEFF}\u{FEFF}a".as_bytes();
        assert_eq!(in_pieces(twice, size), Ok((true, "\u{FEFF}a".into())));
        assert_eq!(
            in_pieces("a\u{FEFF}".as_bytes(), size),
            Ok((false, "a\u{FEFF}".into()))
        );
    }
}

proptest! {
    #[test]
    fn pieces_answer_as_the_whole(
        content in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a'), Just(0xC3), Just(0xA9)], 0..40),
        size in 1_usize..6,
    ) {
        let whole = std::str::from_utf8(&content).ok().filter(|text| !text.contains('\0'));
        let expected = whole.map(|text| text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned());
        prop_assert_eq!(in_pieces(&content, size).ok().map(|(_, text)| text), expected);
    }

    #[test]
    fn text_comes_back_unchanged(content in "\\PC{0,20}", size in 1_usize..6) {
        let (mark, text) = in_pieces(content.as_bytes(), size).expect("valid text");
        let expected = if mark { &content['\u{FEFF}'.len_utf8()..] } else { &content[..] };
        prop_assert_eq!(text, expected);
    }
}
