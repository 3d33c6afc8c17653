//! `read`: a part of a text file, which then counts as seen.

use crate::arguments;
use crate::bindings::dsh::fs::types::{
    Error, ErrorCode, ReadWindow, SandboxMode, Target, TextWindow,
};
use crate::bindings::exports::dsh::fs::tools::{Failure, ReadAnswer, ReadArgs};
use crate::envelope;
use crate::failure::{self, WayOut};
use crate::session::Session;

/// Reads a window of lines.
pub(crate) fn read(session: &Session, args: &ReadArgs) -> Result<ReadAnswer, Failure> {
    let path = arguments::path(&args.file_path)?;
    let wanted = wanted(session, args)?;
    let mode = session.current_policy().mode;
    let failed = |error| failed(error, mode);
    let files = session.files().map_err(failed)?;
    let target = files.resolve(path).map_err(failed)?;
    let window = files
        .files()
        .read_window(&target, wanted)
        .inspect_err(|error| record_absence(session, &target, error))
        .map_err(failed)?;
    session.memory().read(&target.key, &window);
    if past_the_end(&wanted, &window) {
        return Err(failed(out_of_range(
            &target,
            args.offset,
            window.total_lines,
        )));
    }
    let text = envelope::lines(&target.display_path, &window, &wanted);
    Ok(ReadAnswer {
        text,
        target,
        window,
    })
}

/// The arguments as a window, within the limits of the session.
fn wanted(session: &Session, args: &ReadArgs) -> Result<ReadWindow, Failure> {
    let limits = session.config().limits;
    Ok(ReadWindow {
        first_line: arguments::position("offset", args.offset)?,
        max_lines: arguments::limit(args.limit, limits.lines)?,
        first_column: arguments::position("column", args.column)?,
        max_bytes: limits.bytes,
        max_line_chars: limits.line_chars,
    })
}

/// A read that finds nothing has seen that nothing is there. A read that is refused has
/// seen nothing.
fn record_absence(session: &Session, target: &Target, error: &Error) {
    if error.code == ErrorCode::NotFound {
        session.memory().absent(&target.key);
    }
}

/// An empty file can be read from its first line, which it does not have.
fn past_the_end(wanted: &ReadWindow, window: &TextWindow) -> bool {
    wanted.first_line > window.total_lines.max(1)
}

fn out_of_range(target: &Target, offset: Option<i64>, lines: u32) -> Error {
    let offset = offset.unwrap_or(1).unsigned_abs();
    envelope::out_of_range(&target.display_path, offset, lines, "lines")
}

fn failed(error: Error, mode: SandboxMode) -> Failure {
    failure::file(error, mode, WayOut::None)
}
