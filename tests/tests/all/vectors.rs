//! The vectors, through every tier; and that the runner can fail.

use dsh_fs_tests::run::{Options, Outcome, Verdict};
use dsh_fs_tests::tier::Tier;
use dsh_fs_tests::{conformance, dialect, files, report, run, unprivileged};
use serde_json::json;

use super::{every_line, vectors_folder, workspace};

/// Sessions need more stack than a thread of the test program has.
const STACK: usize = 64 << 20;

fn on_deep_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.expect("a thread").join().expect("no panic")
}

fn options() -> Options {
    unprivileged::run_others_by(env!("CARGO_BIN_EXE_vectors"));
    unprivileged::usual_umask();
    Options::default()
}

/// Every vector in every tier of ours.
pub(super) fn everywhere() -> Vec<Outcome> {
    let outcomes = on_deep_stack(|| files::run(&[vectors_folder()], None, &options()));
    outcomes.expect("vectors")
}

/// The numbers of README.md and of tests/kit/RESULTS.md are those of this run: a vector
/// that is added changes them.
#[test]
fn every_vector_passes_in_every_tier_that_can_run_it() {
    let outcomes = everywhere();
    let failed = outcomes
        .iter()
        .any(|outcome| matches!(outcome.verdict, Verdict::Failed(_)));
    assert!(!failed, "{}", report::text(&outcomes, false));
    for tier in Tier::ALL {
        let passed = |outcome: &Outcome| outcome.tiers.contains(&(tier, Verdict::Passed));
        let count = outcomes.iter().filter(|outcome| passed(outcome)).count();
        assert!(
            count >= 80,
            "only {count} vectors ran in the tier {}",
            tier.name()
        );
    }
    let table = workspace().join("tests/kit/RESULTS.md");
    let table = std::fs::read_to_string(table).expect("the table");
    let wrong = conformance::differences(&table, &outcomes);
    assert!(wrong.is_empty(), "run make conformance: {wrong:#?}");
    let heading = "## Waiting everywhere: ";
    let told = table.lines().find_map(|line| line.strip_prefix(heading));
    let (waiting, all) = told
        .and_then(|told| told.split_once(" of "))
        .expect("numbers");
    let told = format!("of {all} vectors {waiting} wait");
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("a text");
    assert!(readme.contains(&told), "README.md does not say `{told}`");
}

#[test]
fn every_id_is_used_once() {
    let mut ids: Vec<String> = every_line()
        .iter()
        .map(|line| dialect::read(line).expect("a vector").id)
        .collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "an id is used twice");
}

/// Without the comparison in `run::compare`, or in `after::difference`, these pass.
#[test]
fn a_wrong_vector_fails_in_each_tier() {
    let observe = json!({"op": "observe", "target": "t", "seen": "v", "owner": "a"});
    let intent = json!({"op": "write-intent", "target": "t", "owner": "a"});
    let wrong_decision = json!({
        "id": "wrong-decision", "given": {"gate": true}, "do": [observe, intent],
        "expect": {"results": ["-", {"kind": "createIfAbsent"}]},
    });
    let wrong_file = json!({
        "id": "wrong-file", "given": {"ws": {"a": "x"}},
        "do": [{"op": "edit", "path": "a", "old": "x", "new": "y"}],
        "expect": {"results": ["-"], "files": {"a": "z"}},
    });
    let wrong_code = json!({
        "id": "wrong-code", "given": {"ws": {"a": "x"}, "gate": true},
        "do": [{"op": "tool", "name": "write", "args": {"file_path": "a", "content": "y"}}],
        "expect": {"results": ["<ok>"]},
    });
    let cases = [
        (wrong_decision, vec![Tier::Native, Tier::Gate]),
        (wrong_file, vec![Tier::Native, Tier::Host]),
        (wrong_code, vec![Tier::Native, Tier::Gate, Tier::Host]),
    ];
    for (case, tiers) in cases {
        let case = dialect::read(&case.to_string()).expect("a vector");
        let outcome = on_deep_stack(move || run::case(&case, &options()));
        for tier in tiers {
            let verdict = outcome.tiers.iter().find(|(of, _)| *of == tier);
            assert!(
                matches!(verdict, Some((_, Verdict::Failed(_)))),
                "{outcome:?}"
            );
        }
        assert!(matches!(outcome.verdict, Verdict::Failed(_)), "{outcome:?}");
    }
}

#[test]
fn the_last_line_counts() {
    let outcomes = on_deep_stack(|| {
        let file = vectors_folder().join("own.jsonl");
        files::run(&[file], Some("own-chain-intents"), &options()).expect("vectors")
    });
    let text = report::text(&outcomes, false);
    assert_eq!(text.lines().last(), Some("1 passed, 0 failed, 0 skipped"));
}
