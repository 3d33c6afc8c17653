//! The names of staging files, from which a later process can tell what they are.
//!
//! `.dsh-fs-p-` a file in the making; it has not been exchanged with anything.
//! `.dsh-fs-x-` a complete file on its way into place, or what it displaced: the name
//! tells the versions of both and, as a version of its bytes, the name of the target.
//! `.dsh-fs-r-` a directory with the file that is being removed, under its own name: the
//! directory's name tells the version of the file.
//! `.dsh-fs-d-` the outermost of missing directories in the making: its name tells the
//! version of the file that is made in them.
//! None of them depends on the length of the target's name, so every name has room.

use std::collections::hash_map::RandomState;
use std::ffi::CString;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What every staging name begins with.
pub(crate) const PREFIX: &[u8] = b".dsh-fs-";

/// Characters of a version.
const VERSION: usize = 22;

/// Characters of the part that makes a name unique.
const NONCE: usize = 16;

/// What the name of an exchanged file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The version that must be displaced.
    pub(crate) guarded: String,
    /// The version that is to be published.
    pub(crate) intended: String,
    /// The version of the target's name.
    pub(crate) target: String,
}

/// What a staging name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leftover {
    /// In the making.
    Partial,
    /// Complete, or displaced.
    Exchanged(Marks),
    /// Directories in the making, for a file of this version.
    Making(String),
    /// A directory with what is being removed, if it has this version.
    Removed(String),
}

/// A new name for a file in the making.
pub(crate) fn partial() -> CString {
    name(format!("p-{:016x}", nonce()))
}

/// A new name for the outermost of the directories that are made for a file.
pub(crate) fn making(intended: &str) -> CString {
    name(format!("d-{intended}-{:016x}", nonce()))
}

/// A new name for the directory of a file that is being removed.
pub(crate) fn removed(guarded: &str) -> CString {
    name(format!("r-{guarded}-{:016x}", nonce()))
}

impl Marks {
    /// A new name that tells this.
    pub(crate) fn to_name(&self) -> CString {
        let Self {
            guarded,
            intended,
            target,
        } = self;
        name(format!("x-{guarded}-{intended}-{target}-{:016x}", nonce()))
    }
}

/// Reads a name; `None` for every name that we did not make.
pub(crate) fn read(name: &[u8]) -> Option<Leftover> {
    let rest = name.strip_prefix(PREFIX)?;
    if let Some(nonce) = rest.strip_prefix(b"p-") {
        return is_nonce(nonce).then_some(Leftover::Partial);
    }
    if let Some(rest) = rest.strip_prefix(b"d-") {
        return of_one_version(rest).map(Leftover::Making);
    }
    if let Some(rest) = rest.strip_prefix(b"r-") {
        return of_one_version(rest).map(Leftover::Removed);
    }
    let (guarded, rest) = version(rest.strip_prefix(b"x-")?)?;
    let (intended, rest) = version(rest)?;
    let (target, nonce) = version(rest)?;
    is_nonce(nonce).then_some(Leftover::Exchanged(Marks {
        guarded,
        intended,
        target,
    }))
}

fn of_one_version(text: &[u8]) -> Option<String> {
    let (version, nonce) = version(text)?;
    is_nonce(nonce).then_some(version)
}

fn version(text: &[u8]) -> Option<(String, &[u8])> {
    let (version, rest) = text.split_at_checked(VERSION)?;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let version = version.iter().all(plain).then_some(version)?;
    let version = String::from_utf8(version.to_vec()).ok()?;
    Some((version, rest.strip_prefix(b"-")?))
}

fn is_nonce(text: &[u8]) -> bool {
    text.len() == NONCE && text.iter().all(u8::is_ascii_hexdigit)
}

fn name(rest: String) -> CString {
    let name = [PREFIX, rest.as_bytes()].concat();
    CString::new(name).expect("prefix, versions and digits hold no NUL")
}

/// Different in each call and, by a random start, in each process.
fn nonce() -> u64 {
    static START: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    static COUNT: AtomicU64 = AtomicU64::new(0);
    START.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::{Leftover, Marks, PREFIX, making, partial, read, removed};

    #[test]
    fn names_are_read_back() {
        let marks = Marks {
            guarded: "g".repeat(22),
            intended: "-".repeat(22),
            target: "_".repeat(22),
        };
        let name = marks.to_name();
        assert!(
            name.count_bytes() < 140,
            "short enough for every file system"
        );
        assert_eq!(read(name.to_bytes()), Some(Leftover::Exchanged(marks)));
        assert_eq!(read(partial().to_bytes()), Some(Leftover::Partial));
        let version = "v".repeat(22);
        let (made, gone) = (making(&version), removed(&version));
        let made_for = Leftover::Making(version.clone());
        assert_eq!(read(made.to_bytes()), Some(made_for));
        assert_eq!(read(gone.to_bytes()), Some(Leftover::Removed(version)));
    }

    #[test]
    fn names_of_others_are_left_alone() {
        let close = [PREFIX, b"p-0123456789abcde"].concat();
        for name in [&b"a"[..], PREFIX, b".dsh-fs-p-", b".dsh-fs-notes", &close] {
            assert_eq!(read(name), None, "{name:?}");
        }
    }
}
