//! One session over real files, and what the map says that it must answer.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::local::{Durability, LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{EntryKind, ExecutionPolicy, Mode, Target};
use dsh_fs::version::VersionSecret;

use crate::answer::{code, same, text};
use crate::map::{self, Map, Node, meets_link, parent, resolve};
use crate::outside;
use crate::step::{Call, Step};
use crate::versions::Versions;

/// What was resolved for a path: by the provider, and by the map.
#[derive(Clone)]
pub(crate) struct Held {
    pub(crate) target: Target,
    pub(crate) spelled: String,
    pub(crate) key: String,
}

/// The files, the map, and what was seen so far.
pub(crate) struct Session {
    _folder: tempfile::TempDir,
    base: PathBuf,
    pub(crate) files: Files,
    pub(crate) map: Map,
    held: HashMap<&'static str, Held>,
    pub(crate) seen: HashMap<String, (Vec<u8>, String)>,
    versions: Versions,
    pub(crate) new_mode: u32,
}

impl Session {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let base = folder.path().canonicalize().expect("it is there");
        for name in ["ws/d", "out"] {
            fs::create_dir_all(base.join(name)).expect("made");
        }
        fs::write(base.join("ws/a"), "a\nb\n").expect("written");
        let mode = fs::metadata(base.join("ws/a"))
            .expect("there")
            .permissions()
            .mode();
        Self {
            files: files(&base),
            map: map::of_disk(&base),
            base,
            _folder: folder,
            held: HashMap::new(),
            seen: HashMap::new(),
            versions: Versions::default(),
            new_mode: mode & 0o7777,
        }
    }

    /// Takes a step, and compares the answer and the disk with the map.
    pub(crate) fn take(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Outside(path, change) => {
                outside::apply(&mut self.map, &self.base, path, change, self.new_mode);
            }
            Step::Call(path, call) => {
                if let Some(held) = self.resolve(path)? {
                    self.held.insert(path, held.clone());
                    self.call(&held, call)?;
                }
            }
            Step::Held(path, call) => {
                if let Some(held) = self.held.get(path).cloned() {
                    self.call(&held, call)?;
                }
            }
        }
        same(&map::of_disk(&self.base), &self.map)
    }

    fn resolve(&self, path: &'static str) -> Result<Option<Held>, String> {
        let spelled = format!("/{path}");
        let full = self.base.join(path);
        let answer = self
            .files
            .resolve(full.to_str().expect("text"), None, &Cancel::new());
        let Some(key) = resolve(&self.map, &spelled) else {
            return code(answer, Some(Code::NotFound)).map(|_| None);
        };
        let target = code(answer, None)?.expect("it did not fail");
        same(&target.key, &self.disk(&key))?;
        Ok(Some(Held {
            target,
            spelled,
            key,
        }))
    }

    fn disk(&self, key: &str) -> String {
        format!("{}{key}", self.base.display())
    }

    fn call(&mut self, held: &Held, call: &Call) -> Result<(), String> {
        match call {
            Call::Read => self.read(held),
            Call::Stat => self.stat(held),
            Call::List => self.list(held),
            Call::Write(content, guard) => self.write(held, content, *guard),
            Call::Edit(old, new, all, guard) => self.edit(held, (old, new, *all), *guard),
        }
    }

    /// What is at the key by now. Facts follow it wherever it leads; content is read where
    /// the key has no link on it alone.
    fn found(&self, held: &Held) -> Option<&Node> {
        self.map.get(&resolve(&self.map, &held.key)?)
    }

    fn read(&mut self, held: &Held) -> Result<(), String> {
        let refusal = match self.found(held) {
            _ if meets_link(&self.map, &held.key) => Some(Code::StaleVersion),
            None => Some(Code::NotFound),
            Some(Node::File { bytes, .. }) if text(bytes).is_none() => Some(Code::NotText),
            Some(Node::File { .. }) => None,
            Some(_) => Some(Code::NotRegularFile),
        };
        let answer = self.files.read_text(&held.target, 1 << 20, &Cancel::new());
        let Some(read) = code(answer, refusal)? else {
            return Ok(());
        };
        let Some(Node::File { bytes, .. }) = self.found(held).cloned() else {
            return Err("nothing was there to be read".to_owned());
        };
        same(read.text.as_bytes(), &bytes[..])?;
        self.observe(held, bytes, read.version)
    }

    pub(crate) fn observe(
        &mut self,
        held: &Held,
        bytes: Vec<u8>,
        version: String,
    ) -> Result<(), String> {
        self.versions.note(&bytes, &version)?;
        self.seen.insert(held.key.clone(), (bytes, version));
        Ok(())
    }

    fn stat(&self, held: &Held) -> Result<(), String> {
        let expected = self.found(held).map(|node| match node {
            Node::File { bytes, .. } => (EntryKind::File, Some(bytes.len() as u64)),
            _ => (EntryKind::Directory, None),
        });
        // A loop, or a file in the place of a folder, may be an error or nothing.
        let answer = match self.files.stat(&held.target, &Cancel::new()) {
            Err(error) if error.code == Code::NotFound => None,
            answer => answer.map_err(|error| error.to_string())?,
        };
        same(&answer.map(|info| (info.kind, info.size)), &expected)
    }

    fn list(&self, held: &Held) -> Result<(), String> {
        let refusal = match self.found(held) {
            _ if meets_link(&self.map, &held.key) => Some(Code::StaleVersion),
            None => Some(Code::NotFound),
            Some(Node::Folder) => None,
            Some(_) => Some(Code::NotDirectory),
        };
        let answer = self.files.list_dir(&held.target, &Cancel::new());
        let Some(listed) = code(answer, refusal)? else {
            return Ok(());
        };
        let names: Vec<_> = listed.iter().map(|e| (e.name.clone(), e.is_link)).collect();
        let folder = resolve(&self.map, &held.key).expect("it was found");
        let children = self.map.iter().filter(|(path, _)| parent(path) == folder);
        let mut expected: Vec<_> = children
            .map(|(path, node)| {
                let name = path[folder.len() + 1..].to_owned();
                (name, matches!(node, Node::Link(_)))
            })
            .collect();
        expected.sort();
        same(&names, &expected)
    }
}

fn files(base: &std::path::Path) -> Files {
    let secret = VersionSecret::random().expect("random bytes");
    let options = PublishOptions {
        durability: Durability::NoSync,
        ..PublishOptions::default()
    };
    let local = Arc::new(LocalFileSystem::new(secret, options));
    let sandbox = SandboxedFileSystem::new(local, RootRules::workspace_only());
    let policy = ExecutionPolicy {
        mode: Mode::WorkspaceWrite,
        workspace_root: base.join("ws").to_str().expect("text").to_owned(),
        session_id: None,
    };
    let roots = sandbox.pin(&policy).expect("pinned");
    sandbox.open(policy, roots, Guarding::Required, None)
}
