//! The metadata of the old file on the new one, or a refusal that names what would be
//! lost.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::failure::Failure;
use super::flags;
use crate::local::sys::{Kernel, Stat};

/// Attributes that speak of the bytes of the file: the kernel drops or renews them when a
/// file is written in place, so they are not carried over either.
const OF_CONTENT: [&CStr; 3] = [c"security.capability", c"security.ima", c"security.evm"];

const SET_UID: u32 = 0o4000;
const SET_GID: u32 = 0o2000;
const GROUP_MAY_RUN: u32 = 0o0010;

type Attributes = BTreeMap<CString, Vec<u8>>;

/// Gives a staged file the owner, attributes, inode flags and mode of the old one, in this order: each
/// step may undo part of a later one, none of an earlier one. Answers what it is then.
///
/// A file that was made with the mode, and that no step had to change, is left as it is.
pub(crate) fn reproduce(
    kernel: &Kernel,
    old: &OwnedFd,
    stat: &Stat,
    staged: &OwnedFd,
) -> Result<Stat, Failure> {
    let new = kernel.stat(staged)?;
    let mut changed = owner(kernel, stat, &new, staged)?;
    changed |= attributes(kernel, old, staged)?;
    changed |= flags::reproduce(kernel, old, staged)?;
    let permissions = as_after_a_write(kernel, stat)?;
    if !changed && new.permissions() == permissions {
        return Ok(new);
    }
    kernel
        .change_mode(staged, permissions)
        .map_err(|errno| refusal(errno, "mode"))?;
    // The kernel drops the set-group-id bit in silence for whoever is not in the group.
    let new = kernel.stat(staged)?;
    match new.permissions() == permissions {
        true => Ok(new),
        false => Err(Failure::NotReproducible("mode".to_owned())),
    }
}

/// Answers whether anything had to be changed, as the other steps do.
fn owner(kernel: &Kernel, old: &Stat, new: &Stat, staged: &OwnedFd) -> Result<bool, Failure> {
    let uid = (old.uid != new.uid).then_some(old.uid);
    let gid = (old.gid != new.gid).then_some(old.gid);
    if uid.is_none() && gid.is_none() {
        return Ok(false);
    }
    let what = if uid.is_some() { "owner" } else { "group" };
    kernel
        .change_owner(staged, uid, gid)
        .map_err(|errno| refusal(errno, what))?;
    Ok(true)
}

/// Adds what the old file has, takes away what the new one got from its directory.
fn attributes(kernel: &Kernel, old: &OwnedFd, staged: &OwnedFd) -> Result<bool, Failure> {
    let wanted = all(kernel, old)?;
    let given = all(kernel, staged)?;
    if wanted == given {
        return Ok(false);
    }
    for name in given.keys().filter(|name| !wanted.contains_key(*name)) {
        match kernel.remove_attribute(staged, name) {
            Ok(()) | Err(Errno::NODATA) => {}
            Err(errno) => return Err(attribute_refusal(errno, name)),
        }
    }
    for (name, value) in &wanted {
        if given.get(name) != Some(value) {
            kernel
                .set_attribute(staged, name, value)
                .map_err(|errno| attribute_refusal(errno, name))?;
        }
    }
    Ok(true)
}

fn all(kernel: &Kernel, file: &OwnedFd) -> Result<Attributes, Failure> {
    let mut all = Attributes::new();
    for name in kernel.attributes(file)? {
        if OF_CONTENT.contains(&name.as_c_str()) {
            continue;
        }
        match kernel.attribute(file, &name) {
            Ok(Some(value)) => drop(all.insert(name, value)),
            // Removed between the two calls.
            Ok(None) => {}
            Err(errno) => return Err(attribute_refusal(errno, &name)),
        }
    }
    Ok(all)
}

/// The mode that an in-place write by this user would leave: set-id bits survive only the
/// writes of those who may keep them.
fn as_after_a_write(kernel: &Kernel, old: &Stat) -> Result<u32, Failure> {
    let mode = old.permissions();
    if mode & (SET_UID | SET_GID) == 0 || kernel.keeps_set_id()? {
        return Ok(mode);
    }
    let dropped = match mode & GROUP_MAY_RUN {
        0 => SET_UID,
        _ => SET_UID | SET_GID,
    };
    Ok(mode & !dropped)
}

fn attribute_refusal(errno: Errno, name: &CStr) -> Failure {
    let name = name.to_string_lossy();
    match name.strip_prefix("system.posix_acl_") {
        Some(_) => refusal(errno, "access control list"),
        None => refusal(errno, &format!("attribute {name}")),
    }
}

/// A right or an ability that is missing is a refusal; a failing disk is not.
fn refusal(errno: Errno, what: &str) -> Failure {
    match errno {
        Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::INVAL => {
            Failure::NotReproducible(what.to_owned())
        }
        errno => errno.into(),
    }
}
