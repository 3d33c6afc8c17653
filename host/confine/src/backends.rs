//! The backends of one machine: which there are, what their probes said, and the runner of
//! each for a profile.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::landlock::Rules;
use crate::options::{Backend, ShellOptions, Used};
use crate::probe::{Platform, Probe, SANDBOX_EXEC};
use crate::profile::Profile;
use crate::{bubblewrap, seatbelt, wording};

/// A runner with its arguments, and what it does not keep.
pub(crate) struct Wrapped {
    pub(crate) argv: Vec<OsString>,
    pub(crate) gaps: Vec<String>,
    pub(crate) rules: Option<Rules>,
}

/// The backends of one machine. Each probe is made once.
pub(crate) struct Backends {
    pub(crate) options: ShellOptions,
    machine: Box<dyn Probe>,
    bubblewrap: OnceLock<Result<PathBuf, String>>,
    landlock: OnceLock<Result<Vec<String>, String>>,
    seatbelt: OnceLock<Result<(), String>>,
}

impl Backends {
    pub(crate) fn new(options: ShellOptions, machine: Box<dyn Probe>) -> Self {
        Self {
            options,
            machine,
            bubblewrap: OnceLock::new(),
            landlock: OnceLock::new(),
            seatbelt: OnceLock::new(),
        }
    }

    /// Those that are tried, in order.
    pub(crate) fn chain(&self) -> Vec<Used> {
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

    /// What each of them does not keep, or why it does not work.
    pub(crate) fn findings(&self) -> Vec<(Used, Result<Vec<String>, String>)> {
        let finding = |used: &Used| match used {
            Used::Bubblewrap => self.bubblewrap().map(|_| Vec::new()),
            Used::Landlock => self
                .landlock
                .get_or_init(|| self.machine.landlock())
                .clone(),
            Used::Seatbelt => self.machine.seatbelt().map(|()| Vec::new()),
            Used::Custom => Ok(Vec::new()),
            Used::Nothing => Err(wording::no_backend()),
        };
        let chain = self.chain();
        chain.iter().map(|used| (*used, finding(used))).collect()
    }

    /// The runner of a backend up to the `--` before the command.
    pub(crate) fn wrapped(&self, used: Used, profile: &Profile) -> Result<Wrapped, String> {
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
        let program = self.bubblewrap()?;
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

    /// The rules of Landlock, and an argv where there is a launcher.
    pub(crate) fn landlock(&self, profile: &Profile) -> Result<Wrapped, String> {
        if profile.is_unfenced() {
            return Err(wording::landlock_only_hides());
        }
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

    fn bubblewrap(&self) -> Result<PathBuf, String> {
        let options = &self.options;
        let probe = || {
            self.machine
                .bubblewrap(&options.bubblewrap, options.probe_timeout)
        };
        self.bubblewrap.get_or_init(probe).clone()
    }
}
