//! A process is killed (`SIGKILL`) before its n-th system call of a call of several edits,
//! for every n; the next start takes it back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_fs::local::{Call, LocalFileSystem, PublishOptions, Watch};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::transaction::Transactions;
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_runtime::SessionOptions;
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};

use super::{edit, multi, see};
use crate::workspace::{SHIPPED, text};

/// Where the folder and the number of the last call are handed over.
const PART: &str = "DSH_FS_MULTI_EDIT_PART";

const NAMES: [&str; 2] = ["a", "b"];

/// Kills the process, once it is armed.
struct Killer {
    at: usize,
    count: AtomicUsize,
}

impl Watch for Killer {
    fn before(&self, _: Call) -> Result<(), Errno> {
        if self.count.fetch_add(1, Ordering::SeqCst) + 1 == self.at {
            let _ = kill_process(getpid(), Signal::KILL);
        }
        Ok(())
    }
}

fn start(folder: &Path, dies_at: usize) -> (Arc<SandboxedFileSystem>, Arc<Transactions>) {
    let secret = VersionSecret::load_or_create(&folder.join("secret")).unwrap();
    let killer = Arc::new(Killer {
        at: dies_at,
        count: AtomicUsize::new(0),
    });
    let options = PublishOptions::default();
    let local = LocalFileSystem::watched(secret.clone(), options, killer.clone());
    let journals = folder.join("journals");
    let transactions = Transactions::watched(secret, &journals, killer).unwrap();
    let rules = RootRules::workspace_only();
    let files = SandboxedFileSystem::new(Arc::new(local), rules);
    (Arc::new(files), Arc::new(transactions))
}

/// Plays the part that was handed over, if one was.
#[test]
fn second_process() {
    let Ok(part) = std::env::var(PART) else {
        return;
    };
    let (dies_at, folder) = part.split_once(' ').expect("the test wrote it");
    let folder = PathBuf::from(folder);
    let (files, transactions) = start(&folder, dies_at.parse().expect("a number"));
    let mut session = SHIPPED
        .session(SessionOptions {
            id: Some("s1".into()),
            mode: Mode::WorkspaceWrite,
            transactions: Some(transactions),
            ..SessionOptions::new(files, text(&folder.join("ws")))
        })
        .unwrap();
    see(&mut session, &NAMES);
    let answer = multi(&mut session, &NAMES.map(|name| edit(name, "one", "two")));
    assert!(answer.ok, "{answer:?}");
}

fn lives(folder: &Path, dies_at: usize) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "multi::crash::second_process", "--nocapture"])
        .env(PART, format!("{dies_at} {}", text(folder)))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(!told.contains("panicked"), "{told}");
    output.status.success()
}

/// Fails when the import of `edit-text` does not pass the transaction on.
#[test]
fn the_next_start_finds_all_or_nothing() {
    let (mut old, mut new, mut lived) = (0, 0, 0);
    for number in 1.. {
        let memory = Some(Path::new("/dev/shm")).filter(|place| place.is_dir());
        let place = memory.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")));
        let folder = tempfile::tempdir_in(place).unwrap();
        fs::create_dir(folder.path().join("ws")).unwrap();
        for name in NAMES {
            fs::write(folder.path().join("ws").join(name), "one").unwrap();
        }
        lived = if lives(folder.path(), number) {
            lived + 1
        } else {
            0
        };
        let (files, transactions) = start(folder.path(), 0);
        transactions.recover(&files).unwrap();
        let found =
            NAMES.map(|name| fs::read_to_string(folder.path().join("ws").join(name)).unwrap());
        match found.each_ref().map(String::as_str) {
            ["one", "one"] => old += 1,
            ["two", "two"] => new += 1,
            _ => panic!("killed at call {number}: {found:?}"),
        }
        let journals = fs::read_dir(folder.path().join("journals")).unwrap();
        assert_eq!(journals.count(), 0, "killed at call {number}");
        if lived == 4 {
            break;
        }
    }
    assert!(old > 20 && new > 4, "{old} times nothing, {new} times all");
}
