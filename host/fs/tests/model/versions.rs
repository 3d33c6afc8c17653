//! Which versions were seen: equal ones for equal contents, and for no others.

use std::collections::HashMap;

/// Every content that had a version so far.
#[derive(Default)]
pub(crate) struct Versions {
    of: HashMap<Vec<u8>, String>,
    content: HashMap<String, Vec<u8>>,
}

impl Versions {
    /// Notes that a content has this version.
    pub(crate) fn note(&mut self, bytes: &[u8], version: &str) -> Result<(), String> {
        let known = self
            .of
            .entry(bytes.to_vec())
            .or_insert_with(|| version.to_owned());
        if known != version {
            return Err(format!("the same bytes had version {known}, now {version}"));
        }
        let content = self
            .content
            .entry(version.to_owned())
            .or_insert_with(|| bytes.to_vec());
        match content == bytes {
            true => Ok(()),
            false => Err("two contents have one version".to_owned()),
        }
    }
}
