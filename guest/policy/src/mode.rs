//! The three sandbox modes, and which of them is wider than which.

/// What a mutation may touch; the order is from narrow to wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// No mutation at all.
    ReadOnly,
    /// Mutations beneath the canonical writable roots.
    WorkspaceWrite,
    /// Mutations anywhere.
    DangerFullAccess,
}

/// A name that is none of the three modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMode;

impl Mode {
    /// Every mode, narrowest first.
    pub const ALL: [Mode; 3] = [Mode::ReadOnly, Mode::WorkspaceWrite, Mode::DangerFullAccess];

    /// Reads the name of a mode, letter by letter; anything else is [`UnknownMode`].
    pub fn parse(name: &str) -> Result<Mode, UnknownMode> {
        Mode::ALL
            .into_iter()
            .find(|mode| mode.name() == name)
            .ok_or(UnknownMode)
    }

    /// The name of the mode in every protocol.
    pub fn name(self) -> &'static str {
        match self {
            Mode::ReadOnly => "read-only",
            Mode::WorkspaceWrite => "workspace-write",
            Mode::DangerFullAccess => "danger-full-access",
        }
    }

    /// The modes strictly wider than this one, narrowest first.
    pub fn wider_modes(self) -> &'static [Mode] {
        match self {
            Mode::ReadOnly => &[Mode::WorkspaceWrite, Mode::DangerFullAccess],
            Mode::WorkspaceWrite => &[Mode::DangerFullAccess],
            Mode::DangerFullAccess => &[],
        }
    }

    /// Whether this mode is strictly wider than another.
    pub fn is_wider_than(self, other: Mode) -> bool {
        self > other
    }
}
