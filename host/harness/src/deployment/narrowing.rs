//! What a command line says beside a file: less, never more.

use std::path::PathBuf;

use dsh_fs::types::Mode;

use super::error::{ConfigCode, ConfigError, Problem};
use super::{Deployment, KeepHistory, file, wording};

/// The flags of a command line; what is absent was not given.
#[derive(Clone, Debug, Default)]
pub struct Narrowing {
    /// The mode to start in.
    pub mode: Option<Mode>,
    /// The directory to work in.
    pub workspace: Option<PathBuf>,
    /// Keep the temporary directories out of the roots.
    pub no_temp_roots: bool,
    /// Keep no old texts.
    pub no_history: bool,
    /// Write in place what cannot be replaced.
    pub in_place: bool,
}

impl Deployment {
    /// The deployment under these flags. Where a file describes it they can only narrow:
    /// the mode, the workspace (itself, or a directory beneath it), the temporary roots. A
    /// workspace is taken from the flags where the file names none. Where no file does, the
    /// flags say what they like.
    ///
    /// # Errors
    /// `CONFIG_WIDENED`; `CONFIG_UNSAFE_FILE`: the file lies beneath the workspace of the
    /// flags.
    pub fn narrowed_by(mut self, flags: &Narrowing) -> Result<Self, ConfigError> {
        let problems = self.widened(flags);
        if let Some(error) = ConfigError::of_all(problems) {
            return Err(error);
        }
        self.mode = flags.mode.unwrap_or(self.mode);
        self.workspace = flags.workspace.clone().or(self.workspace);
        self.temp_roots &= !flags.no_temp_roots;
        self.in_place |= flags.in_place;
        if flags.no_history {
            self.history = KeepHistory::Off;
        }
        match file::in_reach(&self) {
            Some(reason) => {
                let problem = Problem::of_file(ConfigCode::UnsafeFile, &self.name(), reason);
                Err(ConfigError::of(problem))
            }
            None => Ok(self),
        }
    }

    fn widened(&self, flags: &Narrowing) -> Vec<Problem> {
        if self.environment_temp {
            return Vec::new();
        }
        let mut problems = Vec::new();
        let mut tell = |flag: &str, message| {
            problems.push(Problem {
                key: Some(flag.to_owned()),
                ..Problem::of_file(ConfigCode::Widened, &self.name(), message)
            });
        };
        if let Some(mode) = flags.mode.filter(|mode| *mode > self.mode) {
            tell("--mode", wording::wider_mode(mode, self.mode));
        }
        if let (Some(asked), Some(allowed)) = (&flags.workspace, &self.workspace)
            && !file::is_at_or_beneath(asked, allowed)
        {
            tell("--workspace", wording::other_workspace(asked, allowed));
        }
        if flags.in_place && !self.in_place {
            tell("--in-place", wording::switched_on());
        }
        problems
    }

    /// The file, for messages.
    fn name(&self) -> String {
        let file = self.file.as_ref();
        file.map(|file| file.display().to_string())
            .unwrap_or_default()
    }
}
