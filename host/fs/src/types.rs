//! The values that cross the provider seam. They mirror `dsh:fs/types` of the WIT
//! package, whose comments say what each of them means.

/// What a mutation may touch, from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// No mutation at all.
    ReadOnly,
    /// Mutations beneath the canonical writable roots.
    WorkspaceWrite,
    /// Mutations anywhere.
    DangerFullAccess,
}

impl Mode {
    /// Every mode, narrowest first.
    pub const ALL: [Self; 3] = [Self::ReadOnly, Self::WorkspaceWrite, Self::DangerFullAccess];

    /// The name used on every surface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The policy of one call, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionPolicy {
    /// What a mutation may touch.
    pub mode: Mode,
    /// The first writable root and the base of relative paths.
    pub workspace_root: String,
    /// A label for the audit, never a look-up of rights.
    pub session_id: Option<String>,
}

/// A file as the provider knows it and as a person may read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Canonical, in the name escape; never taken apart by a consumer.
    pub key: String,
    /// Absolute, as spelled; never used to find the file.
    pub display: String,
}

/// What must hold when a whole file is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteGuard {
    /// Nothing is there.
    CreateIfAbsent,
    /// Exactly this content is there.
    ReplaceIfVersion(String),
    /// Nothing is required.
    Unconditional,
}

/// What must hold when an edited file is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditGuard {
    /// Exactly this content is there.
    IfVersion(String),
    /// Nothing is required.
    Unconditional,
}

/// What kind of thing a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, where links are not followed.
    Symlink,
    /// FIFO, socket, device, or what cannot be examined.
    Other,
}

/// Facts about a target, links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The kind; never a link.
    pub kind: EntryKind,
    /// Bytes, for regular files.
    pub size: Option<u64>,
}

/// Facts about a path itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathInfo {
    /// The kind.
    pub kind: EntryKind,
    /// Bytes, for regular files.
    pub size: Option<u64>,
    /// Where a link points, as stored.
    pub link_target: Option<String>,
}

/// One direct child of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// In the name escape.
    pub name: String,
    /// The kind of what the child leads to.
    pub kind: EntryKind,
    /// Whether the child is itself a link.
    pub is_link: bool,
    /// Bytes, for regular files.
    pub size: Option<u64>,
    /// The child, ready for the other verbs.
    pub target: Target,
    /// Why the child could not be examined.
    pub trouble: Option<String>,
}

/// A literal replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Literal, not empty.
    pub old_text: String,
    /// What is put in its place.
    pub new_text: String,
    /// Every occurrence, or exactly one.
    pub replace_all: bool,
}

/// The part of a text file that is wanted. All counts begin at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadWindow {
    /// The first line.
    pub first_line: u32,
    /// The character of the first line to begin at.
    pub first_column: u32,
    /// The most lines.
    pub max_lines: u32,
    /// The most bytes of text; the first line is cut to it rather than left out.
    pub max_bytes: u32,
    /// The most characters of one line.
    pub max_line_chars: u32,
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEndings {
    /// There are none.
    None,
    /// Line feed only.
    Lf,
    /// Carriage return and line feed only.
    Crlf,
    /// Both.
    Mixed,
}

/// A line that is longer than what was returned of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutLine {
    /// The line.
    pub line: u32,
    /// The first character that was not returned.
    pub next_column: u32,
}

/// A part of a text file, with the version of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextWindow {
    /// Of the whole file.
    pub version: String,
    /// Lines, each ended by one line feed.
    pub text: String,
    /// The first line returned.
    pub first_line: u32,
    /// How many are returned.
    pub line_count: u32,
    /// How many the file has.
    pub total_lines: u32,
    /// Whether the byte limit ended the window.
    pub capped: bool,
    /// Lines that were cut.
    pub cut_lines: Vec<CutLine>,
    /// Of the whole file.
    pub line_endings: LineEndings,
    /// Whether the last line has an ending.
    pub final_newline: bool,
    /// Whether the file begins with one.
    pub byte_order_mark: bool,
}

/// A whole text file, without a byte order mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextContent {
    /// From the same descriptor as the text.
    pub version: String,
    /// As stored.
    pub text: String,
}

/// What a mutation did to the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// There was nothing before.
    Create,
    /// A file was replaced.
    Update,
}

/// How firmly the guard of a mutation held; the later, the less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The publication itself could not replace anything.
    Atomic,
    /// Checked while a lease kept every other opener waiting.
    LeaseChecked,
    /// Checked right before publication, for the reason given.
    BestEffort,
}

impl Grade {
    /// The name used on every surface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::LeaseChecked => "lease-checked",
            Self::BestEffort => "best-effort",
        }
    }
}

/// One changed region, with lines of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// First line of the old text, from 1.
    pub old_start: u32,
    /// First line of the new text, from 1.
    pub new_start: u32,
    /// The old lines.
    pub old_text: String,
    /// The new lines.
    pub new_text: String,
}

/// What the answer of a mutation should carry beyond the facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The changed regions, bounded.
    pub hunks: bool,
    /// The whole text before and after.
    pub texts: bool,
}

/// What a mutation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// Whether the file is new.
    pub operation: Operation,
    /// What was written.
    pub target: Target,
    /// Of the new content, from the held descriptor.
    pub version: String,
    /// What was displaced.
    pub previous: Option<String>,
    /// How many places an edit replaced.
    pub replacements: Option<u32>,
    /// How firmly the guard held.
    pub grade: Grade,
    /// Why not better.
    pub grade_reason: Option<String>,
    /// If asked for.
    pub hunks: Vec<Hunk>,
    /// Whether there were too many.
    pub hunks_cut: bool,
    /// If asked for.
    pub before: Option<String>,
    /// If asked for.
    pub after: Option<String>,
}

/// What a removal did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// What was removed.
    pub target: Target,
    /// The version of what it held.
    pub previous: String,
    /// How firmly the guard held.
    pub grade: Grade,
    /// Why not better.
    pub grade_reason: Option<String>,
}
