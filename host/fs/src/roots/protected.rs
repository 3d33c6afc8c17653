//! Sub-paths of the roots that stay read-only.

use std::sync::Arc;

use super::Root;
use crate::cancel::Cancel;
use crate::local::key::is_beneath;
use crate::local::resolve::resolve;
use crate::name;

/// One protected path, absolute, which need not exist.
#[derive(Clone, Debug)]
pub(crate) struct Protected(Vec<u8>);

impl Protected {
    /// The protected paths of these rules beneath these roots.
    pub(super) fn beneath(rules: &[Vec<u8>], roots: &[Arc<Root>]) -> Vec<Self> {
        let mut protected = Vec::new();
        for rule in rules.iter().filter(|rule| !rule.is_empty()) {
            if rule.starts_with(b"/") {
                protected.push(Self::at(rule.clone()));
                continue;
            }
            for root in roots {
                let mut path = root.path().to_vec();
                if !path.ends_with(b"/") {
                    path.push(b'/');
                }
                path.extend_from_slice(rule);
                protected.push(Self::at(path));
            }
        }
        protected
    }

    /// Whether a mutation of this canonical path touches what is protected: a path in it,
    /// or one above it, where a new file would stand in its way or point elsewhere.
    pub(crate) fn covers(&self, path: &[u8]) -> bool {
        let now = self.leads_to();
        [self.0.as_slice(), now.as_slice()].iter().any(|protected| {
            *protected == path || is_beneath(protected, path) || is_beneath(path, protected)
        })
    }

    /// The path in the name escape.
    pub(crate) fn text(&self) -> String {
        name::to_text(&self.0)
    }

    fn at(path: Vec<u8>) -> Self {
        let text = name::to_text(path.strip_suffix(b"/").unwrap_or(&path));
        match resolve(&text, "", &Cancel::new()) {
            Ok(target) => Self(name::to_bytes(&target.display)),
            Err(_) => Self(path),
        }
    }

    /// Where it leads now: a link on the way protects the place it leads to.
    fn leads_to(&self) -> Vec<u8> {
        match resolve(&self.text(), "", &Cancel::new()) {
            Ok(target) => name::to_bytes(&target.key),
            Err(_) => self.0.clone(),
        }
    }
}
