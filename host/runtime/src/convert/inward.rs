//! From the component to the host.

use dsh_fs::error::Error;
use dsh_fs::types as fs;

use super::all;
use crate::bindings::{tools, types as wit};
use crate::failure::{CallCode, CallError, FailureCode};
use crate::verbs::{ChangeAnswer, ListAnswer, ReadAnswer};

impl From<wit::Target> for fs::Target {
    fn from(value: wit::Target) -> Self {
        Self {
            key: value.key,
            display: value.display_path,
        }
    }
}

impl From<wit::ExecutionPolicy> for fs::ExecutionPolicy {
    fn from(value: wit::ExecutionPolicy) -> Self {
        Self {
            mode: value.mode.into(),
            workspace_root: value.workspace_root,
            session_id: value.session_id,
        }
    }
}

impl From<wit::Edit> for fs::Edit {
    fn from(value: wit::Edit) -> Self {
        Self {
            old_text: value.old_text,
            new_text: value.new_text,
            replace_all: value.replace_all,
        }
    }
}

impl From<wit::ReadWindow> for fs::ReadWindow {
    fn from(value: wit::ReadWindow) -> Self {
        Self {
            first_line: value.first_line,
            first_column: value.first_column,
            max_lines: value.max_lines,
            max_bytes: value.max_bytes,
            max_line_chars: value.max_line_chars,
        }
    }
}

impl From<wit::DirEntry> for fs::DirEntry {
    fn from(value: wit::DirEntry) -> Self {
        Self {
            name: value.name,
            kind: value.kind.into(),
            is_link: value.is_link,
            size: value.size,
            target: value.target.into(),
            trouble: value.trouble,
        }
    }
}

impl From<wit::CutLine> for fs::CutLine {
    fn from(value: wit::CutLine) -> Self {
        Self {
            line: value.line,
            next_column: value.next_column,
        }
    }
}

impl From<wit::TextWindow> for fs::TextWindow {
    fn from(value: wit::TextWindow) -> Self {
        Self {
            version: value.version,
            text: value.text,
            first_line: value.first_line,
            line_count: value.line_count,
            total_lines: value.total_lines,
            capped: value.capped,
            cut_lines: all(value.cut_lines),
            line_endings: value.line_endings.into(),
            final_newline: value.final_newline,
            byte_order_mark: value.byte_order_mark,
        }
    }
}

impl From<wit::Hunk> for fs::Hunk {
    fn from(value: wit::Hunk) -> Self {
        Self {
            old_start: value.old_start,
            new_start: value.new_start,
            old_text: value.old_text,
            new_text: value.new_text,
        }
    }
}

impl From<wit::Mutation> for fs::Mutation {
    fn from(value: wit::Mutation) -> Self {
        Self {
            operation: value.operation.into(),
            target: value.target.into(),
            version: value.version,
            previous: value.previous,
            replacements: value.replacements,
            grade: value.grade.into(),
            grade_reason: value.grade_reason,
            hunks: all(value.hunks),
            hunks_cut: value.hunks_cut,
            before: value.before,
            after: value.after,
        }
    }
}

impl From<wit::WriteGuard> for fs::WriteGuard {
    fn from(value: wit::WriteGuard) -> Self {
        match value {
            wit::WriteGuard::CreateIfAbsent => Self::CreateIfAbsent,
            wit::WriteGuard::ReplaceIfVersion(version) => Self::ReplaceIfVersion(version),
            wit::WriteGuard::Unconditional => Self::Unconditional,
        }
    }
}

impl From<wit::EditGuard> for fs::EditGuard {
    fn from(value: wit::EditGuard) -> Self {
        match value {
            wit::EditGuard::IfVersion(version) => Self::IfVersion(version),
            wit::EditGuard::Unconditional => Self::Unconditional,
        }
    }
}

impl From<wit::Error> for Error {
    fn from(value: wit::Error) -> Self {
        Self {
            code: value.code.into(),
            message: value.message,
            path: value.path,
            detail: value.detail,
        }
    }
}

impl From<tools::Failure> for CallError {
    fn from(value: tools::Failure) -> Self {
        match value.kind {
            tools::FailureKind::File(error) => Self {
                text: value.text,
                ..Self::of_file(error.into())
            },
            tools::FailureKind::Call(call) => Self {
                code: FailureCode::Call(CallCode::from(call.code)),
                message: call.message,
                text: value.text,
                path: None,
                detail: None,
            },
        }
    }
}

impl From<tools::ReadAnswer> for ReadAnswer {
    fn from(value: tools::ReadAnswer) -> Self {
        Self {
            text: value.text,
            target: value.target.into(),
            window: value.window.into(),
        }
    }
}

impl From<tools::ChangeAnswer> for ChangeAnswer {
    fn from(value: tools::ChangeAnswer) -> Self {
        Self {
            text: value.text,
            mutation: value.mutation.into(),
        }
    }
}

impl From<tools::ListAnswer> for ListAnswer {
    fn from(value: tools::ListAnswer) -> Self {
        Self {
            text: value.text,
            target: value.target.into(),
            entries: all(value.entries),
            first_entry: value.first_entry,
            total_entries: value.total_entries,
        }
    }
}
