//! Metadata, kept or refused, for each kind of user: root, the owner, a member of the
//! file's group, and a stranger. What a write in place would leave is the measure.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use dsh_fs::error::{Code, Error};
use dsh_fs::local::Call;
use dsh_fs::types::{Mutation, WriteGuard};
use rustix::fs::{IFlags, XattrFlags};
use rustix::io::Errno;

use crate::tree::{Tree, access_list, as_user, code};
use crate::watch::Script;

const OWNER: u32 = 4001;
const MEMBER: u32 = 4002;
const STRANGER: u32 = 4003;
const GROUP: u32 = 4100;
const OTHER_GROUP: u32 = 4200;

/// Who writes: user, group, further groups.
type User = (u32, u32, &'static [u32]);

const ROOT: User = (0, 0, &[]);
const AS_OWNER: User = (OWNER, OWNER, &[GROUP]);
/// Owns the file, but is not in its group.
const AS_OUTSIDE_OWNER: User = (OWNER, OWNER, &[]);
const AS_MEMBER: User = (MEMBER, MEMBER, &[GROUP]);
const AS_STRANGER: User = (STRANGER, STRANGER, &[]);
const EVERYBODY: [User; 5] = [ROOT, AS_OWNER, AS_OUTSIDE_OWNER, AS_MEMBER, AS_STRANGER];

/// What of a file must stay.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    mode: u32,
    owner: (u32, u32),
    attributes: Vec<(&'static str, Option<Vec<u8>>)>,
}

const ATTRIBUTES: [&str; 3] = [
    "user.note",
    "system.posix_acl_access",
    "security.capability",
];

fn facts(path: &Path) -> Facts {
    let metadata = fs::metadata(path).expect("there");
    Facts {
        mode: metadata.mode() & 0o7777,
        owner: (metadata.uid(), metadata.gid()),
        attributes: ATTRIBUTES.map(|name| (name, attribute(path, name))).into(),
    }
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = [0; 256];
    let length = rustix::fs::getxattr(path, name, &mut value[..]).ok()?;
    Some(value[..length].to_vec())
}

fn set(path: &Path, name: &str, value: &[u8]) {
    rustix::fs::setxattr(path, name, value, XattrFlags::empty()).expect("attributes work here");
}

fn give(path: &Path, uid: u32, gid: u32) {
    std::os::unix::fs::lchown(path, Some(uid), Some(gid)).expect("root may");
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A file of OWNER and GROUP in a directory where everybody may make files.
fn file(tree: &Tree, mode: u32) -> std::path::PathBuf {
    let path = tree.put("a", "old");
    give(&path, OWNER, GROUP);
    tree.set_mode("a", mode);
    tree.set_mode("", 0o777);
    path
}

/// Replaces a file made by `prepare`, and writes to another one in place, as a user.
fn compared(user: User, mode: u32, prepare: fn(&Path)) -> (Result<Mutation, Error>, Facts, Facts) {
    let (tree, twin) = (Tree::quick(), Tree::quick());
    let (path, other) = (file(&tree, mode), file(&twin, mode));
    prepare(&path);
    prepare(&other);
    let guard = WriteGuard::ReplaceIfVersion(tree.version("a"));
    let made = as_user(user, || {
        // Best effort: a stranger may not.
        let _ = fs::write(&other, "new");
        tree.write("a", "new", &guard)
    });
    let made = made.expect("root may become anybody");
    assert_eq!(tree.names(), ["a"], "nothing is left behind");
    let content = if made.is_ok() { "new" } else { "old" };
    assert_eq!(fs::read_to_string(&path).expect("readable"), content);
    (made, facts(&path), facts(&other))
}

/// Replaced: as after a write in place. Refused: as before, naming what would be lost.
fn check(user: User, mode: u32, prepare: fn(&Path), lost: Option<&str>) {
    let (made, replaced, written) = compared(user, mode, prepare);
    match lost {
        None => {
            made.unwrap_or_else(|error| panic!("{user:?} {mode:o}: {error}"));
            assert_eq!(replaced, written, "{user:?} {mode:o}");
        }
        Some(lost) => {
            let refused = made.expect_err("refused");
            assert_eq!(refused.code, Code::PermissionDenied, "{refused}");
            assert!(
                refused.message.contains(lost),
                "{user:?} {mode:o}: {refused}"
            );
        }
    }
}

fn lost_by(user: User) -> Option<&'static str> {
    match user {
        ROOT | AS_OWNER => None,
        AS_OUTSIDE_OWNER => Some("would lose its group"),
        _ => Some("would lose its owner"),
    }
}

/// Fails when `as_after_a_write` drops no bits or all of them, `owner` gives nothing away,
/// or `refusal` is no refusal.
#[test]
fn mode_owner_and_group() {
    if !is_root() {
        return;
    }
    for user in EVERYBODY {
        for mode in [0o666, 0o1666, 0o4777, 0o2777, 0o6777, 0o2666, 0o6766] {
            check(user, mode, |_| {}, lost_by(user));
        }
    }
    for user in [AS_MEMBER, AS_STRANGER] {
        check(user, 0o644, |_| {}, Some("EACCES"));
    }
    check(AS_STRANGER, 0o664, |_| {}, Some("EACCES"));
}

/// A directory may give new files the group, and the kernel then drops the set-group-id
/// bit in silence for whoever is not in it. Fails when `reproduce` does not look at the
/// mode after it was set.
#[test]
fn the_set_group_id_bit_without_the_group() {
    if !is_root() {
        return;
    }
    let passed_on = |path: &Path| {
        let parent = path.parent().expect("a folder");
        give(parent, 0, GROUP);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o2777);
        fs::set_permissions(parent, mode).expect("root may");
    };
    check(AS_OUTSIDE_OWNER, 0o666, passed_on, None);
    check(
        AS_OUTSIDE_OWNER,
        0o2666,
        passed_on,
        Some("would lose its mode"),
    );
    check((OWNER, GROUP, &[]), 0o2666, |_| {}, None);
}

