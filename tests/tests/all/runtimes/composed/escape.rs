//! The escape cases, over a folder that is given to the command.

use std::fs;
use std::path::Path;

use dsh_fs_tests::case::Case;
use dsh_fs_tests::places::Places;
use dsh_fs_tests::{after, dialect, files, tree};
use serde_json::Value;

use super::super::{vectors_folder, workspace};
use super::stock::over_a_folder;
use super::{Composed, call, read};

/// The escape cases, with the verdicts of a resolver that stays beneath a folder: an
/// absolute name, and a path that leaves and comes back, are refused as well. Nothing that
/// is refused changes anything. Fails without `failure::outside` in guest/disk/src/walk.rs.
#[test]
fn nothing_leads_out_of_the_folder() {
    let Some(stock) = over_a_folder("nothing_leads_out_of_the_folder") else {
        return;
    };
    let verdicts = fs::read_to_string(workspace().join("tests/stock/beneath.json"));
    let verdicts: Value = serde_json::from_str(&verdicts.expect("verdicts")).expect("JSON");
    let lines = files::lines(&vectors_folder().join("escape.jsonl")).expect("the escape cases");
    let mut wrong = Vec::new();
    let mut tried = 0;
    for line in lines {
        let case = dialect::read(&line).expect("a vector");
        let Some(verdict) = verdicts[&case.id].as_str() else {
            continue;
        };
        tried += 1;
        if let Err(why) = escape(&stock, &case, verdict) {
            wrong.push(format!("{}: {why}", case.id));
        }
    }
    assert!(tried >= 70, "only {tried} cases were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn escape(stock: &Composed, case: &Case, verdict: &str) -> Result<(), String> {
    let places = Places::below(stock.place.path()).expect("places");
    tree::build(&case.given, &places).expect("a tree");
    let before = after::photograph(places.base());
    let policy = case.given.policy.as_ref().expect("a policy");
    let root = places.fill(policy.workspace_root.as_deref().expect("a root"));
    let mut options = vec!["--mode", policy.mode.as_deref().unwrap_or("read-only")];
    for kept in &policy.protected {
        options.extend(["--protect", kept]);
    }
    let op = places.fill_value(&case.steps.last().expect("an operation").op);
    let tool = op["name"].as_str().expect("a tool");
    let last = call(tool, op["args"].clone());
    let first = read(op["args"]["file_path"].as_str().expect("a path"));
    let input = match tool {
        "write" | "edit" => format!("{first}\n{last}\n"),
        _ => format!("{last}\n"),
    };
    let (_, output, errors) = stock.run_over(Path::new(&root), &options, &input);
    let answer = output.lines().last().unwrap_or_default();
    let answer: Value = serde_json::from_str(answer).map_err(|_| format!("{output}{errors}"))?;
    let code = answer["code"].as_str().unwrap_or("ok");
    if !codes(verdict).contains(&code) {
        return Err(format!("{verdict}, and it was {answer}"));
    }
    if code != "ok" && before != after::photograph(places.base()) {
        return Err("it was refused, and something has changed".to_owned());
    }
    Ok(())
}

/// The codes that a verdict stands for.
fn codes(verdict: &str) -> &'static [&'static str] {
    match verdict {
        "allow" => &["ok"],
        "deny" => &["FS_SANDBOX_DENIED"],
        "error:hard-linked" => &["FS_PERMISSION_DENIED"],
        "error:not-found" | "error:loop" | "error:name-too-long" => &["FS_NOT_FOUND"],
        "error:is-directory" => &["FS_NOT_REGULAR_FILE", "FS_NOT_FOUND"],
        "error:not-regular" => &["FS_NOT_REGULAR_FILE"],
        "error:not-directory" => &["FS_NOT_FOUND", "FS_NOT_DIRECTORY"],
        "error:invalid-path" => &["FS_NOT_FOUND", "INVALID_ARGUMENTS"],
        other => panic!("the verdict {other} is not known"),
    }
}
