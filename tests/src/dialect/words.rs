//! The words by which the other schemas describe contents and changes from outside.

use serde_json::{Value, json};

/// Content that is described (`'x'*100000`, `'a'*9000 + NUL`, `<9000 x 'a'>\0`), or the
/// text itself.
pub(super) fn content(text: &str) -> Value {
    described(text).unwrap_or_else(|| json!(text))
}

fn described(text: &str) -> Option<Value> {
    if text.contains('*') {
        let parts: Option<Vec<Value>> = text.split(" + ").map(product).collect();
        return parts.map(|parts| json!({"parts": parts}));
    }
    let (inside, rest) = text.strip_prefix('<')?.split_once('>')?;
    let (times, unit) = inside.split_once(" x ")?;
    let times: u64 = times.trim().parse().ok()?;
    let unit = unit.trim().trim_matches('\'');
    Some(json!({"parts": [{"repeat": [unit, times]}, unescaped(rest)]}))
}

fn product(part: &str) -> Option<Value> {
    match part.trim() {
        "NUL" => return Some(json!({"hex": "00"})),
        "BOM" => return Some(json!({"hex": "efbbbf"})),
        _ => {}
    }
    let (unit, times) = part.trim().rsplit_once('*')?;
    let unit = unit.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    Some(json!({"repeat": [unescaped(unit), times.trim().parse::<u64>().ok()?]}))
}

/// A change from outside in words, as operations; nothing where the words are not known.
/// `only` is the file that is meant where none is named.
pub(super) fn change(words: &str, only: Option<&str>) -> Option<Vec<Value>> {
    let (verb, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
    let rest = rest.trim();
    if words == "rename another file with the same bytes over f" {
        return Some(vec![json!({"op": "copy-over", "path": "f"})]);
    }
    let named = |rest: &str| (!rest.is_empty() && !rest.contains(' ')).then(|| rest.to_owned());
    let path = named(rest).or_else(|| only.map(str::to_owned));
    match verb {
        "touch" => Some(vec![json!({"op": "ext", "do": "touch", "path": path?})]),
        "delete" | "rm" | "remove" => Some(vec![json!({"op": "ext", "do": "rm", "path": path?})]),
        "mkdir" => Some(vec![json!({"op": "ext", "do": "mkdir", "path": path?})]),
        "chmod" => chmod(rest, only),
        "create" | "write" | "rewrite" | "append" => put(verb, rest, only),
        "rename" | "link" | "symlink" | "move" => moved(verb, rest),
        "replace" => replaced(rest),
        _ => None,
    }
}

fn chmod(rest: &str, only: Option<&str>) -> Option<Vec<Value>> {
    let (mode, path) = rest.split_once(' ').unwrap_or((rest, only?));
    u32::from_str_radix(mode, 8).ok()?;
    Some(vec![
        json!({"op": "ext", "do": "chmod", "path": path, "mode": mode}),
    ])
}

fn put(verb: &str, rest: &str, only: Option<&str>) -> Option<Vec<Value>> {
    let start = rest.find('\'')?;
    let text = rest[start..].strip_prefix('\'')?.strip_suffix('\'')?;
    let path = match rest[..start].trim() {
        "" => only?,
        named => named,
    };
    let what = if verb == "append" { "append" } else { "write" };
    let content = unescaped(text);
    Some(vec![
        json!({"op": "ext", "do": what, "path": path, "content": content}),
    ])
}

/// `f by a directory`, `f by a FIFO`, `f with a symlink to g`.
fn replaced(rest: &str) -> Option<Vec<Value>> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let made = |path: &str, what: &str| {
        vec![
            json!({"op": "ext", "do": "rm", "path": path}),
            json!({"op": "ext", "do": what, "path": path}),
        ]
    };
    match words.as_slice() {
        [path, "by" | "with", "a", "directory"] => Some(made(path, "mkdir")),
        [path, "by" | "with", "a", "FIFO" | "fifo"] => Some(made(path, "fifo")),
        [path, "by" | "with", "a", "symlink" | "link", "to", to] => Some(vec![
            json!({"op": "ext", "do": "link", "path": path, "to": to}),
        ]),
        _ => None,
    }
}

fn moved(verb: &str, rest: &str) -> Option<Vec<Value>> {
    let verb = match verb {
        "symlink" => "link",
        "move" => "rename",
        other => other,
    };
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        [from, "to" | "over" | "->", to] => Some(vec![
            json!({"op": "ext", "do": verb, "path": from, "to": to}),
        ]),
        _ => None,
    }
}

/// `\n`, `\r`, `\t`, `\0` and `\\` as the characters that they stand for.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match (character, rest.clone().next()) {
            ('\\', Some(next)) if "nrt0\\".contains(next) => {
                rest.next();
                out.push(match next {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    '0' => '\0',
                    _ => '\\',
                });
            }
            _ => out.push(character),
        }
    }
    out
}
