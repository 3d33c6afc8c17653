//! The two mutations: a whole file, and a literal edit.

use dsh_fs_text::edit::{Content, EditRefusal, plan};
use dsh_fs_text::name::shown;
use dsh_fs_text::near::near_miss;
use dsh_fs_text::utf8::BYTE_ORDER_MARK;

use crate::bindings::dsh::fs::types::{
    Edit, EditGuard, Error, ErrorCode, Mutation, Operation, Report, Target, WriteGuard,
};
use crate::content;
use crate::failure::{self, cannot, detailed};
use crate::fence::Within;
use crate::ground::Ground;
use crate::hunk::hunks;
use crate::publish::{self, Published};

/// What a mutation did, before it is told.
struct Done<'a> {
    target: &'a Target,
    before: Option<(String, String)>,
    after: &'a str,
    published: Published,
    replacements: Option<u32>,
}

/// Publishes a whole file.
pub(crate) fn write(
    ground: &Ground,
    within: Within,
    target: &Target,
    text: &str,
    guard: &WriteGuard,
    report: Report,
) -> Result<Mutation, Error> {
    let mut made = Vec::new();
    let display = &target.display_path;
    let published = publish::folder(within, "write", display, &mut made).and_then(|folder| {
        let WriteGuard::ReplaceIfVersion(version) = guard else {
            return Ok((None, publish::create(&folder, target, text.as_bytes())?));
        };
        let before = old(ground, "write", target, version)?;
        let change = ("write", target);
        let published = publish::replace(ground, &folder, change, text.as_bytes(), version)?;
        Ok((Some((before, version.clone())), published))
    });
    match published {
        Ok((before, published)) => {
            let done = Done {
                target,
                before,
                after: text,
                published,
                replacements: None,
            };
            Ok(told(ground, done, report))
        }
        Err(error) => {
            publish::unmake(made);
            Err(error)
        }
    }
}

/// Replaces text in a file; the version is checked before the text is searched.
pub(crate) fn edit(
    ground: &Ground,
    within: Within,
    target: &Target,
    edit: &Edit,
    guard: &EditGuard,
    report: Report,
) -> Result<Mutation, Error> {
    let EditGuard::IfVersion(version) = guard else {
        return Err(failure::stale("edit", &target.display_path));
    };
    let before = old(ground, "edit", target, version)?;
    let (after, replacements) = edited(&before, edit, &target.display_path)?;
    let folder = publish::folder(within, "edit", &target.display_path, &mut Vec::new())?;
    let change = ("edit", target);
    let published = publish::replace(ground, &folder, change, after.as_bytes(), version)?;
    let done = Done {
        target,
        before: Some((before, version.clone())),
        after: &after,
        published,
        replacements: Some(replacements),
    };
    Ok(told(ground, done, report))
}

/// The text that a change displaces, if it still has this version.
fn old(ground: &Ground, verb: &str, target: &Target, version: &str) -> Result<String, Error> {
    let display = &target.display_path;
    let file = content::open(ground, verb, target).map_err(|error| match error.code {
        ErrorCode::NotFound => failure::gone(verb, display),
        _ => error,
    })?;
    let bytes = content::whole(&file, verb, display, content::MOST)?;
    if content::version(ground, &bytes) != *version {
        return Err(failure::stale(verb, display));
    }
    content::text(&bytes, verb, display)?;
    String::from_utf8(bytes).map_err(|_| failure::stale(verb, display))
}

fn edited(before: &str, edit: &Edit, display: &str) -> Result<(String, u32), Error> {
    let unmarked = before.strip_prefix(BYTE_ORDER_MARK);
    let text = unmarked.unwrap_or(before);
    let content = Content {
        text,
        byte_order_mark: unmarked.is_some(),
    };
    let plan = plan(content, &edit.old_text, &edit.new_text, edit.replace_all)
        .map_err(|why| refused(why, text, &edit.old_text, display))?;
    let mut after = String::new();
    after.extend(unmarked.map(|_| BYTE_ORDER_MARK));
    after.extend(plan.pieces(text));
    let replacements = u32::try_from(plan.replacements()).unwrap_or(u32::MAX);
    Ok((after, replacements))
}

fn refused(why: EditRefusal, text: &str, old: &str, display: &str) -> Error {
    let path = shown(display);
    let failed = |code, message| Error {
        path: Some(path.clone()),
        ..failure::plain(code, message)
    };
    match why {
        EditRefusal::Empty => {
            let message = "old_string must be a non-empty string".to_owned();
            failed(ErrorCode::EditNotFound, message)
        }
        EditRefusal::Same => cannot(
            ErrorCode::EditNotFound,
            "edit",
            display,
            "old_string and new_string leave the file as it is",
        ),
        EditRefusal::NotFound => {
            let error = failed(
                ErrorCode::EditNotFound,
                format!("old_string was not found in \"{path}\""),
            );
            match near_miss(text, old) {
                Some(near) => detailed(error, near.sentence()),
                None => error,
            }
        }
        EditRefusal::Ambiguous { count, lines } => {
            let message = format!(
                "old_string matched {count} times in \"{path}\"; provide a more specific \
                 old_string or set replace_all to true"
            );
            let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
            let detail = format!("it begins at lines {}", lines.join(", "));
            detailed(failed(ErrorCode::AmbiguousEdit, message), detail)
        }
    }
}

fn told(ground: &Ground, done: Done<'_>, report: Report) -> Mutation {
    let before = done.before.as_ref().map(|(text, _)| text.as_str());
    let (hunks, hunks_cut) = match report.contains(Report::HUNKS) {
        true => hunks(before, done.after),
        false => (Vec::new(), false),
    };
    let texts = report.contains(Report::TEXTS);
    Mutation {
        operation: match before {
            Some(_) => Operation::Update,
            None => Operation::Create,
        },
        target: done.target.clone(),
        version: content::version(ground, done.after.as_bytes()),
        replacements: done.replacements,
        grade: done.published.grade,
        grade_reason: done.published.reason,
        hunks,
        hunks_cut,
        after: texts.then(|| done.after.to_owned()),
        before: before.filter(|_| texts).map(str::to_owned),
        previous: done.before.map(|(_, version)| version),
    }
}
