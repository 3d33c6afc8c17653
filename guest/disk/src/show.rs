//! What is shown of a text: a window of it, in memory that only the window bounds.

use dsh_fs_text::endings;
use dsh_fs_text::utf8::Checker;
use dsh_fs_text::window::{Wanted, Window, WindowReader};

use crate::bindings::dsh::fs::types::{
    CutLine, Error, LineEndings, ReadWindow, Target, TextContent, TextWindow,
};
use crate::content::{self, Hasher};
use crate::failure;
use crate::ground::Ground;

/// A part of a text; the whole file is checked and hashed.
pub(crate) fn window(
    ground: &Ground,
    target: &Target,
    wanted: &ReadWindow,
) -> Result<TextWindow, Error> {
    let display = &target.display_path;
    let file = content::open(ground, "read", target)?;
    let mut reader = WindowReader::new(Wanted {
        first_line: wanted.first_line,
        first_column: wanted.first_column,
        max_lines: wanted.max_lines,
        max_bytes: wanted.max_bytes,
        max_line_chars: wanted.max_line_chars,
    });
    let mut checker = Checker::new();
    let mut hasher = Hasher::new(ground);
    let not_text = |why| failure::not_text("read", display, why);
    content::pieces(&file, "read", display, |piece| {
        hasher.update(piece);
        let checked = checker.feed(piece).map_err(not_text)?;
        if let Some(joined) = checked.joined {
            reader.feed(joined.encode_utf8(&mut [0; 4]));
        }
        reader.feed(checked.text);
        Ok(())
    })?;
    checker.finish().map_err(not_text)?;
    Ok(told(
        reader.finish(),
        hasher.finish(),
        checker.byte_order_mark(),
    ))
}

/// A whole text, if it has at most so many bytes.
pub(crate) fn text(ground: &Ground, target: &Target, most: u64) -> Result<TextContent, Error> {
    let display = &target.display_path;
    let bytes = bytes(ground, target, most)?;
    let (_, text) = content::text(&bytes, "read", display)?;
    Ok(TextContent {
        version: content::version(ground, &bytes),
        text: text.to_owned(),
    })
}

/// Raw content, if it has at most so many bytes.
pub(crate) fn bytes(ground: &Ground, target: &Target, most: u64) -> Result<Vec<u8>, Error> {
    let file = content::open(ground, "read", target)?;
    let most = most.min(content::MOST);
    content::whole(&file, "read", &target.display_path, most)
}

fn told(window: Window, version: String, byte_order_mark: bool) -> TextWindow {
    let cut_lines = window.cut_lines.iter().map(|cut| CutLine {
        line: cut.line,
        next_column: cut.next_column,
    });
    TextWindow {
        version,
        cut_lines: cut_lines.collect(),
        first_line: window.first_line,
        line_count: window.line_count,
        total_lines: window.total_lines,
        capped: window.capped,
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
