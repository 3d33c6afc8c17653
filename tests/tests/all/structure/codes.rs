//! The codes of the WIT package, of the host and of the vectors are the same.

use dsh_fs::error::Code;
use dsh_fs_runtime::CallCode;
use wit_parser::TypeDefKind;

use super::wit::package;

/// The cases of an enum, spelled as protocol strings.
fn cases(name: &str, prefix: &str) -> Vec<String> {
    let resolve = package();
    let found = resolve
        .types
        .iter()
        .find_map(|(_, typedef)| match &typedef.kind {
            TypeDefKind::Enum(it) if typedef.name.as_deref() == Some(name) => {
                Some(it.cases.clone())
            }
            _ => None,
        });
    let spell = |case: &str| format!("{prefix}{}", case.replace('-', "_").to_uppercase());
    let cases = found.expect("the package has the enum");
    cases.iter().map(|case| spell(&case.name)).collect()
}

#[test]
fn the_host_has_the_codes_of_the_package_in_its_order() {
    assert_eq!(cases("error-code", "FS_"), Code::ALL.map(Code::name));
    assert_eq!(
        cases("call-error-code", ""),
        CallCode::ALL.map(CallCode::name)
    );
}

#[test]
fn the_vectors_know_the_same_codes() {
    let all = [
        &Code::ALL.map(Code::name)[..],
        &CallCode::ALL.map(CallCode::name),
    ]
    .concat();
    assert_eq!(all, dsh_fs_tests::codes::ALL);
}
