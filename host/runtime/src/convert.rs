//! The same values on both sides of the component boundary: those of the WIT package, as
//! wasmtime generates them, and those of `host/fs`.

mod inward;
mod outward;

use dsh_fs::error::Code;
use dsh_fs::types as fs;

use crate::bindings::types as wit;
use crate::failure::CallCode;
use crate::options::ModeSource;

/// Two enumerations with the same cases, whatever each side calls them.
macro_rules! same_cases {
    ($ours:path, $theirs:path: $($our_case:ident = $their_case:ident),+ $(,)?) => {
        impl From<$ours> for $theirs {
            fn from(value: $ours) -> Self {
                match value { $(<$ours>::$our_case => Self::$their_case),+ }
            }
        }
        impl From<$theirs> for $ours {
            fn from(value: $theirs) -> Self {
                match value { $(<$theirs>::$their_case => Self::$our_case),+ }
            }
        }
    };
}

same_cases!(fs::Mode, wit::SandboxMode:
    ReadOnly = ReadOnly, WorkspaceWrite = WorkspaceWrite, DangerFullAccess = DangerFullAccess);
same_cases!(ModeSource, wit::ModeSource: User = User, Delegation = Delegation);
same_cases!(fs::EntryKind, wit::EntryKind:
    File = File, Directory = Directory, Symlink = Symlink, Other = Other);
same_cases!(fs::LineEndings, wit::LineEndings:
    None = None, Lf = Lf, Crlf = Crlf, Mixed = Mixed);
same_cases!(fs::Operation, wit::Operation: Create = Create, Update = Update);
same_cases!(fs::Grade, wit::Grade:
    Atomic = Atomic, LeaseChecked = LeaseChecked, BestEffort = BestEffort);
same_cases!(Code, wit::ErrorCode:
    NotFound = NotFound,
    NotDirectory = NotDirectory,
    NotText = NotText,
    NotRegularFile = NotRegularFile,
    TooLarge = TooLarge,
    PermissionDenied = PermissionDenied,
    SandboxDenied = SandboxDenied,
    IoError = IoError,
    StaleVersion = StaleVersion,
    NotObserved = NotObserved,
    AmbiguousEdit = AmbiguousEdit,
    EditNotFound = EditNotFound,
    Aborted = Aborted);
same_cases!(CallCode, wit::CallErrorCode:
    InvalidArguments = InvalidArguments,
    EscalationRefused = EscalationRefused,
    UnknownSession = UnknownSession,
    SandboxUnavailable = SandboxUnavailable,
    ComponentTrapped = ComponentTrapped);

/// Converts every element.
pub(crate) fn all<A, B: From<A>>(values: Vec<A>) -> Vec<B> {
    values.into_iter().map(B::from).collect()
}
