//! Every sentence of the server that a model or a person reads.

/// The name of the server for people.
pub(crate) const SERVER_TITLE: &str = "dsh:fs, guarded file tools";

/// The title of the only field of a question.
pub(crate) const CHOICE: &str = "Allow it?";

/// The error of a call that was cancelled. No client reads it.
pub(crate) const CANCELLED: &str = "the call was cancelled";

/// What is added to the description of a tool that may ask for a wider mode.
pub(crate) const MAY_ESCALATE: &str = " Where the answer says that the sandbox denied access \
    and the user would want it, call again with sandbox_permissions and a justification: a \
    person is asked about this one call.";

/// How to use the tools, and the policy of now.
pub(crate) fn instructions(policy: &str) -> String {
    const HOW: &str = "File tools that keep you from losing work. Read a file before you \
        edit or replace it; what you have not read you can only create. Failures carry a \
        code: FS_NOT_OBSERVED means read the file first, then retry; FS_STALE_VERSION means \
        somebody changed it since you read it, so read it again, then retry; \
        FS_EDIT_NOT_FOUND and FS_AMBIGUOUS_EDIT mean that old_string must be copied exactly \
        from the file and be unique; FS_SANDBOX_DENIED means that the policy forbids it. \
        Relative paths start in the workspace. Undo takes your last change back unless the \
        file was changed since.";
    match policy.is_empty() {
        true => HOW.to_owned(),
        false => format!("{HOW}\n\n{policy}"),
    }
}

/// What a model is told of a tool.
pub(crate) fn description(tool: &str) -> &'static str {
    match tool {
        "read" => {
            "Reads a text file, with line numbers; from then on the file counts as seen, and \
             may be edited or replaced while it stays as it is. At most 2000 lines and 51200 \
             bytes at once: go on with offset, and within a line that was cut with column. \
             FS_NOT_TEXT: the file is not UTF-8 text. FS_NOT_FOUND: nothing is there, or the \
             offset is past the end."
        }
        "write" => {
            "Writes a whole file, making parent directories as needed. A file that exists must \
             have been read before (FS_NOT_OBSERVED) and must not have changed since \
             (FS_STALE_VERSION): read it, then retry. Prefer edit for changes to a file that \
             exists."
        }
        "edit" => {
            "Replaces text in a file that was read before. old_string is matched literally, \
             without the line numbers of read, and must occur exactly once unless replace_all \
             is true. FS_NOT_OBSERVED, FS_STALE_VERSION: read the file, then retry. \
             FS_EDIT_NOT_FOUND: copy old_string exactly from the file. FS_AMBIGUOUS_EDIT: add \
             lines around it until it is unique."
        }
        "multi_edit" => {
            "Makes several edits, also in several files, all or none: if one of them fails, \
             those before it are taken back. Every file must have been read before. The codes \
             are those of edit, and the answer says which edit failed."
        }
        "list" => {
            "Lists the direct children of a directory, in byte order of their names. \
             FS_NOT_DIRECTORY: it is something else; FS_NOT_FOUND: nothing is there."
        }
        "undo" => {
            "Takes back the last change that was made with these tools in this session, and \
             the one before it when called again. FS_STALE_VERSION: the file was changed \
             since, and nothing is done. INVALID_ARGUMENTS: there is nothing to take back."
        }
        "bash" => {
            "Runs a shell command in the workspace, confined to what the policy lets the file \
             tools change. Use the file tools to read and change files. \
             SANDBOX_UNAVAILABLE: commands cannot be confined on this machine, and are not \
             run."
        }
        _ => "",
    }
}

/// What a model is told of the arguments.
pub(crate) mod argument {
    pub(crate) const FILE: &str = "The file; a relative path starts in the workspace";
    pub(crate) const FOLDER: &str = "The directory; the workspace where absent";
    pub(crate) const FIRST_LINE: &str = "The first line, counted from 1";
    pub(crate) const LINES: &str = "The most lines";
    pub(crate) const COLUMN: &str =
        "The character of the first line to begin at, counted from 1: to read a long line on";
    pub(crate) const CONTENT: &str = "The whole content, stored as given";
    pub(crate) const OLD: &str = "The text to replace, literally as it is in the file";
    pub(crate) const NEW: &str = "The text to put in its place; must differ";
    pub(crate) const ALL: &str = "Replace every occurrence";
    pub(crate) const EDITS: &str = "The edits, made in this order";
    pub(crate) const FIRST_ENTRY: &str = "The first entry, counted from 1";
    pub(crate) const ENTRIES: &str = "The most entries";
    pub(crate) const COMMAND: &str = "The command line";
    pub(crate) const TIMEOUT: &str = "The most milliseconds that it may run";
    pub(crate) const PERMISSIONS: &str =
        "A wider mode for this one call, which a person is asked about; needs justification";
    pub(crate) const JUSTIFICATION: &str =
        "Why the wider mode is needed, in one sentence for the person who is asked";
}

/// What an answer to a question means. Where no session lasts, no answer outlives the server.
pub(crate) fn choice(name: &str, lasting: bool) -> &'static str {
    match name {
        "once" => "Yes, this once",
        "session" => "Yes, for this session",
        "workspace" if lasting => "Yes, always in this workspace",
        "workspace" => "Yes, in this workspace until the server ends",
        _ => "No",
    }
}

pub(crate) fn unknown_tool(name: &str) -> String {
    format!("unknown tool: {}", dsh_fs::name::shown(name))
}

pub(crate) fn roots_unknown() -> String {
    "Error: the client has roots and has not said which; nothing is changed until it does".into()
}

pub(crate) fn not_a_call() -> &'static str {
    "a tool call has a name, and arguments that are an object"
}

pub(crate) fn not_begun() -> &'static str {
    "the client has not sent initialize yet"
}

pub(crate) fn id_is_in_use(id: &str) -> String {
    format!(
        "a request with the id {} waits for its answer already: this one was not taken",
        dsh_fs::name::shown(id)
    )
}

pub(crate) fn no_message() -> String {
    "the line is JSON and no message of the protocol".into()
}

pub(crate) fn no_json(error: &serde_json::Error) -> String {
    format!("the line is not JSON: {error}")
}

pub(crate) fn message_too_long(most: usize) -> String {
    format!("a message has at most {most} bytes")
}
