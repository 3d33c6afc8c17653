//! The profile of the sandbox of macOS, as text.

use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use dsh_fs::roots::Roots;
use dsh_fs::types::ExecutionPolicy;

use crate::error::{Tried, Unavailable};
use crate::options::{Network, Used};
use crate::place;
use crate::profile::{Profile, path_of};
use crate::wording;

/// The profile of a policy: everything is allowed, then writing is denied, then allowed
/// again beneath the roots, then denied again in protected sub-paths.
///
/// A path is a text in quotes in which quotes, backslashes and control characters are
/// escaped, so that no name of a directory can end the text and add a rule.
///
/// # Errors
/// The workspace was moved since it was pinned, or a path is not UTF-8: such a path cannot
/// be said in a profile.
pub fn profile(policy: &ExecutionPolicy, roots: &Roots) -> Result<String, Unavailable> {
    let refused = |reason| Unavailable {
        mode: policy.mode,
        tried: vec![Tried::new(Used::Seatbelt.name(), reason)],
        detail: None,
    };
    let profile = Profile::new(policy, roots, Network::Open)
        .map_err(|moved| refused(wording::workspace_moved(&moved.0)))?;
    text(&profile).map_err(refused)
}

/// The arguments of `sandbox-exec` up to the `--`, and what they do not keep.
pub(crate) fn arguments(profile: &Profile) -> Result<(Vec<OsString>, Vec<String>), String> {
    let later = profile.hidden.later.iter();
    let gaps = later.map(|rule| wording::later(rule)).collect();
    Ok((vec!["-p".into(), text(profile)?.into()], gaps))
}

fn text(profile: &Profile) -> Result<String, String> {
    let mut text = String::from("(version 1) (allow default)");
    if !profile.is_unfenced() {
        text.push_str(" (deny file-write*) (allow file-write* (literal \"/dev/null\"))");
    }
    let roots: Vec<_> = profile.writable.iter().map(|root| path_of(root)).collect();
    rule(
        &mut text,
        "allow file-write*",
        roots.iter().map(AsRef::as_ref),
    )?;
    let protected = profile.protected.iter().flat_map(|path| {
        // The place as it is spelled and the one that it leads to.
        [Some(path.clone()), place::canonical(path)]
            .into_iter()
            .flatten()
    });
    let mut protected: Vec<_> = protected.collect();
    protected.dedup();
    rule(
        &mut text,
        "deny file-write*",
        protected.iter().map(AsRef::as_ref),
    )?;
    let hidden = profile.hidden.paths.iter().chain(&profile.own);
    rule(
        &mut text,
        "deny file-read* file-write*",
        hidden.map(AsRef::as_ref),
    )?;
    if profile.network == Network::Closed {
        text.push_str(" (deny network*)");
    }
    Ok(text)
}

fn rule<'a>(
    text: &mut String,
    what: &str,
    paths: impl Iterator<Item = &'a Path>,
) -> Result<(), String> {
    let mut paths = paths.peekable();
    if paths.peek().is_none() {
        return Ok(());
    }
    write!(text, " ({what}").expect("a text takes every text");
    for path in paths {
        write!(text, " (subpath {})", quoted(path)?).expect("a text takes every text");
    }
    text.push(')');
    Ok(())
}

/// A path as a literal of the profile language.
fn quoted(path: &Path) -> Result<String, String> {
    let unsayable = |_| wording::unsayable_path(path);
    let path_text = std::str::from_utf8(path.as_os_str().as_bytes()).map_err(unsayable)?;
    let mut quoted = String::from("\"");
    for c in path_text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                write!(quoted, "\\x{:x};", u32::from(c)).expect("a text takes every text");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    Ok(quoted)
}
