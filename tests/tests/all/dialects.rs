//! Lines of other schemas: what is not understood is never passed.

use dsh_fs_tests::dialect;
use serde_json::json;

fn needs(line: &serde_json::Value) -> Option<String> {
    dialect::read(&line.to_string())
        .expect("a line that is understood")
        .needs
}

#[test]
fn a_line_of_no_schema_is_an_error() {
    for line in ["{}", "[]", "not json", r#"{"id":"x","do":[]}"#] {
        assert!(dialect::read(line).is_err(), "{line}");
    }
}

#[test]
fn a_field_that_is_not_known_is_an_error() {
    let odd = json!({"id": "x", "given": {"weather": 1}, "do": [], "expect": {"results": []}});
    assert!(dialect::read(&odd.to_string()).is_err());
    let odd = json!({"id": "x", "given": {}, "do": [], "expect": {"results": []}, "mood": 1});
    assert!(dialect::read(&odd.to_string()).is_err());
    let uneven = json!({"id": "x", "given": {}, "do": [{"op": "stat"}], "expect": {"results": []}});
    assert!(dialect::read(&uneven.to_string()).is_err());
}

#[test]
fn an_edit_case_with_an_unknown_kind_is_an_error() {
    let case = |result: &str| {
        json!({
            "id": "x", "files": [], "op": "edit", "observed": false,
            "args": {"path": "f", "old": "a", "new": "b"},
            "expect": {"result": result, "files": {}},
        })
    };
    assert!(dialect::read(&case("error:not-observed").to_string()).is_ok());
    assert!(dialect::read(&case("error:tuesday").to_string()).is_err());
}

#[test]
fn words_that_are_not_known_are_skipped_with_the_words() {
    let report = json!({
        "id": "x", "ref": "r", "kind": "k", "symptom": "s", "seen": "",
        "repro": {
            "files": [{"path": "a", "content": "1"}],
            "ops": [{"op": "read", "path": "a"}],
            "expect": {"result": "feels right"},
        },
    });
    assert_eq!(
        needs(&report),
        Some("an expectation in words: feels right".to_owned())
    );
    let weakness = json!({
        "id": "x", "title": "t", "given": {"files": {"f": "one"}}, "do": [{"read": "f"}],
        "reference_result": "r", "better_result": "nicer",
    });
    assert_eq!(
        needs(&weakness),
        Some("an expectation in words: nicer".to_owned())
    );
}

#[test]
fn an_escape_case_of_another_system_is_skipped() {
    let case = |os: &str| {
        json!({
            "id": "x", "tree": [], "root": "ws", "op": "create", "path": "a", "os": os,
            "expect": "allow", "expect_beneath": "allow",
        })
    };
    assert_eq!(
        needs(&case("windows")),
        Some("the operating system windows".to_owned())
    );
    assert_eq!(needs(&case("linux,macos")), None);
}