/// Fails when `attributes` adds nothing.
#[test]
fn attributes_and_access_lists() {
    if !is_root() {
        return;
    }
    for user in EVERYBODY {
        check(
            user,
            0o666,
            |path| set(path, "user.note", b"kept"),
            lost_by(user),
        );
        let listed = |path: &Path| set(path, "system.posix_acl_access", &access_list(MEMBER));
        let lost = match user {
            AS_STRANGER => Some("EACCES"),
            _ => lost_by(user),
        };
        check(user, 0o660, listed, lost);
    }
}

/// Capabilities of a file (version 2, `CAP_NET_RAW`) go with a write. Fails when they are
/// left out of `OF_CONTENT`.
#[test]
fn capabilities_go_as_with_a_write() {
    if !is_root() {
        return;
    }
    for user in [ROOT, AS_OWNER] {
        let capable = |path: &Path| {
            let mut value = [0; 20];
            value[..4].copy_from_slice(&0x0200_0001_u32.to_le_bytes());
            value[4..8].copy_from_slice(&(1_u32 << 13).to_le_bytes());
            set(path, "security.capability", &value);
        };
        check(user, 0o755, capable, None);
    }
}

/// Attributes that only root may set are named. Fails when a failure to set or to remove
/// one is passed over.
#[test]
fn attributes_of_others_are_named() {
    if !is_root() {
        return;
    }
    let labelled = |path: &Path| set(path, "security.label", b"secret");
    check(ROOT, 0o666, labelled, None);
    check(AS_OWNER, 0o666, labelled, Some("attribute security.label"));
}

fn set_flags(path: &Path, flags: IFlags) -> bool {
    let file = fs::File::open(path).expect("there");
    let given = rustix::fs::ioctl_getflags(&file).unwrap_or(IFlags::empty());
    rustix::fs::ioctl_setflags(&file, given | flags).is_ok()
}

fn has_flags(path: &Path, flags: IFlags) -> bool {
    let file = fs::File::open(path).expect("there");
    rustix::fs::ioctl_getflags(&file).is_ok_and(|given| given.contains(flags))
}

/// Fails when `flags::reproduce` is not called.
#[test]
fn inode_flags_stay() {
    let flags = IFlags::NODUMP | IFlags::NOATIME | IFlags::SYNC;
    let tree = Tree::quick();
    let path = tree.put("a", "old");
    if !set_flags(&path, flags) {
        return; // This file system has none.
    }
    tree.replace("a", "new").expect("replaced");
    assert!(has_flags(&path, flags));
    tree.edit("a", "new", "newer").expect("edited");
    assert!(has_flags(&path, flags));
}

