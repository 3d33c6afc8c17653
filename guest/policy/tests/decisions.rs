//! Modes, policies, escalations and guards: inputs with right answers. The names in
//! brackets are those of the behaviours that are kept from the reference.

use dsh_fs_policy::*;

fn circumstances(effective: Mode) -> Circumstances {
    Circumstances {
        effective,
        confined: true,
        approver: true,
        owner: true,
    }
}

fn inputs() -> PolicyInputs {
    PolicyInputs {
        approved: None,
        session_mode: None,
        default_mode: Mode::ReadOnly,
        session_cwd: None,
        configured_root: "/ws".into(),
        session_id: None,
    }
}

#[test]
fn mode_names_lead_back_to_modes() {
    for mode in Mode::ALL {
        assert_eq!(Mode::parse(mode.name()), Ok(mode));
    }
    for name in ["", "Read-Only", "read_only", " read-only", "full"] {
        assert_eq!(Mode::parse(name), Err(UnknownMode));
    }
}

#[test]
fn wider_is_strict_and_narrowest_first() {
    for mode in Mode::ALL {
        let wider: Vec<Mode> = Mode::ALL.into_iter().filter(|m| *m > mode).collect();
        assert_eq!(mode.wider_modes(), wider);
        assert!(!mode.is_wider_than(mode));
    }
}

/// [policy-resolve-default, -configured, -session-root, -session-mode, -narrow-override]
#[test]
fn the_closest_statement_wins() {
    let policy = resolve_policy(inputs());
    assert_eq!(
        (
            policy.mode,
            policy.workspace_root.as_str(),
            policy.session_id
        ),
        (Mode::ReadOnly, "/ws", None)
    );
    let policy = resolve_policy(PolicyInputs {
        session_mode: Some(Mode::ReadOnly),
        default_mode: Mode::DangerFullAccess,
        session_cwd: Some("/out".into()),
        session_id: Some("s1".into()),
        ..inputs()
    });
    assert_eq!(policy.mode, Mode::ReadOnly);
    assert_eq!(policy.workspace_root, "/out");
    assert_eq!(policy.session_id.as_deref(), Some("s1"));
    let approved = resolve_policy(PolicyInputs {
        approved: Some(Mode::WorkspaceWrite),
        session_mode: Some(Mode::ReadOnly),
        ..inputs()
    });
    assert_eq!(approved.mode, Mode::WorkspaceWrite);
}

/// [policy-resolve-session-mode]
#[test]
fn the_last_mode_event_counts() {
    let event = |mode, source| ModeEvent { mode, source };
    assert_eq!(fold_mode_events([]), None);
    let events = [
        event(Mode::DangerFullAccess, ModeSource::User),
        event(Mode::ReadOnly, ModeSource::Delegation),
    ];
    assert_eq!(fold_mode_events(events), Some(Mode::ReadOnly));
}

/// [escalation-pairing]
#[test]
fn escalation_arguments_come_together() {
    let mode = Some("workspace-write");
    assert_eq!(check_escalation(None, None), Ok(None));
    assert_eq!(
        check_escalation(mode, Some("because")),
        Ok(Some(Mode::WorkspaceWrite))
    );
    assert_eq!(
        check_escalation(mode, None),
        Err(ArgumentRefusal::JustificationMissing)
    );
    for reason in ["because", " "] {
        assert_eq!(
            check_escalation(None, Some(reason)),
            Err(ArgumentRefusal::ModeMissing)
        );
    }
}

/// Fails without the call of `is_blank`.
#[test]
fn a_justification_says_something() {
    for blank in [
        "",
        "  ",
        "\n\t",
        "\u{a0}",
        "\u{200b}\u{feff}",
        "\0",
        "\u{3000}\u{85}",
        "\u{3164}",
        "\u{115f}\u{1160}\u{2800}",
        "\u{fe0f}\u{e0041}\u{34f}\u{61c}\u{300}",
    ] {
        assert_eq!(
            check_escalation(Some("workspace-write"), Some(blank)),
            Err(ArgumentRefusal::JustificationBlank),
            "{blank:?}"
        );
    }
}

#[test]
fn an_escalation_names_a_mode_that_exists() {
    assert_eq!(
        check_escalation(Some("read-only"), Some("because")),
        Ok(Some(Mode::ReadOnly))
    );
    for name in ["anything", "", "Workspace-Write"] {
        assert_eq!(
            check_escalation(Some(name), Some("because")),
            Err(ArgumentRefusal::ModeUnknown)
        );
    }
}

/// Each row takes one obstacle away; fails when a branch of `judge_escalation` is removed
/// or two are exchanged. [escalation-order, escalation-not-confined]
#[test]
fn the_first_obstacle_to_an_escalation_counts() {
    let mut now = Circumstances {
        confined: false,
        approver: false,
        owner: false,
        ..circumstances(Mode::WorkspaceWrite)
    };
    let wanted = Mode::DangerFullAccess;
    assert_eq!(
        judge_escalation(Mode::ReadOnly, now),
        Err(EscalationRefusal::NotConfined)
    );
    now.confined = true;
    for requested in [Mode::ReadOnly, Mode::WorkspaceWrite] {
        assert_eq!(
            judge_escalation(requested, now),
            Err(EscalationRefusal::NotWider {
                requested,
                effective: Mode::WorkspaceWrite
            })
        );
    }
    assert_eq!(
        judge_escalation(wanted, now),
        Err(EscalationRefusal::NoApprover(wanted))
    );
    now.approver = true;
    assert_eq!(
        judge_escalation(wanted, now),
        Err(EscalationRefusal::NoOwner(wanted))
    );
    now.owner = true;
    assert_eq!(judge_escalation(wanted, now), Ok(()));
}

/// [write-intent-unseen, -absent, -present]
#[test]
fn a_write_may_create_or_replace_what_was_seen() {
    assert_eq!(decide_write(Prior::Unseen), WriteGuard::CreateIfAbsent);
    assert_eq!(decide_write(Prior::Absent), WriteGuard::CreateIfAbsent);
    assert_eq!(
        decide_write(Prior::Present("v9")),
        WriteGuard::ReplaceIfVersion("v9")
    );
}

/// [edit-intent-absent, edit-intent-present]
#[test]
fn an_edit_needs_a_prior_read() {
    let unseen = decide_edit(Prior::Unseen).expect_err("nothing was seen");
    assert_eq!(unseen.code(), ErrorCode::NotObserved);
    let absent = decide_edit(Prior::Absent).expect_err("nothing was there");
    assert_eq!(absent.code(), ErrorCode::NotFound);
    assert_eq!(decide_edit(Prior::Present("v1")), Ok(EditGuard("v1")));
}
