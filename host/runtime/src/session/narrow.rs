//! Holding a session to a few directories.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::roots::Roots;
use dsh_fs::types::Mode;

use super::Session;

impl Session {
    /// From now on nothing is changed outside these directories, whatever the mode and
    /// whoever approves it (`FS_SANDBOX_DENIED`); nobody is asked about it either. Nothing
    /// is widened by it. `None` takes the narrowing away, and no directory at all forbids
    /// every change. Reads are not narrowed.
    pub fn narrow_to(&mut self, directories: Option<&[PathBuf]>) {
        let ceiling = &mut self.ceiling;
        ceiling.pinned = match directories {
            Some(directories) => ceiling.whole.narrowed_to(directories),
            None => ceiling.whole.clone(),
        };
        ceiling.narrowings += 1;
        if let Ok(live) = &mut self.running {
            live.store.data_mut().authority.ceiling = self.ceiling.clone();
        }
    }

    /// The pinned roots of the mode of now, for whoever confines a command under it. Where
    /// they are narrowed, their mode is the one to confine under.
    #[must_use]
    pub fn pinned_roots(&self) -> Arc<Roots> {
        self.roots_of(self.ceiling.mode)
    }

    /// The same of any mode, for a command that a person allowed a wider one.
    #[must_use]
    pub fn roots_of(&self, mode: Mode) -> Arc<Roots> {
        self.ceiling.pinned.of(mode)
    }
}
