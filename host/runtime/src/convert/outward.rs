//! From the host to the component.

use dsh_fs::error::Error;
use dsh_fs::types as fs;

use super::all;
use crate::bindings::{tools, types as wit};
use crate::options::ReadLimits;
use crate::verbs::{EditArgs, Escalation, ListArgs, ReadArgs, WriteArgs};

impl From<fs::Target> for wit::Target {
    fn from(value: fs::Target) -> Self {
        Self {
            key: value.key,
            display_path: value.display,
        }
    }
}

impl From<fs::ExecutionPolicy> for wit::ExecutionPolicy {
    fn from(value: fs::ExecutionPolicy) -> Self {
        Self {
            mode: value.mode.into(),
            workspace_root: value.workspace_root,
            session_id: value.session_id,
        }
    }
}

impl From<fs::Info> for wit::Info {
    fn from(value: fs::Info) -> Self {
        Self {
            kind: value.kind.into(),
            size: value.size,
        }
    }
}

impl From<fs::PathInfo> for wit::PathInfo {
    fn from(value: fs::PathInfo) -> Self {
        Self {
            kind: value.kind.into(),
            size: value.size,
            link_target: value.link_target,
        }
    }
}

impl From<fs::DirEntry> for wit::DirEntry {
    fn from(value: fs::DirEntry) -> Self {
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

impl From<fs::CutLine> for wit::CutLine {
    fn from(value: fs::CutLine) -> Self {
        Self {
            line: value.line,
            next_column: value.next_column,
        }
    }
}

impl From<fs::TextWindow> for wit::TextWindow {
    fn from(value: fs::TextWindow) -> Self {
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

impl From<fs::TextContent> for wit::TextContent {
    fn from(value: fs::TextContent) -> Self {
        Self {
            version: value.version,
            text: value.text,
        }
    }
}

impl From<fs::Hunk> for wit::Hunk {
    fn from(value: fs::Hunk) -> Self {
        Self {
            old_start: value.old_start,
            new_start: value.new_start,
            old_text: value.old_text,
            new_text: value.new_text,
        }
    }
}

impl From<fs::Mutation> for wit::Mutation {
    fn from(value: fs::Mutation) -> Self {
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

impl From<Error> for wit::Error {
    fn from(value: Error) -> Self {
        Self {
            code: value.code.into(),
            message: value.message,
            path: value.path,
            detail: value.detail,
        }
    }
}

impl From<ReadLimits> for tools::ReadLimits {
    fn from(value: ReadLimits) -> Self {
        Self {
            lines: value.lines,
            bytes: value.bytes,
            line_chars: value.line_chars,
        }
    }
}

impl From<Escalation> for tools::Escalation {
    fn from(value: Escalation) -> Self {
        Self {
            sandbox_permissions: value.sandbox_permissions,
            justification: value.justification,
        }
    }
}

impl From<ReadArgs> for tools::ReadArgs {
    fn from(value: ReadArgs) -> Self {
        Self {
            file_path: value.file_path,
            offset: value.offset,
            limit: value.limit,
            column: value.column,
        }
    }
}

impl From<WriteArgs> for tools::WriteArgs {
    fn from(value: WriteArgs) -> Self {
        Self {
            file_path: value.file_path,
            content: value.content,
            escalation: value.escalation.into(),
        }
    }
}

impl From<EditArgs> for tools::EditArgs {
    fn from(value: EditArgs) -> Self {
        Self {
            file_path: value.file_path,
            old_string: value.old_string,
            new_string: value.new_string,
            replace_all: value.replace_all,
            escalation: value.escalation.into(),
        }
    }
}

impl From<ListArgs> for tools::ListArgs {
    fn from(value: ListArgs) -> Self {
        Self {
            file_path: value.file_path,
            offset: value.offset,
            limit: value.limit,
        }
    }
}