/// A directory gives its flags to new files; a replaced file has its own. Fails when
/// flags are only added.
#[test]
fn inode_flags_of_the_directory_are_not_taken_on() {
    let tree = Tree::quick();
    let path = tree.put("a", "old");
    if !set_flags(tree.root(), IFlags::NODUMP) {
        return;
    }
    tree.replace("a", "new").expect("replaced");
    assert!(!has_flags(&path, IFlags::NODUMP));
    tree.create("b", "new").expect("created");
    assert!(has_flags(&tree.path("b"), IFlags::NODUMP));
}

/// Some flags are a privilege, and some file systems take none. Fails when a refusal to
/// set flags is passed over.
#[test]
fn inode_flags_that_cannot_be_kept_are_named() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    if !set_flags(&path, IFlags::NODUMP) {
        return;
    }
    script.without(&[(Call::SetFlags, Errno::PERM)]);
    let refused = tree.replace("a", "new").expect_err("refused");
    assert_eq!(refused.code, Code::PermissionDenied);
    assert!(
        refused.message.contains("would lose its no-dump flag"),
        "{refused}"
    );
    assert_eq!(
        (tree.content("a"), tree.names()),
        ("old".into(), vec!["a".into()])
    );
}

/// Fails when a file system without flags is taken for a failure.
#[test]
fn without_inode_flags_nothing_is_lost() {
    for errno in [Errno::NOTTY, Errno::OPNOTSUPP, Errno::NOSYS, Errno::INVAL] {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        tree.put("a", "old");
        script.ask(move |call| match call {
            Call::GetFlags => Err(errno),
            _ => Ok(()),
        });
        tree.replace("a", "new").expect("replaced");
    }
}

/// What may only be appended to is not replaced, nor what may not be changed.
#[test]
fn append_only_and_immutable_files_are_refused() {
    for flag in [IFlags::APPEND, IFlags::IMMUTABLE] {
        let tree = Tree::quick();
        let path = tree.put("a", "old");
        if !set_flags(&path, flag) {
            return;
        }
        let refused = tree.replace("a", "new");
        let file = fs::File::open(&path).expect("there");
        let given = rustix::fs::ioctl_getflags(&file).expect("flags");
        rustix::fs::ioctl_setflags(&file, given - flag).expect("taken away");
        assert_eq!(code(refused), Code::PermissionDenied);
        assert_eq!(
            (tree.content("a"), tree.names()),
            ("old".into(), vec!["a".into()])
        );
    }
}

/// Fails when new files are not made with 0666, or in another directory: umask, group and
/// directory are the kernel's business.
#[test]
fn new_files_follow_umask_and_directory() {
    if !is_root() {
        return;
    }
    let tree = Tree::quick();
    for (name, mode) in [("plain", 0o777), ("setgid", 0o2777)] {
        fs::create_dir(tree.path(name)).expect("made");
        give(&tree.path(name), 0, OTHER_GROUP);
        tree.set_mode(name, mode);
    }
    as_user(AS_OWNER, || {
        tree.create("plain/a", "x").expect("created");
        tree.create("setgid/a", "x").expect("created");
        tree.create("setgid/d/a", "x").expect("created");
    });
    let of = |name: &str| {
        let Facts { mode, owner, .. } = facts(&tree.path(name));
        (mode, owner)
    };
    assert_eq!(of("plain/a"), (0o644, (OWNER, OWNER)));
    assert_eq!(of("setgid/a"), (0o644, (OWNER, OTHER_GROUP)));
    assert_eq!(of("setgid/d"), (0o2755, (OWNER, OTHER_GROUP)));
    assert_eq!(of("setgid/d/a"), (0o644, (OWNER, OTHER_GROUP)));
}

/// Fails when the last link is replaced, or a dangling one is an error.
#[test]
fn a_link_is_written_through() {
    let tree = Tree::quick();
    tree.put("a", "old");
    tree.set_mode("a", 0o640);
    for (link, to) in [("link", "a"), ("dangling", "b")] {
        std::os::unix::fs::symlink(to, tree.path(link)).expect("a link");
    }
    tree.replace("link", "new").expect("replaced");
    tree.create("dangling", "made").expect("created");
    assert_eq!((tree.content("a"), tree.mode("a")), ("new".into(), 0o640));
    assert_eq!(tree.content("b"), "made");
    for link in ["link", "dangling"] {
        assert!(tree.path(link).is_symlink());
    }
}
