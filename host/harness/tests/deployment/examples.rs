//! The examples of the README are right.

use std::path::Path;

use super::parse;

#[test]
fn every_example_of_the_readme_is_right() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).expect("it is there");
    let examples: Vec<_> = readme
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|example| example.contains("mode = "))
        .collect();
    assert!(!examples.is_empty(), "the README has an example");
    for example in examples {
        parse(example).rules(None).expect("its rules are right");
    }
}
