//! Nothing lands outside, whatever is swapped at whatever moment.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::local::{Call, PublishOptions, Walk};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{ExecutionPolicy, Mode, Mutation, Target, WriteGuard};
use dsh_fs::version::VersionSecret;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use crate::tree::{TEXTS, backend, code, names, quick};
use crate::watch::Script;

const WALKS: [Walk; 2] = [Walk::Kernel, Walk::ByHand];

/// A workspace, and a folder outside that a link points to.
struct Fenced {
    folder: tempfile::TempDir,
    files: Files,
}

impl Fenced {
    fn new(walk: Option<Walk>, script: Option<Arc<Script>>) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        for name in ["ws/d/e", "out/e"] {
            fs::create_dir_all(folder.path().join(name)).expect("made");
        }
        symlink("../out", folder.path().join("ws/l")).expect("linked");
        let options = PublishOptions { walk, ..quick() };
        let secret = VersionSecret::random().expect("random bytes");
        let fs = backend(&secret, options, script.map(|script| script as _));
        let sandbox = SandboxedFileSystem::new(Arc::new(fs), RootRules::workspace_only());
        let policy = ExecutionPolicy {
            mode: Mode::WorkspaceWrite,
            workspace_root: folder.path().join("ws").display().to_string(),
            session_id: None,
        };
        let roots = sandbox.pin(&policy).expect("pinned");
        let files = sandbox.open(policy, roots, Guarding::Bare, None);
        Self { folder, files }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn target(&self, name: &str) -> Result<Target, Error> {
        self.files.resolve(name, None, &Cancel::new())
    }

    fn write(&self, target: &Target, guard: &WriteGuard) -> Result<Mutation, Error> {
        self.files
            .write_text(target, "mine", guard, TEXTS, &Cancel::new())
    }
}

fn exchange(a: &Path, b: &Path) {
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).expect("exchanged");
}

/// The directory becomes a link to outside after the last check by path. Fails when the
/// walk follows links: without `NO_SYMLINKS`, or without `O_NOFOLLOW` by hand.
#[test]
fn a_directory_that_becomes_a_link_is_not_followed() {
    for (walk, call) in [
        (Walk::Kernel, Call::OpenBeneath),
        (Walk::ByHand, Call::OpenAt),
    ] {
        for name in ["d/n", "d/e/n", "d/new/n"] {
            let script = Script::new();
            let fenced = Fenced::new(Some(walk), Some(script.clone()));
            let target = fenced.target(name).expect("resolves");
            let (d, l) = (fenced.path("ws/d"), fenced.path("ws/l"));
            script.at(call, move || exchange(&d, &l));
            let denied = fenced.write(&target, &WriteGuard::CreateIfAbsent);
            assert_eq!(code(denied), Code::SandboxDenied, "{walk:?} {name}");
            assert_eq!(names(&fenced.path("out")), ["e/"], "{walk:?} {name}");
        }
    }
}

/// A parent in the making becomes a link before it is entered. Fails when it is opened with
/// links followed: without `O_NOFOLLOW` in `STEP`.
#[test]
fn a_made_parent_that_becomes_a_link_is_not_entered() {
    let script = Script::new();
    let fenced = Fenced::new(None, Some(script.clone()));
    let target = fenced.target("n/m/f").expect("resolves");
    let (workspace, link) = (fenced.path("ws"), fenced.path("ws/l"));
    let (followed, entered) = (fenced.path("out/m"), Arc::new(AtomicBool::new(false)));
    let seen = Arc::clone(&entered);
    let mut made_one = false;
    let mut swapped = false;
    script.ask(move |call| {
        seen.fetch_or(followed.exists(), Ordering::Relaxed);
        if made_one && !swapped && call == Call::OpenAt {
            let mut names = names(&workspace).into_iter();
            let made = names.find(|name| name.starts_with(".dsh-fs-d-"));
            exchange(&workspace.join(made.expect("there")), &link);
            swapped = true;
        }
        made_one |= call == Call::MakeDirectory;
        Ok(())
    });
    fenced
        .write(&target, &WriteGuard::CreateIfAbsent)
        .expect("made anew");
    assert!(fenced.path("ws/l").is_dir(), "swapped");
    assert!(!entered.load(Ordering::Relaxed), "not for a moment");
    assert!(fenced.path("ws/n/m/f").exists());
    assert_eq!(names(&fenced.path("out")), ["e/"]);
}

/// A link takes the name of the missing parent while it is being made. Fails when the
/// parents are moved over what has the name, or when what has it is entered.
#[test]
fn a_link_in_the_place_of_a_missing_parent_is_neither_entered_nor_replaced() {
    for missing in [&[][..], &[(Call::RenameNew, Errno::INVAL)]] {
        let script = Script::new();
        let fenced = Fenced::new(None, Some(script.clone()));
        let target = fenced.target("n/m/f").expect("resolves");
        let (link, place) = (fenced.path("ws/l"), fenced.path("ws/n"));
        script.ask(move |call| {
            if call == Call::LinkUnnamed {
                let _ = fs::rename(&link, &place);
            }
            let found = missing.iter().find(|(missing, _)| *missing == call);
            found.map_or(Ok(()), |(_, errno)| Err(*errno))
        });
        let denied = fenced.write(&target, &WriteGuard::CreateIfAbsent);
        assert_eq!(code(denied), Code::SandboxDenied);
        assert_eq!(names(&fenced.path("out")), ["e/"]);
        assert_eq!(names(&fenced.path("ws")), ["d/", "d/e/", "n"]);
        assert!(fenced.path("ws/n").is_symlink());
    }
}

