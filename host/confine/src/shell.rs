//! Chooses a backend, once, and confines commands with it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, OnceLock};

use dsh_fs::roots::Roots;
use dsh_fs::types::{ExecutionPolicy, Mode};

use crate::confined::{Confined, Enforcement};
use crate::error::{Tried, Unavailable};
use crate::hidden::Hidden;
use crate::landlock::Rules;
use crate::options::{Backend, OnPartial, ShellOptions, Used};
use crate::probe::{Machine, Platform, Probe, SANDBOX_EXEC};
use crate::profile::Profile;
use crate::verdict::FailureRule;
use crate::{bubblewrap, seatbelt, wording};

/// Confines commands. One for a process: what the machine can do is found out when it is
/// first needed, and remembered. May be used from several threads at once.
pub struct Shell {
    options: ShellOptions,
    machine: Box<dyn Probe>,
    bubblewrap: OnceLock<Result<PathBuf, String>>,
    landlock: OnceLock<Result<Vec<String>, String>>,
    seatbelt: OnceLock<Result<(), String>>,
}

/// A runner with its arguments, and what it does not keep.
struct Wrapped {
    argv: Vec<OsString>,
    gaps: Vec<String>,
    rules: Option<Rules>,
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
            options,
            machine,
            bubblewrap: OnceLock::new(),
            landlock: OnceLock::new(),
            seatbelt: OnceLock::new(),
        }
    }

    /// What it was made with.
    #[must_use]
    pub fn options(&self) -> &ShellOptions {
        &self.options
    }

    /// The argv that runs a command under a policy, with the roots that the fence has
    /// pinned for it. In `danger-full-access` it is the command's own.
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

    /// The same, keeping a command from reading what is hidden.
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
        for used in self.chain() {
            match self
                .wrapped(used, &profile)
                .and_then(|w| self.whole_enough(w))
            {
                Ok(wrapped) => return Ok(confined(argv, used, profile, wrapped, &self.options)),
                Err(reason) => refused.tried.push(Tried {
                    backend: used.name(),
                    reason,
                }),
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
        if profile.mode == Mode::DangerFullAccess {
            return Ok(Enforcement::Unconfined);
        }
        let prepared = self.landlock(&profile).and_then(|w| self.whole_enough(w));
        let prepared = prepared.and_then(|wrapped| {
            let restricted = wrapped
                .rules
                .map_or(Ok(()), |rules| rules.restrict(command));
            let failed = |error| wording::landlock_failed(&error);
            restricted.map(|()| wrapped.gaps).map_err(failed)
        });
        prepared.map(Enforcement::of).map_err(|reason| {
            let mut refused = self.refusal(policy.mode);
            refused.tried.push(Tried {
                backend: Used::Landlock.name(),
                reason,
            });
            refused
        })
    }

    fn profile(
        &self,
        policy: &ExecutionPolicy,
        roots: &Roots,
        hidden: Hidden,
    ) -> Result<Profile, Unavailable> {
        let profile = Profile::new(policy, roots, self.options.network);
        let profile = profile.map(|profile| Profile { hidden, ..profile });
        profile.map_err(|moved| {
            let mut refused = self.refusal(policy.mode);
            refused.tried.push(Tried {
                backend: "workspace",
                reason: wording::workspace_moved(&moved.0),
            });
            refused
        })
    }

    fn refusal(&self, mode: Mode) -> Unavailable {
        let mut refused = Unavailable::after(mode, None);
        if self.chain().is_empty() {
            refused.tried.push(Tried {
                backend: Used::Nothing.name(),
                reason: wording::no_backend(),
            });
        }
        refused
    }

    fn chain(&self) -> Vec<Used> {
        match (&self.options.backend, self.machine.platform()) {
            (Backend::Auto, Platform::Linux) => vec![Used::Bubblewrap, Used::Landlock],
            (Backend::Auto, Platform::MacOs) => vec![Used::Seatbelt],
            (Backend::Auto, Platform::Other) => Vec::new(),
            (Backend::Bubblewrap, _) => vec![Used::Bubblewrap],
            (Backend::Landlock, _) => vec![Used::Landlock],
            (Backend::Seatbelt, _) => vec![Used::Seatbelt],
            (Backend::Chain(chain), _) => chain.clone(),
            (Backend::Custom(_), _) => vec![Used::Custom],
        }
    }

    fn whole_enough(&self, wrapped: Wrapped) -> Result<Wrapped, String> {
        if self.options.on_partial == OnPartial::Refuse && !wrapped.gaps.is_empty() {
            return Err(wording::refused_in_part(&wrapped.gaps));
        }
        Ok(wrapped)
    }

    fn wrapped(&self, used: Used, profile: &Profile) -> Result<Wrapped, String> {
        match used {
            Used::Nothing => Err(wording::no_backend()),
            Used::Bubblewrap => self.under_bubblewrap(profile),
            Used::Landlock if self.options.landlock_wrapper.is_empty() => {
                Err(wording::no_wrapper())
            }
            Used::Landlock => self.landlock(profile),
            Used::Seatbelt => self.under_seatbelt(profile),
            Used::Custom => self.under_custom(profile),
        }
    }

    fn under_bubblewrap(&self, profile: &Profile) -> Result<Wrapped, String> {
        let options = &self.options;
        let probe = || {
            self.machine
                .bubblewrap(&options.bubblewrap, options.probe_timeout)
        };
        let program = self.bubblewrap.get_or_init(probe).clone()?;
        let (args, gaps) = bubblewrap::arguments(profile);
        Ok(Wrapped {
            argv: std::iter::once(program.into_os_string())
                .chain(args)
                .collect(),
            gaps,
            rules: None,
        })
    }

    fn under_custom(&self, profile: &Profile) -> Result<Wrapped, String> {
        let Backend::Custom(runner) = &self.options.backend else {
            return Err(wording::no_backend());
        };
        let (args, gaps) = bubblewrap::arguments(profile);
        Ok(Wrapped {
            argv: runner.command().iter().cloned().chain(args).collect(),
            gaps,
            rules: None,
        })
    }

    fn landlock(&self, profile: &Profile) -> Result<Wrapped, String> {
        let mut gaps = self
            .landlock
            .get_or_init(|| self.machine.landlock())
            .clone()?;
        let (rules, more) = Rules::of(profile);
        gaps.extend(more);
        let wrapper = self.options.landlock_wrapper.iter().cloned();
        Ok(Wrapped {
            argv: wrapper.chain(rules.arguments()).collect(),
            gaps,
            rules: Some(rules),
        })
    }

    fn under_seatbelt(&self, profile: &Profile) -> Result<Wrapped, String> {
        // The chain of macOS has one member: there is nothing to choose by a probe.
        if self.machine.platform() != Platform::MacOs {
            self.seatbelt
                .get_or_init(|| self.machine.seatbelt())
                .clone()?;
        }
        let (args, gaps) = seatbelt::arguments(profile)?;
        Ok(Wrapped {
            argv: std::iter::once(SANDBOX_EXEC.into()).chain(args).collect(),
            gaps,
            rules: None,
        })
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

/// The words of a backend: in which a denial shows, and by which its own failures are told.
#[must_use]
pub(crate) fn dialect(used: Used, options: &ShellOptions) -> (Vec<String>, FailureRule) {
    let signed = |text: &str| FailureRule {
        fatal_signatures: vec![text.to_owned()],
        ..FailureRule::default()
    };
    let (denials, failure): (&[&str], FailureRule) = match used {
        Used::Nothing => (&[], FailureRule::default()),
        Used::Bubblewrap => (&["read-only file system"], signed("bwrap: ")),
        Used::Landlock => {
            let rule = FailureRule {
                allowed_exit_codes: Some(vec![crate::landlock::FAILED]),
                informational_lines: vec![wording::launcher(wording::OLDER_ABI)],
                ..signed("landlock-run: ")
            };
            (&["permission denied"], rule)
        }
        Used::Seatbelt => (&["operation not permitted"], signed("sandbox-exec: ")),
        Used::Custom => {
            let rule = FailureRule {
                fatal_signatures: match &options.backend {
                    Backend::Custom(runner) => runner.failure_signatures().to_vec(),
                    _ => Vec::new(),
                },
                ..FailureRule::default()
            };
            (&["read-only file system", "permission denied"], rule)
        }
    };
    (
        denials.iter().map(|text| (*text).to_owned()).collect(),
        failure,
    )
}
