//! Small trees for tests, outside `/tmp`, which is a writable root.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses a part of it"
)]

pub mod recorder;

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::local::LocalFileSystem;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs::version::VersionSecret;

/// A fresh folder with a tree in it; removed at the end of the test.
pub struct Tree {
    _folder: tempfile::TempDir,
    base: PathBuf,
}

impl Tree {
    /// Plants a tree, one node a line: `d/`, `f`, `f = text`, `l => target`, `p |` for a
    /// FIFO, `h == other` for a hard link. Parents are made. `$BASE` is the folder.
    pub fn new(nodes: &str) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let base = folder.path().canonicalize().expect("it is there");
        let tree = Self {
            _folder: folder,
            base,
        };
        for node in nodes
            .lines()
            .map(str::trim_start)
            .filter(|node| !node.is_empty())
        {
            tree.plant(node);
        }
        tree
    }

    /// A path in the tree.
    pub fn path(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    /// The same as text.
    pub fn text(&self, path: &str) -> String {
        let path = if path.is_empty() {
            self.base.clone()
        } else {
            self.path(path)
        };
        path.into_os_string()
            .into_string()
            .expect("tests use UTF-8")
    }

    /// Puts the folder in the place of `$BASE`.
    pub fn filled(&self, text: &str) -> String {
        text.replace("$BASE", &self.text(""))
    }

    /// A policy whose workspace is in this tree.
    pub fn policy(&self, mode: Mode, workspace: &str) -> ExecutionPolicy {
        ExecutionPolicy {
            mode,
            workspace_root: self.text(workspace),
            session_id: None,
        }
    }

    fn plant(&self, node: &str) {
        if let Some((link, target)) = node.split_once(" => ") {
            symlink(self.filled(target), self.parented(link)).expect("a link");
        } else if let Some((link, target)) = node.split_once(" == ") {
            fs::hard_link(self.path(target), self.parented(link)).expect("a hard link");
        } else if let Some(fifo) = node.strip_suffix(" |") {
            make_fifo(&self.parented(fifo));
        } else if let Some(directory) = node.strip_suffix('/') {
            fs::create_dir_all(self.path(directory)).expect("a directory");
        } else {
            let (file, content) = node.split_once(" = ").unwrap_or((node, "x\n"));
            fs::write(self.parented(file), self.filled(content)).expect("a file");
        }
    }

    fn parented(&self, path: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("parents");
        path
    }
}

/// A local provider under a fresh secret.
pub fn local() -> Arc<LocalFileSystem> {
    let secret = VersionSecret::random().expect("the kernel gives random bytes");
    Arc::new(LocalFileSystem::new(secret, Default::default()))
}

pub fn make_fifo(path: &Path) {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).expect("no NUL");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0)
        .expect("a FIFO");
}

/// Takes a write lease, and leaves the signal of a break without effect.
pub fn lease(file: &fs::File) {
    use std::os::fd::AsRawFd;
    /// `F_SETSIG` of Linux, which the crate libc leaves out.
    const SET_SIGNAL: i32 = 10;
    // SAFETY: the descriptor is open, and neither command takes a pointer.
    #[allow(unsafe_code, reason = "rustix has no leases")]
    let taken = unsafe {
        libc::fcntl(file.as_raw_fd(), SET_SIGNAL, libc::SIGURG);
        libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK)
    };
    assert_eq!(taken, 0, "{}", std::io::Error::last_os_error());
}
