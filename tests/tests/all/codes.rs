//! Every code has a vector.

use dsh_fs_tests::codes;

use super::every_line;

/// Codes of surfaces that a later issue brings; their vectors wait with it.
const LATER: [&str; 2] = ["UNKNOWN_SESSION", "SANDBOX_UNAVAILABLE"];

#[test]
fn every_code_has_a_vector_that_expects_it() {
    let lines = every_line();
    for code in codes::ALL {
        let expects = |line: &&String| {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let waits = value.get("needs").is_some();
            value["expect"].to_string().contains(&format!("\"{code}\""))
                && (!waits || LATER.contains(&code))
        };
        assert!(
            lines.iter().any(|line| expects(&line)),
            "no vector expects {code}"
        );
    }
}
