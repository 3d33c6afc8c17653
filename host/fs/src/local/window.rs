//! A part of a text, with the whole checked and hashed in one pass.

use dsh_fs_text::endings;
use dsh_fs_text::utf8::Checker;
use dsh_fs_text::window::{Wanted, Window, WindowReader};

use super::open::open_regular;
use super::stream::Pieces;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::types::{CutLine, LineEndings, ReadWindow, Target, TextWindow};
use crate::version::{PiecedVersion, VersionSecret};
use crate::wording::{self, Verb};

/// How much is read at a time, in bytes: more does not read faster, less does.
const BUFFER: usize = 256 * 1024;

/// A window of a text of any size, in constant memory.
pub(super) fn read_window(
    secret: &VersionSecret,
    target: &Target,
    wanted: &ReadWindow,
    cancel: &Cancel,
) -> Result<TextWindow, Error> {
    cancel.check(Verb::Read)?;
    let opened = open_regular(target, cancel)?;
    cancel.expect(opened.size);
    let mut pieces = Pieces::new(opened, BUFFER);
    let mut version = PiecedVersion::new(secret);
    let mut checker = Checker::new();
    let mut reader = WindowReader::new(translated(wanted));
    let not_text = |why| wording::not_text(Verb::Read, &target.display, why);
    while let Some((piece, last)) = pieces.next(&target.display, cancel)? {
        version.update(piece, last);
        let checked = checker.feed(piece).map_err(not_text)?;
        if let Some(joined) = checked.joined {
            reader.feed(joined.encode_utf8(&mut [0; 4]));
        }
        reader.feed(checked.text);
    }
    checker.finish().map_err(not_text)?;
    let byte_order_mark = checker.byte_order_mark();
    Ok(answer(reader.finish(), version.finish(), byte_order_mark))
}

fn translated(wanted: &ReadWindow) -> Wanted {
    Wanted {
        first_line: wanted.first_line,
        first_column: wanted.first_column,
        max_lines: wanted.max_lines,
        max_bytes: wanted.max_bytes,
        max_line_chars: wanted.max_line_chars,
    }
}

fn answer(window: Window, version: String, byte_order_mark: bool) -> TextWindow {
    let cut_lines = window.cut_lines.iter().map(|cut| CutLine {
        line: cut.line,
        next_column: cut.next_column,
    });
    TextWindow {
        version,
        first_line: window.first_line,
        line_count: window.line_count,
        total_lines: window.total_lines,
        capped: window.capped,
        cut_lines: cut_lines.collect(),
        line_endings: line_endings(window.line_endings),
        final_newline: window.final_newline,
        byte_order_mark,
        text: window.text,
    }
}

fn line_endings(endings: endings::LineEndings) -> LineEndings {
    match endings {
        endings::LineEndings::None => LineEndings::None,
        endings::LineEndings::Lf => LineEndings::Lf,
        endings::LineEndings::Crlf => LineEndings::Crlf,
        endings::LineEndings::Mixed => LineEndings::Mixed,
    }
}
