//! Every problem has its place, its key, its code, and what was expected.

use std::path::Path;

use dsh_fs::types::Mode;
use dsh_fs_harness::deployment::{ConfigCode, KeepHistory, OnPartial, ShellBackend};

use super::{parse, wrong};

#[test]
fn every_key_arrives() {
    let deployment = parse(
        r#"
mode = "workspace-write"
workspace = "/srv/project"
roots = ["/srv/cache", "/srv/name"]
temp-roots = false
protected = [".git/hooks", "/srv/project/Makefile"]
deny-read = ["**/.env"]
history = "memory"
in-place = true
[shell]
backend = "custom"
on-partial = "refuse"
runner = { argv = ["/usr/bin/jail", "--"], denial = ["denied"], failure = ["jail: "] }
"#,
    );
    assert_eq!(deployment.mode, Mode::WorkspaceWrite);
    assert_eq!(
        deployment.workspace.as_deref(),
        Some(Path::new("/srv/project"))
    );
    assert_eq!(deployment.roots.len(), 2);
    assert!(!deployment.temp_roots && !deployment.environment_temp && deployment.in_place);
    assert_eq!(deployment.protected[1], Path::new("/srv/project/Makefile"));
    assert_eq!(deployment.deny_read, ["**/.env"]);
    assert_eq!(deployment.history, KeepHistory::Memory);
    assert_eq!(deployment.shell.backend, ShellBackend::Custom);
    assert_eq!(deployment.shell.on_partial, OnPartial::Refuse);
    let runner = deployment.shell.runner.expect("there is one");
    assert_eq!(runner.argv, ["/usr/bin/jail", "--"]);
    assert_eq!(runner.failure, ["jail: "]);
}

/// Line, column, code, key, and words of the sentence.
type Told = (usize, usize, ConfigCode, &'static str, &'static str);

/// Text, then what is told about it in order: place, code, key, and words of the sentence.
const WRONG: &[(&str, &[Told])] = &[
    (
        "mode = \"workspace-write\"\nrots = []\n",
        &[(
            2,
            1,
            ConfigCode::UnknownKey,
            "rots",
            "did you mean \"roots\"?",
        )],
    ),
    (
        "mode = \"workspace\"\n",
        &[(1, 8, ConfigCode::BadValue, "mode", "`workspace-write`")],
    ),
    (
        "temp-roots = 1\n",
        &[(
            1,
            14,
            ConfigCode::BadValue,
            "temp-roots",
            "expected a boolean",
        )],
    ),
    (
        "roots = [\n  \"/a\",\n  \"b\",\n  7,\n]\nworkspace = \"~/p\"\n",
        &[
            (3, 3, ConfigCode::BadValue, "roots[1]", "absolute path"),
            (4, 3, ConfigCode::BadValue, "roots[2]", "expected a string"),
            (
                6,
                13,
                ConfigCode::BadValue,
                "workspace",
                "neither ~ nor variables",
            ),
        ],
    ),
    (
        "workspace = \"$HOME/p\"\nroots = [\"/a/../b\"]\nprotected = [\"../x\"]\n",
        &[
            (1, 13, ConfigCode::BadValue, "workspace", "absolute path"),
            (
                2,
                10,
                ConfigCode::BadValue,
                "roots[0]",
                "without \".\" and \"..\"",
            ),
            (
                3,
                14,
                ConfigCode::BadValue,
                "protected[0]",
                "without \".\" and \"..\"",
            ),
        ],
    ),
    (
        "deny-read = [\"a[\", \"~/.ssh\", \"./x\"]\n",
        &[
            (1, 14, ConfigCode::BadValue, "deny-read[0]", "no glob"),
            (1, 20, ConfigCode::BadValue, "deny-read[1]", "neither ~"),
            (1, 30, ConfigCode::BadValue, "deny-read[2]", "match nothing"),
        ],
    ),
    (
        "[[escalate]]\nsession = \"a\"\n\n[[escalate]]\nanwser = \"ask\"\nanswer = \"yes\"\n",
        &[
            (1, 1, ConfigCode::BadValue, "escalate[0]", "expected answer"),
            (4, 1, ConfigCode::BadValue, "escalate[1]", "expected answer"),
            (
                5,
                1,
                ConfigCode::UnknownKey,
                "escalate[1].anwser",
                "did you mean \"answer\"?",
            ),
            (6, 10, ConfigCode::BadValue, "escalate[1].answer", "`never`"),
        ],
    ),
    (
        "[[escalate]]\nsession = \"[\"\nanswer = \"ask\"\n",
        &[(2, 11, ConfigCode::BadValue, "escalate[0].session", "glob")],
    ),
    (
        "[shell]\nbackend = \"custom\"\n",
        &[(
            1,
            1,
            ConfigCode::BadValue,
            "shell.runner",
            "table with argv",
        )],
    ),
    (
        "[shell]\nrunner = { argv = [\"/x\"] }\n",
        &[(2, 10, ConfigCode::BadValue, "shell.runner", "only where")],
    ),
    (
        "[shell]\nbackend = \"custom\"\nrunner = { argv = [\"x\"], failure = [\"f\"] }\n",
        &[(3, 10, ConfigCode::BadValue, "shell.runner.argv", "absolute")],
    ),
    // Without `signatures` in `parse.rs` these are found when a session starts.
    (
        "[shell]\nbackend = \"custom\"\nrunner = { argv = [\"/x\"] }\n",
        &[(
            3,
            10,
            ConfigCode::BadValue,
            "shell.runner.failure",
            "at least one failure signature",
        )],
    ),
    (
        "[shell]\nbackend = \"custom\"\n\
         runner = { argv = [\"/x\"], failure = [\"a\\nb\"], denial = [\" \"] }\n",
        &[
            (
                3,
                10,
                ConfigCode::BadValue,
                "shell.runner.failure",
                "single-line",
            ),
            (
                3,
                10,
                ConfigCode::BadValue,
                "shell.runner.denial",
                "single-line",
            ),
        ],
    ),
    (
        "[shell.runner]\nargs = 1\n",
        &[
            (1, 1, ConfigCode::BadValue, "shell.runner", "only where"),
            (1, 1, ConfigCode::BadValue, "shell.runner.argv", "absolute"),
            (
                2,
                1,
                ConfigCode::UnknownKey,
                "shell.runner.args",
                "\"argv\"",
            ),
        ],
    ),
];

