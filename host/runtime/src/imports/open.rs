//! Opening files under a policy: never wider than the ceiling without a recorded grant.

use dsh_fs::error::Error;
use dsh_fs::sandbox::{Files, OneShot};
use dsh_fs::types::{ExecutionPolicy, Mode};

use wasmtime::component::Resource;

use super::filesystem::{Granted, OpenFiles};
use crate::audit::Event;
use crate::ceiling::{Excess, denied, too_wide};
use crate::grants::Grant;
use crate::state::State;
use crate::wording;

impl State {
    /// Opens what the component asks for, if the ceiling or a grant allows it.
    pub(super) fn open_files(
        &mut self,
        policy: ExecutionPolicy,
        token: Option<String>,
    ) -> Result<OpenFiles, Error> {
        let ceiling = &self.authority.ceiling;
        if let Err(excess) = ceiling.check_root(&policy) {
            return Err(self.open_denied(policy.mode, excess));
        }
        match token {
            Some(token) => self.open_granted(policy, &token),
            None => match ceiling.check_mode(policy.mode) {
                Ok(()) => {
                    let narrowings = ceiling.narrowings;
                    Ok(OpenFiles::plain(self.files_under(policy, None), narrowings))
                }
                Err(excess) => Err(self.open_denied(policy.mode, excess)),
            },
        }
    }

    fn open_granted(&mut self, policy: ExecutionPolicy, token: &str) -> Result<OpenFiles, Error> {
        let grant = self.use_grant(token, self.call.tool, policy.mode)?;
        let only = OneShot { key: grant.key };
        let files = self.files_under(policy, Some(only));
        let granted = Granted {
            serial: self.call.serial,
            found: grant.found,
        };
        Ok(OpenFiles::granted(files, granted))
    }

    /// A handle that was opened before the session was narrowed, or before that was taken
    /// away, gets the roots of now: a component keeps handles from call to call.
    pub(super) fn renew(&mut self, handle: &Resource<OpenFiles>) -> wasmtime::Result<()> {
        let open = self.table.get(handle)?;
        let narrowings = self.authority.ceiling.narrowings;
        if open.granted.is_some() || open.narrowings == narrowings {
            return Ok(());
        }
        let files = self.files_under(open.files.policy().clone(), None);
        *self.table.get_mut(handle)? = OpenFiles::plain(files, narrowings);
        Ok(())
    }

    /// The component's words for the root decide nothing: the roots are the pinned ones,
    /// and relative paths start from the session's own directory.
    fn files_under(&self, policy: ExecutionPolicy, only: Option<OneShot>) -> Files {
        let authority = &self.authority;
        let policy = ExecutionPolicy {
            mode: policy.mode,
            workspace_root: authority.ceiling.told_root.clone(),
            session_id: authority.label.clone(),
        };
        let roots = authority.ceiling.pinned.of(policy.mode);
        let files = &authority.files;
        files.open(policy, roots, authority.guarding, only)
    }

    /// Uses a grant up. Presented for something else it is gone as well.
    pub(super) fn use_grant(
        &mut self,
        token: &str,
        tool: &str,
        mode: Mode,
    ) -> Result<Grant, Error> {
        let reason = match self.authority.grants.take(token) {
            None => "it is unknown, or used",
            Some(grant) if grant.tool != tool => "it is for another tool",
            Some(grant) if grant.mode != mode => "it is for another mode",
            Some(grant) => {
                self.record(Event::GrantUsed {
                    tool: grant.tool,
                    key: &grant.key,
                    mode: grant.mode.name(),
                });
                return Ok(grant);
            }
        };
        Err(self.grant_refused(reason))
    }

    pub(super) fn grant_refused(&self, reason: &'static str) -> Error {
        self.record(Event::GrantRefused {
            tool: self.call.tool,
            reason,
        });
        denied(wording::grant_refused(reason), None, None)
    }

    fn open_denied(&self, asked: Mode, excess: Excess) -> Error {
        self.record(Event::OpenDenied {
            asked: asked.name(),
            ceiling: self.authority.ceiling.mode.name(),
            reason: excess.reason(),
        });
        too_wide(asked, excess)
    }
}
