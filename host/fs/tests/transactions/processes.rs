//! Second processes: this program, run again with a part to play.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_fs::local::{Call, Watch};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};
use serde::{Deserialize, Serialize};

use crate::ground::{Ground, NEW, OLD, Party};

/// Where the part is handed over.
const PART: &str = "DSH_FS_TRANSACTIONS_PART";

/// What is printed when a transaction is open.
const READY: &str = "READY";

/// What a second process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Part {
    /// Changes all files.
    Change,
    /// Changes them; the last edit fails, and all are taken back.
    Fail,
    /// Recovers what others left.
    Recover,
    /// Changes all files, and waits for its end.
    Wait,
}

#[derive(Debug, Deserialize, Serialize)]
struct Role {
    part: Part,
    ground: PathBuf,
    /// Before which system call of a mutation or a journal it is killed.
    dies_at: usize,
}

/// Kills the process, as a power switch would: nothing of it runs any more.
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

/// Plays the part that was handed over, if one was.
pub(crate) fn play() {
    let Ok(role) = std::env::var(PART) else {
        return;
    };
    let role: Role = serde_json::from_str(&role).expect("the test wrote it");
    let killer = Killer {
        at: role.dies_at,
        count: AtomicUsize::new(0),
    };
    let party = Party::at(&role.ground, Some(Arc::new(killer)));
    match role.part {
        Part::Change => party.change_all(false).expect("all are changed"),
        Part::Fail => {
            let (_, back) = *party.change_all(true).expect_err("the last edit fails");
            assert!(back.is_complete(), "{back:?}");
        }
        Part::Recover => drop(party.recover()),
        Part::Wait => {
            let _open = party
                .edit_all()
                .map_err(|(_, error)| error)
                .expect("edited");
            println!("\n{READY}");
            let _ = std::io::stdin().read(&mut [0]);
        }
    }
}

fn start(part: Part, ground: &Path, dies_at: usize) -> Child {
    let role = Role {
        part,
        ground: ground.to_owned(),
        dies_at,
    };
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "second_process", "--nocapture"])
        .env(PART, serde_json::to_string(&role).expect("plain data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be run again")
}

/// Lets a process play its part, and die at that call; `true` where it lived to the end.
pub(crate) fn lives(part: Part, ground: &Ground, dies_at: usize) -> bool {
    let output = start(part, ground.path(), dies_at).wait_with_output();
    let output = output.expect("it was started");
    assert!(
        output.status.success() || killed(output.status),
        "{part:?} at {dies_at}: {}",
        String::from_utf8_lossy(&output.stdout)
    );
    output.status.success()
}

fn killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(Signal::KILL.as_raw())
}

/// A process that has changed all files, and has not ended its transaction.
pub(crate) struct Waiting(Child);

impl Waiting {
    pub(crate) fn on(ground: &Ground) -> Self {
        let mut child = start(Part::Wait, ground.path(), 0);
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let ready = lines.any(|line| line.is_ok_and(|line| line == READY));
        assert!(ready, "it has changed all files");
        Self(child)
    }

    pub(crate) fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it was started");
    }
}

/// Fails when `take_over` does not ask for the lock of the journal.
#[test]
fn what_another_process_is_doing_is_not_touched() {
    let ground = Ground::new();
    let other = Waiting::on(&ground);
    let party = ground.party();
    assert_eq!(party.recover(), []);
    assert!(ground.holds(NEW), "others see the middle");
    ground.put("d", "one");
    let own = party.begin().expect("begun");
    party.edit(&own, ("d", "one", "2")).expect("edited");
    assert_eq!(ground.party().recover(), []);
    other.kill();

    let recovered = ground.party().recover();
    assert_eq!(recovered.len(), 1, "{recovered:?}");
    assert_eq!(recovered[0].label, "a test");
    assert_eq!(recovered[0].back.restored.len(), 3);
    assert!(ground.holds(OLD));
    assert_eq!(ground.content("d"), "2", "the other one still runs");
    own.commit().expect("ended");
    assert!(ground.journals().is_empty());
}
