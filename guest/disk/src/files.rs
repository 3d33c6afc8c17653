//! The exported interface: files under one policy, each verb handed to the file that is
//! named after it.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::bindings::dsh::fs::approval;
use crate::bindings::dsh::fs::types::{
    DirEntry, Edit, EditGuard, Error, ErrorCode, ExecutionPolicy, Grant, Info, Mutation, PathInfo,
    ReadWindow, Report, SandboxMode, Target, TextContent, TextWindow, WriteGuard,
};
use crate::bindings::exports::dsh::fs::filesystem::{Files, Guest, GuestFiles, TextStream};
use crate::ground::Ground;
use crate::stream::Stream;
use crate::{change, content, facts, failure, fence, list, show, walk};

/// The component, to which the exported interface is attached.
pub(crate) struct Disk;

/// Files under one policy.
pub(crate) struct OpenFiles {
    ground: Rc<Ground>,
    mode: SandboxMode,
    grant: Option<Permission>,
}

/// A person's permission, which is looked at when it is used.
struct Permission {
    grant: Grant,
}

thread_local! {
    /// The folders and options of the program, looked at once.
    static GROUND: OnceCell<Rc<Ground>> = const { OnceCell::new() };
}

fn ground() -> Result<Rc<Ground>, Error> {
    GROUND.with(|cell| {
        if let Some(ground) = cell.get() {
            return Ok(Rc::clone(ground));
        }
        let ground = Ground::start()?;
        Ok(Rc::clone(cell.get_or_init(|| ground)))
    })
}

impl Guest for Disk {
    type Files = OpenFiles;
    type TextStream = Stream;

    fn open(policy: ExecutionPolicy, grant: Option<Grant>) -> Result<Files, Error> {
        let ground = ground()?;
        if policy.workspace_root != ground.root_path {
            let message = "this program may not open files with another workspace root";
            return Err(failure::plain(ErrorCode::SandboxDenied, message));
        }
        if grant.is_none() && policy.mode > ground.ceiling() {
            let mode = failure::mode_name(policy.mode);
            let message = format!("this program may not open files under {mode} mode");
            return Err(failure::plain(ErrorCode::SandboxDenied, message));
        }
        Ok(Files::new(OpenFiles {
            ground,
            mode: policy.mode,
            grant: grant.map(|grant| Permission { grant }),
        }))
    }
}

impl OpenFiles {
    fn base<'a>(&'a self, given: Option<&'a str>) -> &'a str {
        given.unwrap_or(&self.ground.root_path)
    }

    /// A granted handle is good for one mutation: who gave the grant takes it back here.
    fn admit(&self, verb: &str, target: &Target, guarded: bool) -> Result<fence::Within, Error> {
        let within = fence::admit(&self.ground, self.mode, verb, target, guarded)?;
        if let Some(permission) = &self.grant {
            approval::redeem(&permission.grant, verb, &target.key, self.mode)?;
        }
        Ok(within)
    }
}

impl GuestFiles for OpenFiles {
    fn resolve(&self, path: String, base: Option<String>) -> Result<Target, Error> {
        walk::walk(&self.ground, &path, self.base(base.as_deref())).map(|walked| walked.target)
    }

    fn writable_roots(&self) -> Vec<String> {
        let root = self.ground.root.iter().map(|root| root.key.clone());
        match self.mode {
            SandboxMode::WorkspaceWrite => root.collect(),
            SandboxMode::ReadOnly | SandboxMode::DangerFullAccess => Vec::new(),
        }
    }

    /// The path in the folders of this program; no process of the host knows it.
    fn process_path(&self, key: String) -> Result<String, Error> {
        Ok(key)
    }

    fn file_url(&self, key: String) -> Result<String, Error> {
        let mut url = String::from("file://");
        for byte in dsh_fs_text::name::to_bytes(&key) {
            match byte {
                b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                    url.push(char::from(byte));
                }
                byte => url.push_str(&format!("%{byte:02X}")),
            }
        }
        Ok(url)
    }

    fn contains(&self, parent: String, child: String) -> bool {
        let parent: Vec<&str> = walk::names(&parent).collect();
        let child: Vec<&str> = walk::names(&child).collect();
        child.starts_with(&parent)
    }

    fn stat(&self, target: Target) -> Result<Option<Info>, Error> {
        facts::stat(&self.ground, &target)
    }

    fn lstat(&self, path: String, base: Option<String>) -> Result<Option<PathInfo>, Error> {
        facts::lstat(&self.ground, &path, self.base(base.as_deref()))
    }

    fn read_text(&self, target: Target, max_bytes: u64) -> Result<TextContent, Error> {
        show::text(&self.ground, &target, max_bytes)
    }

    fn read_window(&self, target: Target, window: ReadWindow) -> Result<TextWindow, Error> {
        show::window(&self.ground, &target, &window)
    }

    fn stream_text(&self, target: Target) -> TextStream {
        TextStream::new(Stream::open(&self.ground, &target))
    }

    fn read_bytes(&self, target: Target, max_bytes: u64) -> Result<Vec<u8>, Error> {
        show::bytes(&self.ground, &target, max_bytes)
    }

    fn list_dir(&self, target: Target) -> Result<Vec<DirEntry>, Error> {
        list::list(&self.ground, &target)
    }

    fn write_text(
        &self,
        target: Target,
        content: String,
        guard: WriteGuard,
        report: Report,
    ) -> Result<Mutation, Error> {
        let guarded = !matches!(guard, WriteGuard::Unconditional);
        let within = self.admit("write", &target, guarded)?;
        if content.len() as u64 > content::MOST {
            return Err(failure::too_large(
                "write",
                &target.display_path,
                content::MOST,
            ));
        }
        change::write(&self.ground, within, &target, &content, &guard, report)
    }

    fn edit_text(
        &self,
        target: Target,
        edit: Edit,
        guard: EditGuard,
        report: Report,
    ) -> Result<Mutation, Error> {
        let guarded = !matches!(guard, EditGuard::Unconditional);
        let within = self.admit("edit", &target, guarded)?;
        change::edit(&self.ground, within, &target, &edit, &guard, report)
    }
}
