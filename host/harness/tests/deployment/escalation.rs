//! Who may escalate to what.

use dsh_fs::types::Mode::{DangerFullAccess, WorkspaceWrite};
use dsh_fs_harness::deployment::{Deployment, MayEscalate};

use super::parse;

#[test]
fn without_a_rule_a_person_is_asked() {
    let answer = Deployment::default().may_escalate("main", DangerFullAccess);
    assert_eq!(answer, MayEscalate::Ask);
    assert_eq!(
        parse("").may_escalate("main", DangerFullAccess),
        MayEscalate::Ask
    );
}

#[test]
fn the_first_rule_that_fits_answers() {
    let deployment = parse(
        r#"
[[escalate]]
session = "ci-*"
answer = "never"
[[escalate]]
to = "danger-full-access"
answer = "ask"
[[escalate]]
session = "ci-trusted"
answer = "always"
[[escalate]]
session = "build"
to = "workspace-write"
answer = "always"
"#,
    );
    for (session, to, expected) in [
        ("ci-trusted", WorkspaceWrite, MayEscalate::Never),
        ("ci-", DangerFullAccess, MayEscalate::Never),
        ("build", DangerFullAccess, MayEscalate::Ask),
        ("build", WorkspaceWrite, MayEscalate::Always),
        ("a build", WorkspaceWrite, MayEscalate::Ask),
    ] {
        let answer = deployment.may_escalate(session, to);
        assert_eq!(answer, expected, "{session} to {}", to.name());
    }
}
