//! The profile of macOS, as text.

use dsh_fs::roots::RootRules;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_confine::seatbelt::profile;

use crate::place::Place;

#[test]
fn roots_are_allowed_and_protected_paths_denied_after_them() {
    let place = Place::new();
    let rules = RootRules::workspace_only().with_protected(".git/hooks");
    let mode = Mode::WorkspaceWrite;
    let text = profile(&place.policy(mode), &place.roots_by(mode, &rules)).expect("UTF-8");
    let ws = place.ws().display().to_string();
    let allowed = text
        .find(&format!("(allow file-write* (subpath \"{ws}\"))"))
        .expect("the root");
    let denied = format!("(deny file-write* (subpath \"{ws}/.git/hooks\"))");
    assert!(
        text.find(&denied).expect("the hooks") > allowed,
        "the last rule wins: {text}"
    );
    let mode = Mode::ReadOnly;
    let text = profile(&place.policy(mode), &place.roots(mode)).expect("UTF-8");
    assert!(!text.contains("subpath"), "{text}");
}

/// Without `quoted` the name ends the text and adds a rule.
#[test]
fn no_name_adds_a_rule() {
    let place = Place::new();
    let names = [
        "a\") (allow file-write* (subpath \"/",
        "back\\",
        "line\nbreak",
        "\u{1b}[1m",
    ];
    for name in names {
        let root = place.base().join(format!("ws{name}").replace('/', "_"));
        std::fs::create_dir(&root).expect("a folder");
        let policy = ExecutionPolicy {
            mode: Mode::WorkspaceWrite,
            workspace_root: root.to_str().expect("UTF-8").to_owned(),
            session_id: None,
        };
        let roots = RootRules::workspace_only().derive(&policy).expect("roots");
        let text = profile(&policy, &roots).expect("UTF-8");
        assert_eq!(
            rules_of(&text),
            ["version", "allow", "deny", "allow", "allow"],
            "{text:?}"
        );
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

/// The first words of the rules, as a reader of the language finds them.
fn rules_of(text: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    let mut rules: Vec<String> = Vec::new();
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => {
                depth += 1;
                if depth == 1 {
                    rules.push(String::new());
                }
            }
            ')' => depth -= 1,
            c if depth == 1 => rules.last_mut().expect("it is open").push(c),
            _ => {}
        }
    }
    assert!(depth == 0 && !quoted, "{text:?}");
    let first = |rule: &String| rule.split(' ').next().unwrap_or_default().to_owned();
    rules.iter().map(first).collect()
}

#[test]
fn a_path_that_cannot_be_said_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let root = place.base().join(std::ffi::OsStr::from_bytes(b"ws\xff"));
    std::fs::create_dir(&root).expect("a folder");
    let rules = RootRules::workspace_only().with_root(&root);
    let mode = Mode::WorkspaceWrite;
    assert!(profile(&place.policy(mode), &place.roots_by(mode, &rules)).is_err());
}
