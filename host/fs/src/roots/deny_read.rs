//! Places whose content nobody reads: globs over canonical paths.
//!
//! A pattern is taken apart once: the names before its first wildcard are a place, and the
//! rest is a glob beneath it. The place counts as it is written and where it leads when the
//! roots are derived, so that a rule that names a link closes what the link leads to.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use crate::cancel::Cancel;
use crate::local::key::is_beneath;
use crate::local::resolve::resolve;
use crate::name;
use crate::wording;

/// A pattern that cannot be a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct BadGlob {
    /// One sentence: what is wrong with it.
    pub reason: String,
}

/// One pattern, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    absolute: bool,
    /// The names before the first wildcard, without slashes at the ends.
    literal: Vec<u8>,
    /// What must match beneath them; nothing where the pattern has no wildcard.
    rest: Option<GlobMatcher>,
    /// Whether it names what is the host's own.
    own: bool,
}

impl Pattern {
    /// Takes a pattern apart. `*` and `?` stop at a slash, `**` does not.
    pub(super) fn new(text: &str) -> Result<Self, BadGlob> {
        let bad = |reason| BadGlob { reason };
        if let Some(reason) = wording::deny_read::unusable(text) {
            return Err(bad(reason));
        }
        let absolute = text.starts_with('/');
        let (literal, rest) = split(without_tail(text.trim_start_matches('/')));
        let rest = match rest {
            "" => None,
            rest => Some(compiled(rest).map_err(|error| bad(wording::deny_read::syntax(&error)))?),
        };
        Ok(Self {
            text: text.to_owned(),
            absolute,
            literal: literal.as_bytes().to_vec(),
            rest,
            own: false,
        })
    }

    /// What the host keeps for itself at an absolute path, and where that leads now; nothing
    /// where the path is relative.
    pub(super) fn of_the_host(path: &[u8]) -> Vec<Self> {
        let leads_to = path.starts_with(b"/").then(|| leads_to(path)).flatten();
        let places = [Some(path.to_vec()), leads_to];
        let literals = places.into_iter().flatten().filter_map(|place| {
            let literal = place.strip_prefix(b"/")?;
            Some(literal.strip_suffix(b"/").unwrap_or(literal).to_vec())
        });
        let own = literals.map(|literal| Self {
            text: name::to_text(path),
            absolute: true,
            literal,
            rest: None,
            own: true,
        });
        own.collect()
    }

    /// The rules that it makes: one where it is absolute, else one beneath every base; two
    /// where its place leads elsewhere.
    pub(super) fn beneath(&self, bases: &[Vec<u8>]) -> Vec<DenyRead> {
        let root: &[Vec<u8>] = &[b"/".to_vec()];
        let bases = if self.absolute { root } else { bases };
        let mut rules: Vec<DenyRead> = Vec::new();
        for base in bases {
            let written = joined(base, &self.literal);
            // Where the host's own leads is known already.
            let leads_to = (!self.own).then(|| leads_to(&written)).flatten();
            for place in [leads_to, Some(written)].into_iter().flatten() {
                if rules.iter().all(|rule| rule.place != place) {
                    rules.push(DenyRead {
                        pattern: self.text.clone(),
                        place,
                        rest: self.rest.clone(),
                        own: self.own,
                    });
                }
            }
        }
        rules
    }
}

/// One rule at one place.
#[derive(Clone, Debug)]
pub struct DenyRead {
    pattern: String,
    place: Vec<u8>,
    rest: Option<GlobMatcher>,
    own: bool,
}

impl DenyRead {
    /// The pattern as the deployment wrote it.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The absolute path that everything it covers is at or beneath. It need not exist.
    #[must_use]
    pub fn place(&self) -> &[u8] {
        &self.place
    }

    /// Whether the place itself is covered, and so everything beneath it; otherwise names
    /// beneath it are covered as the pattern says.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rest.is_none()
    }

    /// Whether it is no rule of the deployment, but names what is the host's own:
    /// [`RootRules::with_own`](super::RootRules::with_own).
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// Whether it covers an absolute path: one that matches, or one beneath it.
    #[must_use]
    pub fn covers(&self, path: &[u8]) -> bool {
        let Some(glob) = &self.rest else {
            return path == self.place || is_beneath(&self.place, path);
        };
        if !is_beneath(&self.place, path) {
            return false;
        }
        let place = self.place.strip_suffix(b"/").unwrap_or(&self.place).len();
        let rest = &path[place + 1..];
        let ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let matches = |rest: &[u8]| glob.is_match(Path::new(OsStr::from_bytes(rest)));
        matches(rest) || ends.into_iter().any(|(end, _)| matches(&rest[..end]))
    }
}

/// `secrets/`, `secrets/**` and `secrets` are one rule: what covers everything in a
/// directory covers its list of names too.
fn without_tail(mut text: &str) -> &str {
    loop {
        match text.strip_suffix("/**").or(text.strip_suffix('/')) {
            Some(shorter) => text = shorter,
            None if text == "**" => return "",
            None => return text,
        }
    }
}

/// The names before the first one with a wildcard, and what follows them.
fn split(text: &str) -> (&str, &str) {
    let special = |byte: u8| b"*?[]{}\\!".contains(&byte);
    let Some(first) = text.bytes().position(special) else {
        return (text, "");
    };
    match text[..first].rfind('/') {
        Some(slash) => (&text[..slash], &text[slash + 1..]),
        None => ("", text),
    }
}

fn compiled(glob: &str) -> Result<GlobMatcher, globset::Error> {
    let glob = GlobBuilder::new(glob).literal_separator(true).build()?;
    Ok(glob.compile_matcher())
}

fn joined(base: &[u8], literal: &[u8]) -> Vec<u8> {
    let mut path = base.to_vec();
    if !literal.is_empty() {
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(literal);
    }
    path
}

/// Where a place leads; nothing where no path can lead there.
fn leads_to(place: &[u8]) -> Option<Vec<u8>> {
    let target = resolve(&name::to_text(place), "/", &Cancel::new()).ok()?;
    Some(name::to_bytes(&target.key))
}
