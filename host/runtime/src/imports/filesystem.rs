//! `dsh:fs/filesystem`, as the component calls it.

use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::name;
use dsh_fs::sandbox::Files;
use dsh_fs::types as fs;
use wasmtime::component::Resource;

use super::listing;
use super::mutation::{Intent, edit_guard_name, write_guard_name};
use super::shown::Work;
use super::stream::OpenStream;
use crate::audit::Event;
use crate::bindings::{filesystem, types as wit};
use crate::change::Found;
use crate::convert::all;
use crate::state::State;

type Answer<T> = wasmtime::Result<Result<T, wit::Error>>;

/// A handle of the component: files under one policy.
#[allow(
    unreachable_pub,
    reason = "generated code exports it from a private module"
)]
pub struct OpenFiles {
    pub(super) files: Files,
    /// A person's permission, for a handle that needs one.
    pub(super) granted: Option<Granted>,
    /// How often the session had been narrowed when it was opened.
    pub(super) narrowings: u64,
}

/// What a person's permission is good for, beside the one file.
pub(super) struct Granted {
    /// The call that it was given for.
    pub(super) serial: u64,
    /// What the change was shown against.
    pub(super) found: Found,
}

impl OpenFiles {
    pub(super) fn plain(files: Files, narrowings: u64) -> Self {
        Self {
            files,
            granted: None,
            narrowings,
        }
    }

    pub(super) fn granted(files: Files, granted: Granted) -> Self {
        Self {
            files,
            granted: Some(granted),
            // It ends with its call, and a session is narrowed between calls.
            narrowings: 0,
        }
    }
}

impl State {
    /// Runs a read through a handle, and charges the time that it took.
    fn reading<A, B: From<A>>(
        &mut self,
        handle: &Resource<OpenFiles>,
        run: impl FnOnce(&Files, &Cancel) -> Result<A, Error>,
    ) -> Answer<B> {
        let since = Instant::now();
        let open = self.table.get(handle)?;
        let result = run(&open.files, &self.cancel);
        self.charge(since)?;
        Ok(result.map(B::from).map_err(Into::into))
    }

    /// The key of a target that is looked at, where that is written down.
    fn to_be_recorded(&self, key: &str) -> Option<String> {
        let audited = self.authority.audit_reads;
        audited.then(|| key.to_owned())
    }

    /// Writes a look at a file down, with what came of it.
    fn looked<T>(&self, verb: &'static str, key: Option<String>, answer: Answer<T>) -> Answer<T> {
        if let (Some(key), Ok(result)) = (key, &answer) {
            let error = result.as_ref().err();
            self.record_look(verb, &key, error.map(|error| Code::from(error.code)));
        }
        answer
    }

    fn record_look(&self, verb: &'static str, key: &str, code: Option<Code>) {
        self.record(Event::Looked {
            tool: self.call.tool,
            verb,
            key,
            code: code.map(Code::name),
        });
    }

    /// The most bytes of one answer: what the caller wants, or the limit of the session.
    fn most_bytes(&self, wanted: u64) -> u64 {
        wanted.min(self.limits.transfer_bytes as u64)
    }
}

impl filesystem::Host for State {
    fn open(
        &mut self,
        policy: wit::ExecutionPolicy,
        grant: Option<wit::Grant>,
    ) -> Answer<Resource<OpenFiles>> {
        self.check_events()?;
        Ok(match self.open_files(policy.into(), grant) {
            Ok(open) => Ok(self.table.push(open)?),
            Err(error) => Err(error.into()),
        })
    }
}

impl filesystem::HostFiles for State {
    fn resolve(
        &mut self,
        files: Resource<OpenFiles>,
        path: String,
        base: Option<String>,
    ) -> Answer<wit::Target> {
        self.reading(&files, |files, cancel| {
            files.resolve(&path, base.as_deref(), cancel)
        })
    }

    fn writable_roots(&mut self, files: Resource<OpenFiles>) -> wasmtime::Result<Vec<String>> {
        self.renew(&files)?;
        Ok(self.table.get(&files)?.files.writable_roots())
    }

    fn process_path(&mut self, files: Resource<OpenFiles>, key: String) -> Answer<String> {
        self.reading(&files, |files, _| {
            let path = files.process_path(&key)?;
            Ok(name::to_text(path.as_os_str().as_bytes()))
        })
    }

    fn file_url(&mut self, files: Resource<OpenFiles>, key: String) -> Answer<String> {
        self.reading(&files, |files, _| files.file_url(&key))
    }

    fn contains(
        &mut self,
        files: Resource<OpenFiles>,
        parent: String,
        child: String,
    ) -> wasmtime::Result<bool> {
        Ok(self.table.get(&files)?.files.contains(&parent, &child))
    }

