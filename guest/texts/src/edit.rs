//! A literal edit of a whole content.

use dsh_fs_text::edit::{self, Content, plan};
use dsh_fs_text::near::near_miss;
use dsh_fs_text::utf8::BYTE_ORDER_MARK;

use crate::bindings::dsh::fs::types::Edit;
use crate::bindings::exports::dsh::fs::text::{Ambiguity, EditRefusal, Edited};
use crate::unmarked;

/// The content after the edit, or why there is none.
pub(crate) fn apply(content: &str, edit: &Edit) -> Result<Edited, EditRefusal> {
    let (text, byte_order_mark) = unmarked(content);
    let before = Content {
        text,
        byte_order_mark,
    };
    let plan = plan(before, &edit.old_text, &edit.new_text, edit.replace_all)
        .map_err(|why| refusal(why, text, &edit.old_text))?;
    let mut content = String::new();
    content.extend(byte_order_mark.then_some(BYTE_ORDER_MARK));
    content.extend(plan.pieces(text));
    Ok(Edited {
        content,
        replacements: u32::try_from(plan.replacements()).unwrap_or(u32::MAX),
    })
}

fn refusal(why: edit::EditRefusal, text: &str, old: &str) -> EditRefusal {
    match why {
        edit::EditRefusal::Empty => EditRefusal::Empty,
        edit::EditRefusal::Same => EditRefusal::Same,
        edit::EditRefusal::NotFound => {
            EditRefusal::NotFound(near_miss(text, old).map(|near| near.sentence()))
        }
        edit::EditRefusal::Ambiguous { count, lines } => {
            EditRefusal::Ambiguous(Ambiguity { count, lines })
        }
    }
}
