//! The shared words of the WIT package and of the policy crate, translated both ways.

use dsh_fs_policy as policy;

use crate::bindings::dsh::fs::types::{
    ErrorCode, ExecutionPolicy, ModeEvent, ModeSource, Prior, SandboxMode, Seed,
};

pub(crate) fn prior(prior: &Prior) -> policy::Prior<'_> {
    match prior {
        Prior::Unseen => policy::Prior::Unseen,
        Prior::Absent => policy::Prior::Absent,
        Prior::Present(version) => policy::Prior::Present(version),
    }
}

pub(crate) fn mode(mode: SandboxMode) -> policy::Mode {
    match mode {
        SandboxMode::ReadOnly => policy::Mode::ReadOnly,
        SandboxMode::WorkspaceWrite => policy::Mode::WorkspaceWrite,
        SandboxMode::DangerFullAccess => policy::Mode::DangerFullAccess,
    }
}

pub(crate) fn sandbox_mode(mode: policy::Mode) -> SandboxMode {
    match mode {
        policy::Mode::ReadOnly => SandboxMode::ReadOnly,
        policy::Mode::WorkspaceWrite => SandboxMode::WorkspaceWrite,
        policy::Mode::DangerFullAccess => SandboxMode::DangerFullAccess,
    }
}

pub(crate) fn mode_event(event: ModeEvent) -> policy::ModeEvent {
    policy::ModeEvent {
        mode: mode(event.mode),
        source: match event.source {
            ModeSource::User => policy::ModeSource::User,
            ModeSource::Delegation => policy::ModeSource::Delegation,
        },
    }
}

pub(crate) fn execution_policy(policy: ExecutionPolicy) -> policy::ExecutionPolicy {
    policy::ExecutionPolicy {
        mode: mode(policy.mode),
        workspace_root: policy.workspace_root,
        session_id: policy.session_id,
    }
}

pub(crate) fn resolved_policy(policy: policy::ExecutionPolicy) -> ExecutionPolicy {
    ExecutionPolicy {
        mode: sandbox_mode(policy.mode),
        workspace_root: policy.workspace_root,
        session_id: policy.session_id,
    }
}

pub(crate) fn seed(seed: Seed) -> policy::Seed {
    policy::Seed {
        low: seed.low,
        high: seed.high,
    }
}

macro_rules! same_codes {
    ($($code:ident),* $(,)?) => {
        pub(crate) fn code(code: ErrorCode) -> policy::ErrorCode {
            match code { $(ErrorCode::$code => policy::ErrorCode::$code),* }
        }

        pub(crate) fn error_code(code: policy::ErrorCode) -> ErrorCode {
            match code { $(policy::ErrorCode::$code => ErrorCode::$code),* }
        }
    };
}

same_codes!(
    NotFound,
    NotDirectory,
    NotText,
    NotRegularFile,
    TooLarge,
    PermissionDenied,
    SandboxDenied,
    IoError,
    StaleVersion,
    NotObserved,
    AmbiguousEdit,
    EditNotFound,
    Aborted,
);
