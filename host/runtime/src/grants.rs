//! Receipts of approved escalations, recorded by the host for one session.

use dsh_fs::types::Mode;

use crate::change::Found;

/// What one receipt is good for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) tool: &'static str,
    pub(crate) key: String,
    pub(crate) mode: Mode,
    /// What the change was shown against.
    pub(crate) found: Found,
}

/// The receipts that have not been used. They end with the call that asked for them: what
/// a person allowed once is not left lying about.
#[derive(Debug, Default)]
pub(crate) struct Grants(Vec<(String, Grant)>);

impl Grants {
    /// Records a grant; answers the token, 128 random bits in hexadecimal.
    pub(crate) fn issue(&mut self, grant: Grant) -> String {
        let token = random_token();
        self.0.push((token.clone(), grant));
        token
    }

    /// Takes a grant out: whatever comes of it, it was used.
    pub(crate) fn take(&mut self, token: &str) -> Option<Grant> {
        let place = self.0.iter().position(|(known, _)| known == token)?;
        Some(self.0.swap_remove(place).1)
    }

    /// Forgets every grant.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

fn random_token() -> String {
    let (low, high) = random_bits();
    format!("{high:016x}{low:016x}")
}

/// 128 bits of the operating system.
pub(crate) fn random_bits() -> (u64, u64) {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).expect("the operating system gives random numbers");
    let bits = u128::from_ne_bytes(bits);
    (bits as u64, (bits >> 64) as u64)
}
