//! The deliberate differences from the reference, as code.
//!
//! A case that states what the reference does (it has no `exact`) is first compared as it
//! is. Where it differs, the expectation is translated by the rules below, one for each
//! entry of the list of differences in design and cases; what differs after that too is a
//! failure. A rule looks at the disk as it was before the operation, never at our answer,
//! so that it cannot excuse a mistake of ours.
//!
//! - `codes`: a raw platform error, no code, and the reference's own codes.
//! - `listing`: byte order of names, no versions, a broken child does not fail it.
//! - `paths`: dangling links, `link/..`, trailing slashes, missing roots, and targets that
//!   lead elsewhere by now.
//! - `versions`: a version is the content; what was seen counts as seen.
//! - `texts`: overlap, NUL, characters, line endings, byte order mark.
//! - `answers`: the footer says more, an ambiguous edit names its lines.
//! - `confine`: what an argv does counts, `/tmp` is the host's, Windows is out of scope.
//! - `permission`: what an in-place write by the same user would meet; the umask.
//! - `workspace`: one database stores the registry of workspaces, and cannot hold what the
//!   reference finds corrupt.

use std::path::Path;

use serde_json::Value;

use crate::case::Case;
use crate::places::Places;

mod answers;
mod codes;
mod confine;
mod facts;
mod history;
mod listing;
mod paths;
mod permission;
mod texts;
mod versions;
mod workspace;

pub use facts::Facts;
pub use history::History;

/// One operation of a reference case, and what is known around it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The case.
    pub case: &'a Case,
    /// The operation.
    pub op: &'a Value,
    /// Where it runs.
    pub places: &'a Places,
    /// The disk before the operation.
    pub facts: &'a Facts,
    /// What the operations before did.
    pub history: &'a History,
}

impl Question<'_> {
    fn name(&self) -> &str {
        match self.op["op"].as_str() {
            Some("tool") => self.op["name"].as_str().unwrap_or(""),
            other => other.unwrap_or(""),
        }
    }

    fn is_tool(&self) -> bool {
        self.op["op"] == "tool"
    }

    fn mutates(&self) -> bool {
        matches!(self.name(), "write" | "edit")
    }

    /// Whether nothing is demanded of the mutation.
    fn unguarded(&self) -> bool {
        if self.is_tool() {
            !self.case.given.gate
        } else {
            self.op.get("guard").is_none()
        }
    }
}

/// A rule: the expectation in, the translated one out.
type Rule = fn(&Question<'_>, Value) -> Value;

const RULES: [Rule; 28] = [
    confine::argv,
    confine::denial,
    confine::refusal,
    answers::language,
    answers::ambiguous,
    listing::versions_fall_away,
    listing::byte_order,
    listing::broken_child,
    paths::dangling_link,
    paths::component_by_component,
    paths::trailing_slash,
    paths::missing_root,
    paths::led_elsewhere,
    paths::root_to_pin,
    versions::same_content,
    versions::not_stale,
    versions::seen_past_the_end,
    versions::missing_unguarded,
    versions::one_session,
    texts::overlap,
    texts::nul_anywhere,
    texts::characters,
    answers::footer,
    texts::as_stored,
    texts::progress,
    permission::in_place,
    permission::set_id,
    codes::translate,
];

/// What we answer where the reference answers `expect`.
#[must_use]
pub fn result(question: &Question<'_>, expect: &Value) -> Value {
    if question.case.given.domain.is_some() {
        return workspace::registry(question, expect.clone());
    }
    RULES
        .iter()
        .fold(expect.clone(), |expect, rule| rule(question, expect))
}

/// What we leave at a path of a vector, which is this place, where the reference leaves `expect`; each of them is right.
#[must_use]
pub fn file(
    case: &Case,
    places: &Places,
    history: &History,
    path: &str,
    place: &Path,
    expect: &Value,
) -> Vec<Value> {
    let mut ours = vec![permission::new_file(case, path, expect)];
    ours.extend(confine::shared_tmp(case, places, place, expect));
    ours.extend(history.left(place));
    ours.extend(paths::made_names(history, place, expect));
    ours.extend(texts::untouched(case, path));
    ours
}
