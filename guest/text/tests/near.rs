//! Hints about texts that were not found.

use dsh_fs_text::near::{NearMiss, near_miss};

#[test]
fn white_space_alone_is_told() {
    let white_space = |line| Some(NearMiss::WhiteSpace { line });
    assert_eq!(near_miss("\tx := 1\n", "    x := 1"), white_space(1));
    assert_eq!(near_miss("0\na  \nbcd\n", "a\nbcd"), white_space(2));
    assert_eq!(near_miss("f(a, b)\n", "f(a,b)"), white_space(1));
    assert_eq!(near_miss("\n\n  { \n} end\n", "{} end"), white_space(3));
}

#[test]
fn line_numbers_are_told() {
    let numbers = |line| Some(NearMiss::LineNumbers { line });
    assert_eq!(near_miss("x = 1\ny = 2\n", "2: y = 2"), numbers(2));
    assert_eq!(
        near_miss("one\r\n\r\ntwo\r\n", "1: one\n2: \n3: two\n"),
        numbers(1)
    );
    assert_eq!(near_miss("one\n", "     1\tone"), numbers(1));
}

#[test]
fn nothing_is_made_up() {
    assert_eq!(near_miss("f{\nx=1\ny=2\n}\n", "f{\nx=1\ny=99\n}"), None);
    assert_eq!(near_miss("abc", "ABC"), None);
    assert_eq!(near_miss("a b", "ab"), None);
    assert_eq!(near_miss("", " \n"), None);
    assert_eq!(near_miss("12", "12: "), None);
}

#[test]
fn hints_are_sentences() {
    let hint = NearMiss::WhiteSpace { line: 7 };
    assert_eq!(
        hint.sentence(),
        "The text at line 7 differs from it only in white space."
    );
    assert!(
        NearMiss::LineNumbers { line: 7 }
            .sentence()
            .contains("line 7")
    );
}
