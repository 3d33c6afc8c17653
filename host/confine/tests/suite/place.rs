//! A workspace and a directory beside it, outside the roots that every policy has, and the
//! backends that work here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dsh_fs::roots::{RootRules, Roots};
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_confine::{
    Backend, Confined, Environment, Finished, OnPartial, RunOptions, Shell, ShellOptions, Used,
    Verdict,
};

/// A workspace `ws` and a directory `out` beside it.
pub(crate) struct Place {
    base: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        // Not below /tmp, which is a root itself.
        let base = tempfile::tempdir_in("/var/tmp").expect("a folder");
        for name in ["ws", "out"] {
            std::fs::create_dir(base.path().join(name)).expect("a folder");
        }
        Self { base }
    }

    pub(crate) fn base(&self) -> &Path {
        self.base.path()
    }

    pub(crate) fn ws(&self) -> PathBuf {
        self.base().join("ws")
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.base().join("out")
    }

    pub(crate) fn policy(&self, mode: Mode) -> ExecutionPolicy {
        ExecutionPolicy {
            mode,
            workspace_root: self.ws().to_str().expect("UTF-8").to_owned(),
            session_id: None,
        }
    }

    pub(crate) fn roots(&self, mode: Mode) -> Roots {
        self.roots_by(mode, &RootRules::new(None))
    }

    pub(crate) fn roots_by(&self, mode: Mode, rules: &RootRules) -> Roots {
        rules.derive(&self.policy(mode)).expect("roots")
    }

    /// Runs a script in the workspace.
    pub(crate) fn sh(&self, shell: &Shell, mode: Mode, script: &str) -> Finished {
        self.sh_by(shell, mode, &RootRules::new(None), script)
    }

    pub(crate) fn sh_by(
        &self,
        shell: &Shell,
        mode: Mode,
        rules: &RootRules,
        script: &str,
    ) -> Finished {
        let confined = self.confined(shell, mode, rules, script);
        self.run(shell, &confined)
    }

    pub(crate) fn confined(
        &self,
        shell: &Shell,
        mode: Mode,
        rules: &RootRules,
        script: &str,
    ) -> Confined {
        let roots = self.roots_by(mode, rules);
        let confined = shell.confine(&sh(script), &self.policy(mode), &roots);
        confined.expect("a backend")
    }

    /// A program without arguments.
    pub(crate) fn program(&self, shell: &Shell, mode: Mode, program: &str) -> Confined {
        let (policy, roots) = (self.policy(mode), self.roots(mode));
        let confined = shell.confine(&[program.into()], &policy, &roots);
        confined.expect("a backend")
    }

    pub(crate) fn run(&self, shell: &Shell, confined: &Confined) -> Finished {
        shell.run(confined, &self.options()).expect("a run")
    }

    pub(crate) fn options(&self) -> RunOptions {
        RunOptions::new(self.ws(), environment())
    }
}

pub(crate) fn environment() -> Environment {
    Environment::exactly([("PATH".into(), "/usr/bin:/bin".into())])
}

pub(crate) fn sh(script: &str) -> Vec<OsString> {
    ["/bin/sh", "-c", script].map(OsString::from).to_vec()
}

pub(crate) fn options(backend: Backend) -> ShellOptions {
    ShellOptions {
        backend,
        landlock_wrapper: vec![env!("CARGO_BIN_EXE_landlock-run").into()],
        ..ShellOptions::default()
    }
}

/// The backends that work here, each by itself. Says which are skipped.
pub(crate) fn shells(test: &str) -> Vec<(Used, Shell)> {
    let both = [
        (Used::Bubblewrap, Backend::Bubblewrap),
        (Used::Landlock, Backend::Landlock),
    ];
    let works = |used: Used, backend: Backend| {
        let shell = Shell::new(options(backend));
        let place = Place::new();
        let roots = place.roots(Mode::ReadOnly);
        match shell.confine(&sh(":"), &place.policy(Mode::ReadOnly), &roots) {
            Ok(_) => Some((used, shell)),
            Err(refused) => {
                println!("SKIPPED {test}: {refused}");
                None
            }
        }
    };
    both.into_iter()
        .filter_map(|(used, backend)| works(used, backend))
        .collect()
}

/// The same, and no confinement at all.
pub(crate) fn everywhere(test: &str) -> Vec<(Used, Shell)> {
    let mut shells = shells(test);
    shells.push((Used::Nothing, Shell::new(options(Backend::Auto))));
    shells
}

/// The mode in which one of [`everywhere`] writes in the workspace.
pub(crate) fn mode(used: Used) -> Mode {
    match used {
        Used::Nothing => Mode::DangerFullAccess,
        _ => Mode::WorkspaceWrite,
    }
}

pub(crate) fn succeeded(finished: &Finished) -> bool {
    finished.verdict == Verdict::Succeeded
}

pub(crate) fn denied(finished: &Finished) -> bool {
    matches!(finished.verdict, Verdict::Denied { .. })
}
/// One of the backends, with nothing but the whole policy.
pub(crate) fn strict(backend: Backend) -> Shell {
    Shell::new(ShellOptions {
        on_partial: OnPartial::Refuse,
        ..options(backend)
    })
}