/// A link takes the place of the made parents right before they are moved, or they are
/// moved aside. Fails when nobody looks at what was moved: success would be reported for a
/// file that is elsewhere.
#[test]
fn what_is_moved_in_the_place_of_made_parents_is_no_success() {
    let script = Script::new();
    let fenced = Fenced::new(None, Some(script.clone()));
    let target = fenced.target("n/m/f").expect("resolves");
    let (workspace, link) = (fenced.path("ws"), fenced.path("ws/l"));
    script.at(Call::RenameNew, move || {
        let mut names = names(&workspace).into_iter();
        let made = names.find(|name| name.starts_with(".dsh-fs-d-"));
        exchange(&workspace.join(made.expect("there")), &link);
    });
    let denied = fenced.write(&target, &WriteGuard::CreateIfAbsent);
    assert_eq!(
        code(denied),
        Code::SandboxDenied,
        "the link has the name now"
    );
    assert_eq!(names(&fenced.path("out")), ["e/"]);
    assert!(
        !fenced.path("ws/l/m/f").exists(),
        "the file is not left there"
    );
}

/// The last name becomes a link. Fails when the target is opened with links followed, or
/// published over a link.
#[test]
fn a_target_that_becomes_a_link_is_neither_followed_nor_replaced() {
    for call in [Call::StatAt, Call::OpenAt, Call::Exchange] {
        let script = Script::new();
        let fenced = Fenced::new(Some(Walk::Kernel), Some(script.clone()));
        fs::write(fenced.path("ws/f"), "inside").expect("written");
        fs::write(fenced.path("out/f"), "inside").expect("written");
        symlink("../out/f", fenced.path("ws/link")).expect("linked");
        let target = fenced.target("f").expect("resolves");
        let (f, link) = (fenced.path("ws/f"), fenced.path("ws/link"));
        script.at(call, move || exchange(&f, &link));
        let refused = fenced.write(&target, &WriteGuard::Unconditional);
        assert_eq!(code(refused), Code::NotRegularFile, "{call:?}");
        assert!(fenced.path("ws/f").is_symlink(), "{call:?}");
        let outside = fs::read_to_string(fenced.path("out/f")).expect("there");
        assert_eq!(outside, "inside", "{call:?}");
        let inside = fs::read_to_string(fenced.path("ws/link")).expect("there");
        assert_eq!(inside, "inside", "{call:?}");
    }
}

/// Lookups that race with a rename are repeated, and never handed to a weaker walk.
#[test]
fn a_restless_machine_gives_its_own_error() {
    let script = Script::new();
    let fenced = Fenced::new(None, Some(script.clone()));
    let target = fenced.target("d/n").expect("resolves");
    let mut probed = false;
    script.ask(move |call| match call {
        Call::OpenBeneath if std::mem::replace(&mut probed, true) => Err(Errno::AGAIN),
        _ => Ok(()),
    });
    let error = fenced
        .write(&target, &WriteGuard::CreateIfAbsent)
        .expect_err("restless");
    assert_eq!(error.code, Code::IoError);
    assert!(error.message.contains("EAGAIN"), "{error}");
    let calls = script.log();
    let opens = calls.iter().filter(|call| **call == Call::OpenBeneath);
    assert!(opens.count() > 50, "{calls:?}");
    assert_eq!(names(&fenced.path("ws/d")), ["e/"]);
}

/// Without openat2 the walk by hand is used, and asked for once.
#[test]
fn a_kernel_without_openat2_is_walked_by_hand() {
    for errno in [Errno::NOSYS, Errno::PERM] {
        let script = Script::new();
        let fenced = Fenced::new(None, Some(script.clone()));
        script.ask(move |call| match call {
            Call::OpenBeneath => Err(errno),
            _ => Ok(()),
        });
        for name in ["d/n", "d/e/n", "x/y/n"] {
            let target = fenced.target(name).expect("resolves");
            fenced
                .write(&target, &WriteGuard::CreateIfAbsent)
                .expect("created");
        }
        let probes = script
            .log()
            .into_iter()
            .filter(|call| *call == Call::OpenBeneath);
        assert_eq!(probes.count(), 1);
    }
}

/// An attacker swaps a directory for a link to outside, all the time.
#[test]
fn thousands_of_writes_under_attack_put_nothing_outside() {
    for walk in WALKS {
        let fenced = Fenced::new(Some(walk), None);
        let stop = AtomicBool::new(false);
        let (mut written, mut refused) = (0, 0);
        std::thread::scope(|scope| {
            let (d, l) = (fenced.path("ws/d"), fenced.path("ws/l"));
            scope.spawn(|| {
                let (d, l) = (d, l);
                while !stop.load(Ordering::Relaxed) {
                    exchange(&d, &l);
                }
            });
            for number in 0..3_000 {
                let name = match number % 3 {
                    0 => format!("d/e/f{number}"),
                    1 => format!("d/f{number}"),
                    _ => format!("d/new{number}/f"),
                };
                let made = fenced
                    .target(&name)
                    .and_then(|target| fenced.write(&target, &WriteGuard::CreateIfAbsent));
                match made {
                    Ok(_) => written += 1,
                    Err(_) => refused += 1,
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(names(&fenced.path("out")), ["e/"], "{walk:?}");
        assert!(written > 0 && refused > 0, "{walk:?} {written} {refused}");
        let inside = names(&fenced.path("ws"));
        assert!(
            inside.iter().all(|name| !name.contains(".dsh-fs")),
            "{inside:?}"
        );
    }
}
