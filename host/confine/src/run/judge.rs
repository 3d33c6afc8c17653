//! Whether a line that sounds like a denial can be one.
//!
//! Landlock refuses with the words of every refused right ("Permission denied"), and a
//! disk can be read-only by itself. A line that names only files which the policy lets be
//! written, or which this user could not write anyway, is the system's own refusal: no
//! wider mode would help.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use crate::confined::Confined;
use crate::place;
use crate::profile::Profile;
use crate::verdict::denials;

/// The first line that can be a denial of the policy.
pub(super) fn denial(confined: &Confined, cwd: &Path, stderr: &str) -> Option<String> {
    // A line is the command's own text; what it names is only looked at, never opened.
    let mut lines = denials(&confined.denial_signatures, Some(1), stderr);
    lines
        .find(|line| can_be(&confined.profile, cwd, line))
        .map(str::to_owned)
}

fn can_be(profile: &Profile, cwd: &Path, line: &str) -> bool {
    let named = named(cwd, line);
    named.is_empty() || named.iter().any(|path| forbidden(profile, path))
}

/// The files that a line names: in quotes, with a slash, or there.
fn named(cwd: &Path, line: &str) -> Vec<PathBuf> {
    // `program: file: reason`: the program is not what was refused.
    let line = match line.split_once(": ") {
        Some((_, rest)) if rest.contains(": ") => rest,
        _ => line,
    };
    let is_quote = |c| matches!(c, '\'' | '"' | '`' | '\u{2018}' | '\u{2019}');
    let quoted = line.split(is_quote).skip(1).step_by(2);
    let parts = line.split(": ");
    let words = line.split(|c: char| c.is_whitespace() || c == ':' || is_quote(c));
    let quoted: Vec<&str> = quoted.collect();
    let all = quoted.iter().copied().chain(parts).chain(words);
    let mut paths = Vec::new();
    for text in all.filter(|text| !text.is_empty()) {
        let path = cwd.join(text);
        let slash = text.contains('/') && !text.contains(char::is_whitespace);
        if quoted.contains(&text) || slash || place::kind(&path).is_some() {
            paths.push(path);
        }
    }
    paths
}

/// Whether the policy forbids what this user could otherwise do.
fn forbidden(profile: &Profile, path: &Path) -> bool {
    let exists = place::canonical(path);
    let place = exists.or_else(|| {
        let parent = place::canonical(path.parent()?)?;
        Some(parent.join(path.file_name()?))
    });
    let Some(place) = place else {
        return false;
    };
    if profile
        .hidden
        .paths
        .iter()
        .any(|hidden| place.starts_with(hidden))
    {
        return true;
    }
    let writable = |path: &Path| accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok();
    let could = match place::kind(&place) {
        Some(_) => writable(&place),
        None => place.parent().is_some_and(writable),
    };
    could && !profile.admits(&place)
}
