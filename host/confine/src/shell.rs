//! Chooses a backend, once, and confines commands with it.

use std::ffi::OsString;
use std::process::Command;
use std::sync::Arc;

use dsh_fs::roots::Roots;
use dsh_fs::types::{ExecutionPolicy, Mode};

use crate::backends::{Backends, Wrapped};
use crate::confined::{Confined, Enforcement};
use crate::dialect::dialect;
use crate::error::{Tried, Unavailable};
use crate::hidden::Hidden;
use crate::options::{OnPartial, ShellOptions, Used};
use crate::probe::{Machine, Probe};
use crate::profile::Profile;
use crate::wording;

/// Confines commands. One for a process: what the machine can do is found out when it is
/// first needed, and remembered. May be used from several threads at once.
pub struct Shell {
    backends: Backends,
}

impl Shell {
    /// A shell on this machine.
    #[must_use]
    pub fn new(options: ShellOptions) -> Self {
        Self::on(options, Box::new(Machine))
    }

    /// A shell on a machine that the caller describes.
    #[must_use]
    pub fn on(options: ShellOptions, machine: Box<dyn Probe>) -> Self {
        Self {
            backends: Backends::new(options, machine),
        }
    }

    /// What it was made with.
    #[must_use]
    pub fn options(&self) -> &ShellOptions {
        &self.backends.options
    }

    /// The argv that runs a command under a policy, with the roots that the fence has
    /// pinned for it. In `danger-full-access` it is the command's own, unless the deployment
    /// denies reading something.
    ///
    /// The answer is for now: a protected path that is made later is not protected. The
    /// thread that starts a command under bubblewrap must live as long as the command,
    /// which is killed with it.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`: no backend works, or none keeps all of the policy and a part
    /// is not enough, or the workspace was moved.
    pub fn confine(
        &self,
        argv: &[OsString],
        policy: &ExecutionPolicy,
        roots: &Roots,
    ) -> Result<Confined, Unavailable> {
        self.confine_hiding(argv, policy, roots, Hidden::default())
    }

    /// The same, keeping a command from reading more than the deny-read rules of the roots
    /// name. Where anything is hidden, a command with full access runs under a backend too,
    /// which lets it write everywhere else.
    ///
    /// # Errors
    /// As [`Self::confine`].
    pub fn confine_hiding(
        &self,
        argv: &[OsString],
        policy: &ExecutionPolicy,
        roots: &Roots,
        hidden: Hidden,
    ) -> Result<Confined, Unavailable> {
        let profile = Arc::new(self.profile(policy, roots, hidden)?);
        if profile.mode == Mode::DangerFullAccess && profile.hidden.is_empty() {
            return Ok(unconfined(argv, profile));
        }
        let mut refused = self.refusal(policy.mode);
        let options = &self.backends.options;
        for used in self.backends.chain() {
            let wrapped = self.backends.wrapped(used, &profile);
            match wrapped.map_err(|reason| Tried::new(used.name(), reason)) {
                Ok(wrapped) if !self.is_enough(&wrapped) => {
                    refused.tried.push(Tried::in_part(used, wrapped.gaps));
                }
                Ok(wrapped) => return Ok(confined(argv, used, profile, wrapped, options)),
                Err(tried) => refused.tried.push(tried),
            }
        }
        Err(refused)
    }

    /// Has a `Command` give up its rights (Landlock) before it becomes its program. The
    /// command is not changed where that is refused.
    ///
    /// # Errors
    /// As [`Self::confine`].
    pub fn prepare(
        &self,
        command: &mut Command,
        policy: &ExecutionPolicy,
        roots: &Roots,
    ) -> Result<Enforcement, Unavailable> {
        let profile = self.profile(policy, roots, Hidden::default())?;
        if profile.mode == Mode::DangerFullAccess && profile.hidden.is_empty() {
            return Ok(Enforcement::Unconfined);
        }
        let failed = |reason| Tried::new(Used::Landlock.name(), reason);
        let prepared = self.backends.landlock(&profile).map_err(failed);
        let prepared = prepared.and_then(|wrapped| {
            if !self.is_enough(&wrapped) {
                return Err(Tried::in_part(Used::Landlock, wrapped.gaps));
            }
            let absent = || failed(wording::landlock_is_absent());
            let restricted = wrapped.rules.ok_or_else(absent)?.restrict(command);
            restricted.map_err(|error| failed(wording::landlock_failed(&error)))?;
            Ok(wrapped.gaps)
        });
        prepared.map(Enforcement::of).map_err(|tried| {
            let mut refused = self.refusal(policy.mode);
            refused.tried.push(tried);
            refused
        })
    }

    /// What this machine can confine with: each backend with what it does not keep, or why
    /// it does not work.
    #[must_use]
    pub fn findings(&self) -> Vec<(Used, Result<Vec<String>, String>)> {
        self.backends.findings()
    }

    fn profile(
        &self,
        policy: &ExecutionPolicy,
        roots: &Roots,
        hidden: Hidden,
    ) -> Result<Profile, Unavailable> {
        let profile = Profile::new(policy, roots, self.backends.options.network);
        let hidden = Hidden::of(roots).and(hidden);
        let profile = profile.map(|profile| Profile { hidden, ..profile });
        profile.map_err(|moved| {
            let mut refused = self.refusal(policy.mode);
            let reason = wording::workspace_moved(&moved.0);
            refused.tried.push(Tried::new("workspace", reason));
            refused
        })
    }

    fn refusal(&self, mode: Mode) -> Unavailable {
        let mut refused = Unavailable::after(mode, None);
        if self.backends.chain().is_empty() {
            let reason = wording::no_backend();
            refused.tried.push(Tried::new(Used::Nothing.name(), reason));
        }
        refused
    }

    fn is_enough(&self, wrapped: &Wrapped) -> bool {
        self.backends.options.on_partial == OnPartial::Allow || wrapped.gaps.is_empty()
    }
}

fn unconfined(argv: &[OsString], profile: Arc<Profile>) -> Confined {
    Confined {
        argv: argv.to_vec(),
        backend: Used::Nothing,
        enforcement: Enforcement::Unconfined,
        denial_signatures: Vec::new(),
        failure_rules: Vec::new(),
        command: argv.to_vec(),
        profile,
        rules: None,
    }
}

fn confined(
    argv: &[OsString],
    used: Used,
    profile: Arc<Profile>,
    wrapped: Wrapped,
    options: &ShellOptions,
) -> Confined {
    let mut whole = wrapped.argv;
    whole.push("--".into());
    whole.extend_from_slice(argv);
    let (denial_signatures, failure) = dialect(used, options);
    Confined {
        argv: whole,
        backend: used,
        enforcement: Enforcement::of(wrapped.gaps),
        denial_signatures,
        failure_rules: vec![failure],
        command: argv.to_vec(),
        profile,
        rules: wrapped.rules,
    }
}