#[test]
fn a_problem_says_where_it_is_and_what_was_expected() {
    for (text, expected) in WRONG {
        let error = wrong(text);
        let found: Vec<_> = error
            .problems()
            .iter()
            .map(|problem| {
                let (line, column) = problem.place.expect("it has a place");
                let key = problem.key.as_deref().expect("it has a key");
                (line, column, problem.code, key)
            })
            .collect();
        let places: Vec<_> = expected
            .iter()
            .map(|(line, column, code, key, _)| (*line, *column, *code, *key))
            .collect();
        assert_eq!(found, places, "{text}\n{error}");
        for (problem, (.., words)) in error.problems().iter().zip(*expected) {
            assert!(problem.message.contains(words), "{problem}");
        }
    }
}

#[test]
fn syntax_is_told_with_its_place_and_several_at_once() {
    let error = wrong("mode = \nroots = [\"/a\"\ntemp-roots = tru\n");
    assert!(error.problems().len() > 1, "{error}");
    let codes = error.problems().iter().map(|problem| problem.code);
    assert!(codes.into_iter().all(|code| code == ConfigCode::Syntax));
    assert!(
        error.to_string().starts_with("p.toml:1:"),
        "the shape that editors follow: {error}"
    );
    assert_eq!(
        wrong("mode = \"read-only\"\nmode = \"read-only\"\n").code(),
        ConfigCode::Syntax,
        "a key that is given twice"
    );
}

#[test]
fn columns_count_characters() {
    let error = wrong("roots = [\"/ä\", \"ö\"]\n");
    assert_eq!(error.problems()[0].place, Some((1, 16)), "{error}");
}

#[test]
fn a_hostile_text_is_an_error_and_no_panic() {
    let deep = format!("roots = {}", "[".repeat(10_000));
    for text in ["\0", "=", "[", "[[escalate]", "mode", &deep] {
        assert_eq!(wrong(text).code(), ConfigCode::Syntax);
    }
    let many: String = (0..1000).map(|n| format!("k{n} = 1\n")).collect();
    let told = wrong(&many).problems().len();
    assert_eq!(told, 50, "nobody reads a thousand lines");
}
