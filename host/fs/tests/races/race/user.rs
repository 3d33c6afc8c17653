//! Who plays a part.

use rustix::process::{Gid, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};
use serde::{Deserialize, Serialize};

const ORDINARY: u32 = 65_534;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum User {
    /// Whoever runs the race.
    Same,
    /// Somebody without rights; only root can become one.
    Ordinary,
    /// Root without the right to lease the files of others.
    WithoutLease,
}

impl User {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Same if is_root() => "root",
            Self::Same => "owner",
            Self::Ordinary => "ordinary",
            Self::WithoutLease => "root without CAP_LEASE",
        }
    }

    /// Whether this process may become this user.
    pub(crate) fn is_possible(self) -> bool {
        self == Self::Same || is_root()
    }

    /// Changes the credentials of this thread and of those that it starts.
    pub(crate) fn become_it(self) {
        match self {
            Self::Same => {}
            Self::Ordinary => become_ordinary(),
            Self::WithoutLease => drop_lease(),
        }
    }
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Gives a path to the ordinary user.
pub(crate) fn give_away(path: &std::path::Path) {
    let (uid, gid) = (Uid::from_raw(ORDINARY), Gid::from_raw(ORDINARY));
    rustix::fs::chown(path, Some(uid), Some(gid)).expect("root may give files away");
}

fn become_ordinary() {
    let (uid, gid) = (Uid::from_raw(ORDINARY), Gid::from_raw(ORDINARY));
    rustix::thread::set_thread_groups(&[]).expect("root may");
    rustix::thread::set_thread_res_gid(gid, gid, gid).expect("root may");
    rustix::thread::set_thread_res_uid(uid, uid, uid).expect("root may");
}

fn drop_lease() {
    let held = rustix::thread::capabilities(None).expect("readable");
    let less = CapabilitySets {
        effective: held.effective - CapabilitySet::LEASE,
        permitted: held.permitted - CapabilitySet::LEASE,
        inheritable: held.inheritable,
    };
    rustix::thread::set_capabilities(None, less).expect("less is always allowed");
}
