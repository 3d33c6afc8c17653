//! A command does not outlive the program that runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dsh_fs::roots::RootRules;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_confine::{Backend, RunOptions, Shell, Used};

use crate::place::{Place, environment, options, sh, shells};

/// Where the program that is killed runs its command, and with what.
const WHERE: &str = "CONFINE_TEST_ORPHAN";

/// A command, a process that it has started, and one that has left its session.
pub(crate) const LEAVING: &str = "printf 'while :; do printf x >> $1; sleep 0.01; done' > loop; \
     (setsid sh loop left &) ; sh loop inner & sh loop outer";

/// The program that is killed: this one again, running this test alone. By itself it has
/// nothing to do.
#[test]
fn the_program_that_is_killed() {
    let Some(told) = std::env::var_os(WHERE).and_then(|told| told.into_string().ok()) else {
        return;
    };
    let (backend, workspace) = told.split_once(':').expect("a backend and a directory");
    let backend = match backend {
        "landlock" => Backend::Landlock,
        _ => Backend::Bubblewrap,
    };
    let shell = Shell::new(options(backend));
    let policy = ExecutionPolicy {
        mode: Mode::WorkspaceWrite,
        workspace_root: workspace.to_owned(),
        session_id: None,
    };
    let roots = RootRules::workspace_only().derive(&policy).expect("roots");
    let argv = sh(LEAVING);
    let confined = shell.confine(&argv, &policy, &roots).expect("a backend");
    let options = RunOptions {
        // Should nobody kill it, it ends.
        time_limit: Some(Duration::from_secs(20)),
        ..RunOptions::new(PathBuf::from(workspace), environment())
    };
    shell.run(&confined, &options).expect("a run");
}

fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |found| found.len())
}

/// Without `end_with` the command goes on under Landlock; with `Signal::KILL` in place of
/// `END` in `divide` what it has started does.
#[test]
fn a_command_ends_with_the_program_that_runs_it() {
    for (used, _) in shells("a_command_ends_with_the_program") {
        let place = Place::new();
        let name = if used == Used::Landlock {
            "landlock"
        } else {
            "bubblewrap"
        };
        let mut program = Command::new(std::env::current_exe().expect("the path of the tests"));
        program.args(["--exact", "orphan::the_program_that_is_killed"]);
        program.env(WHERE, format!("{name}:{}", place.ws().display()));
        let mut program = program.stdout(Stdio::null()).spawn().expect("it starts");
        let ticks = ["outer", "inner", "left"].map(|name| place.ws().join(name));
        let start = Instant::now();
        while ticks.iter().any(|tick| size(tick) == 0) {
            assert!(
                start.elapsed() < Duration::from_secs(15),
                "{used:?}: it never ran"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        program.kill().expect("it runs");
        program.wait().expect("it was killed");
        std::thread::sleep(Duration::from_millis(100));
        let before = ticks.each_ref().map(|tick| size(tick));
        std::thread::sleep(Duration::from_millis(200));
        let after = ticks.each_ref().map(|tick| size(tick));
        assert_eq!(after, before, "{used:?}: it goes on");
    }
}
