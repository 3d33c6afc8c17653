//! A list of paths, a tree with links in every direction, and a write of each path through
//! the fence and through a shell.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::local::LocalFileSystem;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::types::{Mode, Report, WriteGuard};
use dsh_fs::version::VersionSecret;
use dsh_fs_confine::{RunOptions, Shell};

use crate::place::{Place, environment, sh, succeeded};

/// Every path, relative to the workspace. `$NAME` is a name that nobody else uses.
pub(crate) const PATHS: [&str; 45] = [
    "file",
    "new",
    "dir/new",
    "deep/er/new/er/x",
    "a name with 'quotes' and\nlines",
    "../ws/x",
    "dir/../x",
    "$BASE/ws/./x",
    "../out/x",
    "$BASE/out/f",
    "$BASE/x",
    "../wsx/x",
    "link-in/x",
    "abs-in/x",
    "link-out/x",
    "link-out/../x",
    "link-in/../x",
    "file-in",
    "file-out",
    "dangling-in",
    "dangling-out",
    "loop",
    "loop/x",
    "file/x",
    "dir",
    ".",
    "$BASE/out/back/x",
    "$BASE/extra/x",
    "$BASE/extra/locked/x",
    "$BASE/extra/locked",
    "$BASE/extra/.git/hooks/x",
    ".git/hooks/x",
    ".git/hooks/post",
    ".git/config",
    ".git/new",
    "to-hooks/x",
    "/tmp/$NAME",
    "/tmp/$NAME-dir/x",
    "$BASE/temporary/x",
    "$BASE/home/x",
    "/var/tmp/$NAME",
    "/etc/$NAME",
    "/usr/$NAME",
    "/dev/shm/$NAME",
    "/dev/$NAME",
];

/// A tree with links in every direction, and its rules.
pub(crate) struct Ground {
    pub(crate) place: Place,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let place = Place::new();
        let base = place.base();
        for folder in [
            "ws/dir",
            "ws/deep/er",
            "ws/.git/hooks",
            "wsx",
            "extra/locked",
            "extra/.git/hooks",
            "home",
            "temporary",
        ] {
            std::fs::create_dir_all(base.join(folder)).expect("a folder");
        }
        for file in ["ws/file", "ws/.git/config", "ws/.git/hooks/post", "out/f"] {
            std::fs::write(base.join(file), "old").expect("a file");
        }
        let absolute = base.join("ws/dir");
        let links = [
            ("ws/link-in", Path::new("dir")),
            ("ws/abs-in", absolute.as_path()),
            ("ws/link-out", Path::new("../out")),
            ("ws/file-in", Path::new("file")),
            ("ws/file-out", Path::new("../out/f")),
            ("ws/dangling-in", Path::new("dir/made")),
            ("ws/dangling-out", Path::new("../out/made")),
            ("ws/loop", Path::new("loop")),
            ("ws/to-hooks", Path::new(".git/hooks")),
            ("out/back", Path::new("../ws/dir")),
        ];
        for (link, target) in links {
            symlink(target, base.join(link)).expect("a link");
        }
        Self { place }
    }

    pub(crate) fn rules(&self, temporary: bool) -> RootRules {
        let base = self.place.base();
        let rules = if temporary {
            RootRules::new(Some(&base.join("temporary")))
        } else {
            RootRules::workspace_only()
        };
        rules
            .with_root(base.join("extra"))
            .with_protected(".git/hooks")
            .with_protected(base.join("extra/locked"))
    }

    pub(crate) fn path(&self, path: &str) -> String {
        let base = self.place.base();
        let name = base.file_name().expect("a name").to_string_lossy();
        let base = base.to_str().expect("UTF-8");
        path.replace("$BASE", base).replace("$NAME", &name)
    }

    pub(crate) fn fence_writes(
        &self,
        rules: RootRules,
        mode: Mode,
        cwd: &Path,
        path: &str,
    ) -> bool {
        let secret = VersionSecret::random().expect("random bytes");
        let local = Arc::new(LocalFileSystem::new(secret, Default::default()));
        let files = SandboxedFileSystem::new(local, rules);
        let policy = self.place.policy(mode);
        let roots = files.pin(&policy).expect("roots");
        let files = files.open(policy, roots, Guarding::Bare, None);
        let cancel = Cancel::new();
        let Ok(target) = files.resolve(path, cwd.to_str(), &cancel) else {
            return false;
        };
        let guard = WriteGuard::Unconditional;
        files
            .write_text(&target, "x", &guard, Report::default(), &cancel)
            .is_ok()
    }

    /// Whether a shell writes it, and what its answer says it does not keep.
    pub(crate) fn shell_writes(
        &self,
        shell: &Shell,
        rules: &RootRules,
        mode: Mode,
        cwd: &Path,
        path: &str,
    ) -> (bool, Vec<String>) {
        let script = "mkdir -p -- \"$(dirname -- \"$0\")\" && printf x > \"$0\"";
        let mut argv = sh(script);
        argv.push(path.into());
        let policy = self.place.policy(mode);
        let roots = rules.derive(&policy).expect("roots");
        let confined = shell.confine(&argv, &policy, &roots).expect("a backend");
        let options = RunOptions::new(cwd, environment());
        let finished = shell.run(&confined, &options).expect("a run");
        let told = confined.enforcement.gaps().to_vec();
        (succeeded(&finished), told)
    }

    /// Removes what a write may have left outside the tree.
    pub(crate) fn clean(&self) {
        for place in ["/tmp", "/var/tmp", "/etc", "/usr", "/dev/shm", "/dev"] {
            let name = self.path("$NAME");
            // What is not there need not be removed.
            let _ = std::fs::remove_dir_all(format!("{place}/{name}-dir"));
            if place != "/var/tmp" {
                let _ = std::fs::remove_file(format!("{place}/{name}"));
            }
        }
    }
}
