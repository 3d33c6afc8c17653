//! The lines of a journal: a check sum under the secret of the installation, and JSON.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::steps::{Authority, Step};
use crate::types::{ExecutionPolicy, Mode, Target};
use crate::version::VersionSecret;

/// What stands on one line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    /// The first line.
    Begin {
        /// What a person may call the transaction.
        label: String,
    },
    /// A change that is about to be made.
    Intend(Intended),
    /// A file of which nothing more is to be restored.
    Decided {
        /// The file.
        key: String,
    },
}

/// A change that is about to be made.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Intended {
    key: String,
    display: String,
    mode: String,
    workspace_root: String,
    session_id: Option<String>,
    previous: String,
    intended: String,
    old: Option<String>,
}

impl Intended {
    pub(super) fn of(step: &Step) -> Self {
        let policy = &step.authority.policy;
        Self {
            key: step.target.key.clone(),
            display: step.target.display.clone(),
            mode: policy.mode.name().to_owned(),
            workspace_root: policy.workspace_root.clone(),
            session_id: policy.session_id.clone(),
            previous: step.previous.clone(),
            intended: step.intended.clone(),
            old: step.old.as_deref().map(str::to_owned),
        }
    }

    /// The step; `None` where its mode has a name that is not known.
    pub(super) fn into_step(self) -> Option<Step> {
        Some(Step {
            authority: Authority {
                policy: ExecutionPolicy {
                    mode: Mode::from_name(&self.mode)?,
                    workspace_root: self.workspace_root,
                    session_id: self.session_id,
                },
                roots: None,
            },
            target: Target {
                key: self.key,
                display: self.display,
            },
            previous: self.previous,
            intended: self.intended,
            old: self.old.map(Arc::from),
        })
    }
}

/// The line of a record, with its end.
pub(super) fn line(secret: &VersionSecret, record: &Record) -> Vec<u8> {
    let json = serde_json::to_string(record).expect("plain values");
    let sum = secret.version_of(json.as_bytes());
    format!("{sum} {json}\n").into_bytes()
}

/// The records of a journal. A last line that is not whole was never relied on and is left
/// out; `None` where any other line is not as it was written.
pub(super) fn read(secret: &VersionSecret, journal: &[u8]) -> Option<Vec<Record>> {
    let mut lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    if lines
        .last()
        .is_some_and(|line| parse(secret, line).is_none())
    {
        lines.pop();
    }
    lines.into_iter().map(|line| parse(secret, line)).collect()
}

fn parse(secret: &VersionSecret, line: &[u8]) -> Option<Record> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (sum, json) = line.split_once(' ')?;
    let whole = secret.version_of(json.as_bytes()) == sum;
    whole.then(|| serde_json::from_str(json).ok())?
}

#[cfg(test)]
mod tests {
    use super::{Record, line, read};
    use crate::version::VersionSecret;

    fn begin(label: &str) -> Record {
        Record::Begin {
            label: label.to_owned(),
        }
    }

    /// Fails when `parse` does not compare the sum, or `read` takes a broken line.
    #[test]
    fn only_the_last_line_may_be_broken() {
        let secret = VersionSecret::random().expect("random bytes");
        let one = line(&secret, &begin("one\ntwo"));
        let whole = [one.clone(), line(&secret, &begin("b"))].concat();
        for cut in 0..whole.len() {
            let count = usize::from(cut >= one.len());
            let found = read(&secret, &whole[..cut]).map(|records| records.len());
            assert_eq!(found, Some(count), "cut at {cut}");
        }
        assert_eq!(read(&secret, &whole).map(|records| records.len()), Some(2));
        let mut changed = whole;
        changed[30] ^= 1;
        assert!(read(&secret, &changed).is_none());
    }
}
