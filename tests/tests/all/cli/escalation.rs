//! `dsh-fs run --approve`: nobody to ask, and everything allowed.

use serde_json::{Value, json};

use super::place::{Place, call};

fn write_outside(place: &Place, name: &str, extra: &[(&str, &str)]) -> Value {
    let mut args = json!({"file_path": place.beside(name), "content": "x"});
    for (field, value) in extra {
        args[*field] = (*value).into();
    }
    call("write", args)
}

const ASK: [(&str, &str); 2] = [
    ("sandbox_permissions", "danger-full-access"),
    ("justification", "it belongs there"),
];

/// Without the fence the first call is carried out; without the check of the approval the
/// second one is.
#[test]
fn with_nobody_to_ask_every_escalation_is_refused() {
    let place = Place::new();
    let calls = [
        write_outside(&place, "out", &[]),
        write_outside(&place, "out", &ASK),
    ];
    for args in [&[][..], &["--approve", "never"]] {
        assert_eq!(
            place.codes(args, &calls),
            ["FS_SANDBOX_DENIED", "ESCALATION_REFUSED"]
        );
    }
    assert!(!place.beside("out").exists());
}

/// A grant that were good for more than one mutation would let the last call through.
#[test]
fn what_is_approved_is_good_for_one_mutation() {
    let place = Place::new();
    let calls = [
        write_outside(&place, "out", &ASK),
        write_outside(&place, "more", &[]),
    ];
    let codes = place.codes(&["--approve", "always"], &calls);
    assert_eq!(codes, ["ok", "FS_SANDBOX_DENIED"]);
    assert!(place.beside("out").exists() && !place.beside("more").exists());
}

#[test]
fn a_mode_and_a_justification_come_together_and_ask_for_more() {
    let place = Place::new();
    let narrower = [
        ("sandbox_permissions", "read-only"),
        ("justification", "why"),
    ];
    let blank = [
        ("sandbox_permissions", "danger-full-access"),
        ("justification", "  "),
    ];
    let unknown = [
        ("sandbox_permissions", "everything"),
        ("justification", "why"),
    ];
    for extra in [&ASK[..1], &ASK[1..], &narrower, &blank, &unknown] {
        let calls = [write_outside(&place, "out", extra)];
        let codes = place.codes(&["--approve", "always"], &calls);
        assert!(
            ["INVALID_ARGUMENTS", "ESCALATION_REFUSED"].contains(&&*codes[0]),
            "{calls:?}"
        );
    }
    assert!(!place.beside("out").exists());
}
