//! Ways around a policy that are none.

use std::collections::BTreeMap;

use dsh_fs::types::Mode;

use dsh_fs_confine::Used;

use crate::place::{Place, shells};

/// Ways to write beside the workspace, or to the disk below every path. `$OUT` is the
/// directory beside it.
const WAYS: [&str; 12] = [
    "mount -o remount,bind,rw / ; mount -o remount,rw /",
    "umount -l /; umount \"$OUT\"; umount /",
    "unshare -Urm sh -c 'mount -o remount,bind,rw /; printf x > \"$OUT/f\"'",
    "unshare -m sh -c 'mount -o remount,bind,rw /; printf x > \"$OUT/f\"'",
    "mount --bind \"$OUT\" . ; printf x > f",
    "nsenter -t 1 -m sh -c 'printf x > \"$OUT/f\"'",
    "printf x > /proc/1/root$OUT/f",
    "printf x > /proc/self/cwd/../out/f",
    "ln ../out/there here && printf x > here",
    "mv ../out/there here",
    "truncate -s 0 ../out/there",
    // By its path, without opening it.
    "perl -e 'truncate(\"../out/there\", 0)'",
];

/// Without `--cap-drop ALL` root mounts the disk writable again under bubblewrap; where
/// `KNOWN` in ruleset.rs is the first ABI, the last way cuts the file short.
#[test]
fn no_way_leads_outside() {
    for (used, shell) in shells("no_way_leads_outside") {
        for mode in [Mode::WorkspaceWrite, Mode::ReadOnly] {
            for way in WAYS {
                let place = Place::new();
                std::fs::write(place.out().join("there"), "old").expect("a file");
                let out = place.out();
                let script = format!(
                    "OUT={}; export OUT; {way}; printf x > $OUT/f",
                    out.display()
                );
                place.sh(&shell, mode, &script);
                let there = std::fs::read(out.join("there")).expect("it is there");
                assert_eq!(there, b"old", "{used:?}, {mode:?}: {way}");
                assert!(!out.join("f").exists(), "{used:?}, {mode:?}: {way}");
            }
        }
    }
}

/// Root could else make a node of the disk in the workspace, and write to it: it can under
/// Landlock where both `rights::give_up` and the rights that `Grant::of` leaves out go.
#[test]
fn no_device_is_of_use_in_the_workspace() {
    for (used, shell) in shells("no_device_is_of_use") {
        let place = Place::new();
        // The memory device "full": opening it for writing does no harm.
        let script = "mknod d c 1 7 && : > d && echo opened";
        let finished = place.sh(&shell, Mode::WorkspaceWrite, script);
        assert_eq!(finished.stdout.bytes, b"", "{used:?}: {finished:?}");
    }
}

/// Settings of the kernel are files too. Without `--remount-ro /proc` bubblewrap leaves
/// them to root.
#[test]
fn the_kernels_settings_are_not_opened_for_writing() {
    for (used, shell) in shells("the_kernels_settings") {
        let place = Place::new();
        let script = "for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger \
                      /sys/kernel/mm/transparent_hugepage/enabled; do \
                      (: >> $f) 2>/dev/null && echo $f; done";
        let finished = place.sh(&shell, Mode::WorkspaceWrite, script);
        assert_eq!(finished.stdout.bytes, b"", "{used:?}");
    }
}

/// Every mount of the whole view, and not only those that somebody thought of.
#[test]
fn no_mount_is_writable_but_the_roots() {
    for (used, shell) in shells("no_mount_is_writable_but_the_roots") {
        if used != Used::Bubblewrap {
            continue;
        }
        for mode in [Mode::WorkspaceWrite, Mode::ReadOnly] {
            let place = Place::new();
            let mounts = place
                .sh(&shell, mode, "cat /proc/self/mountinfo")
                .stdout
                .text();
            assert!(mounts.lines().count() > 5, "{mounts}");
            let roots = place.roots(mode).texts();
            for (point, writable) in topmost(&mounts) {
                // Terminals, and devices one by one.
                let device = point.starts_with("/dev/") && point != "/dev/shm";
                let root = roots.contains(&point);
                assert!(!writable || device || root, "{mode:?}: {point}");
            }
        }
    }
}

/// The mount that is seen at each point, the last one made, and whether it is writable.
fn topmost(mounts: &str) -> BTreeMap<String, bool> {
    let mounts = mounts.lines().map(|mount| {
        let fields: Vec<&str> = mount.split(' ').collect();
        let writable = fields[5].split(',').any(|option| option == "rw");
        (fields[4].to_owned(), writable)
    });
    mounts.collect()
}

/// A program that is another user's for whoever starts it is that no more.
#[test]
fn no_new_rights_are_gained() {
    for (used, shell) in shells("no_new_rights_are_gained") {
        let place = Place::new();
        let script = "grep NoNewPrivs /proc/self/status";
        let finished = place.sh(&shell, Mode::ReadOnly, script);
        assert_eq!(finished.stdout.bytes, b"NoNewPrivs:\t1\n", "{used:?}");
    }
}