    fn stat(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
    ) -> Answer<Option<wit::Info>> {
        let answer: Answer<Option<fs::Info>> =
            self.reading(&files, |files, cancel| files.stat(&target.into(), cancel));
        optional(answer)
    }

    fn lstat(
        &mut self,
        files: Resource<OpenFiles>,
        path: String,
        base: Option<String>,
    ) -> Answer<Option<wit::PathInfo>> {
        let answer: Answer<Option<fs::PathInfo>> = self.reading(&files, |files, cancel| {
            files.lstat(&path, base.as_deref(), cancel)
        });
        optional(answer)
    }

    fn read_text(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
        max_bytes: u64,
    ) -> Answer<wit::TextContent> {
        let (most, target) = (self.most_bytes(max_bytes), target.into());
        if let Err(error) = self.of_the_removed(&target) {
            return Ok(Err(error.into()));
        }
        let key = self.to_be_recorded(&target.key);
        let answer = self.reading(&files, |files, cancel| {
            files.read_text(&target, most, cancel)
        });
        self.looked("read", key, answer)
    }

    fn read_window(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
        window: wit::ReadWindow,
    ) -> Answer<wit::TextWindow> {
        let mut window = fs::ReadWindow::from(window);
        let most = u32::try_from(self.limits.transfer_bytes).unwrap_or(u32::MAX);
        window.max_bytes = window.max_bytes.min(most);
        let target = target.into();
        if let Err(error) = self.of_the_removed(&target) {
            return Ok(Err(error.into()));
        }
        let key = self.to_be_recorded(&target.key);
        let answer = self.reading(&files, |files, cancel| {
            files.read_window(&target, &window, cancel)
        });
        self.looked("read", key, answer)
    }

    fn stream_text(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
    ) -> wasmtime::Result<Resource<OpenStream>> {
        // What comes of it is not known yet: its pieces are asked for later.
        if self.authority.audit_reads {
            self.check_events()?;
            self.record_look("read", &target.key, None);
        }
        let stream = self.table.get(&files)?.files.stream_text(&target.into());
        Ok(self.table.push(OpenStream(stream))?)
    }

    fn read_bytes(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
        max_bytes: u64,
    ) -> Answer<Vec<u8>> {
        let most = self.most_bytes(max_bytes);
        let key = self.to_be_recorded(&target.key);
        let answer = self.reading(&files, |files, cancel| {
            files.read_bytes(&target.into(), most, cancel)
        });
        self.looked("read", key, answer)
    }

    fn list_dir(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
    ) -> Answer<Vec<wit::DirEntry>> {
        let most = self.limits.transfer_bytes;
        let key = self.to_be_recorded(&target.key);
        let answer: Answer<Vec<fs::DirEntry>> = self.reading(&files, |files, cancel| {
            let target = target.into();
            let entries = files.list_dir(&target, cancel)?;
            listing::check_size(&target, &entries, most)?;
            Ok(entries)
        });
        Ok(self.looked("list", key, answer)?.map(all))
    }

    fn write_text(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
        content: String,
        guard: wit::WriteGuard,
        report: wit::Report,
    ) -> Answer<wit::Mutation> {
        let target = target.into();
        if let Some(answer) = self.take_back_creation(&files, &target)? {
            return Ok(Err(answer.into()));
        }
        let guard = self.demanded(&files, guard.into())?;
        let report = self.allowed_report(report);
        let intent = Intent {
            verb: "write",
            target: &target,
            guard: write_guard_name(&guard),
            work: Work::Write(&content, &guard),
        };
        let part = self.part();
        self.mutate(&files, &intent, |files, cancel| {
            part.write(files, &target, &content, &guard, report, cancel)
        })
    }

    fn edit_text(
        &mut self,
        files: Resource<OpenFiles>,
        target: wit::Target,
        edit: wit::Edit,
        guard: wit::EditGuard,
        report: wit::Report,
    ) -> Answer<wit::Mutation> {
        let (target, edit, guard) = (target.into(), edit.into(), guard.into());
        let report = self.allowed_report(report);
        let intent = Intent {
            verb: "edit",
            target: &target,
            guard: edit_guard_name(&guard),
            work: Work::Edit(&edit),
        };
        let part = self.part();
        self.mutate(&files, &intent, |files, cancel| {
            part.edit(files, &target, &edit, &guard, report, cancel)
        })
    }

    fn drop(&mut self, files: Resource<OpenFiles>) -> wasmtime::Result<()> {
        self.table.delete(files)?;
        Ok(())
    }
}

fn optional<A, B: From<A>>(answer: Answer<Option<A>>) -> Answer<Option<B>> {
    Ok(answer?.map(|value| value.map(B::from)))
}
