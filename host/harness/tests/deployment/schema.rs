//! The committed schema is the one that the code makes.
//!
//! `UPDATE_SCHEMA=1 cargo test -p dsh-fs-harness --test deployment` writes it anew.

use std::path::Path;

use dsh_fs_harness::deployment::schema;

#[test]
fn the_committed_schema_is_the_one_of_the_code() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deployment.schema.json");
    let made = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&file, &made).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&file).expect("the schema is committed");
    assert_eq!(
        committed, made,
        "write it anew as the head of this test says"
    );
}

#[test]
fn the_schema_refuses_what_the_program_refuses() {
    let schema = schema();
    assert_eq!(schema["additionalProperties"], false);
    let row = &schema["$defs"]["Escalate"];
    assert_eq!(row["additionalProperties"], false);
    assert_eq!(row["required"], serde_json::json!(["answer"]));
    let modes = schema["$defs"]["Mode"]["oneOf"].as_array();
    assert_eq!(modes.map(Vec::len), Some(3));
    assert_eq!(schema["properties"]["workspace"]["pattern"], "^/");
}
