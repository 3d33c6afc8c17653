//! Nothing widens a deployment: not the environment, not the command line, and not a file
//! that an agent could have written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use dsh_fs::roots::RootRules;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_harness::deployment::{ConfigCode, Deployment, KeepHistory, Narrowing};
use rustix::process::geteuid;
use tempfile::TempDir;

use super::parse;

/// A folder with a workspace and a folder for the policy, both safe: beneath a build folder
/// that a group may write to they would not be.
struct Ground(TempDir);

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").expect("a folder");
        let ground = Self(folder);
        for name in ["ws", "etc", "more"] {
            fs::create_dir(ground.path(name)).expect("a folder");
            ground.permit(name, 0o755);
        }
        ground
    }

    fn path(&self, name: &str) -> PathBuf {
        let base = self.0.path().canonicalize().expect("it is there");
        base.join(name)
    }

    fn permit(&self, name: &str, mode: u32) {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(self.path(name), permissions).expect("permitted");
    }

    /// A policy for the workspace, in this file.
    fn plant(&self, file: &str) -> PathBuf {
        let text = format!(
            "mode = \"workspace-write\"\nworkspace = {:?}\nroots = [{:?}]\n",
            self.path("ws"),
            self.path("more")
        );
        fs::write(self.path(file), text).expect("a policy");
        self.permit(file, 0o644);
        self.path(file)
    }

    #[track_caller]
    fn refused(&self, file: &str, words: &str) {
        let error = Deployment::read(&self.path(file)).expect_err("it is refused");
        assert_eq!(error.code(), ConfigCode::UnsafeFile, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

fn writable(rules: &RootRules, workspace: &Path) -> Vec<String> {
    let policy = ExecutionPolicy {
        mode: Mode::WorkspaceWrite,
        workspace_root: workspace.display().to_string(),
        session_id: None,
    };
    rules
        .derive(&policy)
        .expect("the roots can be opened")
        .texts()
}

#[test]
fn a_file_out_of_reach_is_read() {
    let ground = Ground::new();
    let file = ground.plant("etc/p.toml");
    let deployment = Deployment::read(&file).expect("it is safe");
    assert_eq!(deployment.workspace, Some(ground.path("ws")));
    assert_eq!(deployment.file, Some(file));
    symlink("p.toml", ground.path("etc/link")).expect("a link");
    Deployment::read(&ground.path("etc/link")).expect("a link beside it is safe too");
}

/// Fails without `in_a_root`.
#[test]
fn a_file_that_an_agent_could_change_is_refused() {
    let ground = Ground::new();
    for file in ["ws/p.toml", "more/p.toml"] {
        ground.plant(file);
        ground.refused(file, "lies beneath the writable root");
    }
    ground.plant("etc/p.toml");
    symlink(ground.path("ws/p.toml"), ground.path("etc/in")).expect("a link");
    ground.refused("etc/in", "lies beneath the writable root");
    symlink(ground.path("etc/p.toml"), ground.path("ws/out")).expect("a link");
    ground.refused("ws/out", "lies beneath the writable root");
    symlink(ground.path("ws/out"), ground.path("etc/through")).expect("a link");
    ground.refused("etc/through", "lies beneath the writable root");
    symlink(ground.path("etc"), ground.path("ws/folder")).expect("a link");
    symlink(ground.path("ws/folder"), ground.path("etc/folder")).expect("a link");
    ground.refused("etc/folder/p.toml", "lies beneath the writable root");
}

#[test]
fn a_file_beneath_tmp_is_refused_where_tmp_is_a_root() {
    let folder = tempfile::tempdir_in("/tmp").expect("a folder");
    let file = folder.path().join("p.toml");
    for (text, safe) in [("", false), ("temp-roots = false\n", true)] {
        fs::write(&file, text).expect("a policy");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("permitted");
        let read = Deployment::read(&file);
        assert_eq!(read.is_ok(), safe, "{text}{read:?}");
    }
}

/// Each fails without its check in `unsafe_way`, the last two without `unsafe_directory`.
#[test]
fn a_file_that_others_could_write_is_refused() {
    let ground = Ground::new();
    let plain = |file: &str| {
        ground.plant(file);
        file.to_owned()
    };
    let file = plain("etc/group");
    ground.permit(&file, 0o664);
    ground.refused(&file, "writable by its group");
    let file = plain("etc/others");
    ground.permit(&file, 0o646);
    ground.refused(&file, "writable by its group");
    let file = plain("etc/linked");
    fs::hard_link(ground.path(&file), ground.path("ws/other-name")).expect("a hard link");
    ground.refused(&file, "hard links");
    let file = plain("etc/p.toml");
    ground.permit("etc", 0o1777);
    ground.refused(&file, "etc is writable");
    ground.permit("etc", 0o755);
    fs::create_dir(ground.path("etc/deep")).expect("a folder");
    let file = plain("etc/deep/p.toml");
    ground.permit("etc", 0o775);
    ground.refused(&file, "etc is writable");
}

#[test]
fn a_file_of_another_user_is_refused() {
    if !geteuid().is_root() {
        println!("SKIPPED a_file_of_another_user_is_refused: only root gives files away");
        return;
    }
    let ground = Ground::new();
    ground.plant("etc/p.toml");
    chown(ground.path("etc/p.toml"), Some(65534), None).expect("given away");
    ground.refused("etc/p.toml", "belongs to the user 65534");
}

#[test]
fn what_is_no_file_is_unreadable_and_nothing_waits_for_it() {
    let ground = Ground::new();
    let fifo = ground.path("etc/fifo");
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0)
        .expect("a FIFO");
    fs::write(ground.path("etc/bytes"), b"\xff").expect("a file");
    fs::write(ground.path("etc/long"), "#".repeat(2 << 20)).expect("a file");
    symlink("loop", ground.path("etc/loop")).expect("a link");
    for name in [
        "etc/fifo",
        "etc",
        "etc/missing",
        "etc/bytes",
        "etc/long",
        "etc/loop",
    ] {
        let error = Deployment::read(&ground.path(name)).expect_err(name);
        assert_eq!(error.code(), ConfigCode::Unreadable, "{error}");
    }
}

/// Fails where `rules` takes the temporary directory whatever describes the deployment, and
/// where values are expanded.
#[test]
fn the_environment_adds_no_root() {
    let ground = Ground::new();
    let (ws, more) = (ground.path("ws"), ground.path("more"));
    let text = |path: &Path| path.display().to_string();
    let rules = parse("").rules(Some(&more)).expect("rules");
    assert_eq!(writable(&rules, &ws), [text(&ws), "/tmp".to_owned()]);
    let rules = parse("temp-roots = false\n").rules(Some(&more));
    assert_eq!(writable(&rules.expect("rules"), &ws), [text(&ws)]);
    let rules = Deployment::default().rules(Some(&more)).expect("rules");
    let all = [text(&ws), "/tmp".to_owned(), text(&more)];
    assert_eq!(writable(&rules, &ws), all, "without a file it does");
}

/// Nothing is read from the workspace, whatever its files say: the deployment is the same.
#[test]
fn a_file_in_the_workspace_says_nothing() {
    let ground = Ground::new();
    let file = ground.plant("etc/p.toml");
    let before = format!("{:?}", Deployment::read(&file).expect("it is safe"));
    for name in ["dsh-fs.toml", ".dsh-fs.toml", "p.toml", ".env"] {
        let text = "mode = \"danger-full-access\"\nroots = [\"/\"]\n";
        fs::write(ground.path("ws").join(name), text).expect("a file");
    }
    let after = Deployment::read(&file).expect("it is safe");
    assert_eq!(format!("{after:?}"), before);
}

/// Fails without each check in `widened`, and without `in_reach` in `narrowed_by`.
#[test]
fn the_command_line_only_narrows_a_file() {
    let ground = Ground::new();
    fs::create_dir(ground.path("ws/sub")).expect("a folder");
    let file = ground.plant("etc/p.toml");
    let read = || Deployment::read(&file).expect("it is safe");
    let narrower = Narrowing {
        mode: Some(Mode::ReadOnly),
        workspace: Some(ground.path("ws/sub")),
        no_temp_roots: true,
        no_history: true,
        in_place: false,
    };
    let narrowed = read().narrowed_by(&narrower).expect("it narrows");
    assert_eq!(narrowed.mode, Mode::ReadOnly);
    assert_eq!(narrowed.workspace, Some(ground.path("ws/sub")));
    assert!(!narrowed.temp_roots && narrowed.history == KeepHistory::Off);
    let wider = [
        Narrowing {
            mode: Some(Mode::DangerFullAccess),
            ..Narrowing::default()
        },
        Narrowing {
            workspace: Some(ground.path("more")),
            ..Narrowing::default()
        },
        Narrowing {
            workspace: Some(ground.path("ws/../more")),
            ..Narrowing::default()
        },
        Narrowing {
            workspace: Some(ground.path("")),
            ..Narrowing::default()
        },
        Narrowing {
            in_place: true,
            ..Narrowing::default()
        },
    ];
    for flags in wider {
        let error = read().narrowed_by(&flags).expect_err("it widens");
        assert_eq!(error.code(), ConfigCode::Widened, "{flags:?}: {error}");
        let free = Deployment::default().narrowed_by(&flags);
        assert!(free.is_ok(), "without a file the flags say what they like");
    }
}

#[test]
fn a_workspace_of_the_command_line_must_not_hold_the_file() {
    let ground = Ground::new();
    let file = ground.path("etc/p.toml");
    fs::write(&file, "mode = \"workspace-write\"\n").expect("a policy");
    ground.permit("etc/p.toml", 0o644);
    let read = || Deployment::read(&file).expect("it is safe");
    let with = |name: &str| Narrowing {
        workspace: Some(ground.path(name)),
        ..Narrowing::default()
    };
    for name in ["", "etc"] {
        let error = read()
            .narrowed_by(&with(name))
            .expect_err("it holds the file");
        assert_eq!(error.code(), ConfigCode::UnsafeFile, "{error}");
    }
    read().narrowed_by(&with("ws")).expect("it does not");
}
