//! Holding an agent to a few directories.

use std::path::PathBuf;

use crate::agent::Agent;

impl Agent {
    /// From now on nothing is changed outside these directories, whatever the mode and
    /// whoever approves it (`FS_SANDBOX_DENIED`). Nothing is widened by it; `None` takes it
    /// away. It waits for the call that runs.
    pub fn narrow_to(&self, directories: Option<&[PathBuf]>) {
        self.lanes.narrow_to(directories);
    }
}
