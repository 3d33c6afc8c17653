//! Finds and starts the program `dsh-fs`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The program, in the profile folder that this test program lies in.
///
/// Cargo names the programs of a package to the tests of that package alone. So the first
/// caller has cargo build it, which takes a moment where it is fresh already: cargo holds
/// no lock while tests run.
pub(crate) fn path() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(build)
}

fn build() -> PathBuf {
    let tests = std::env::current_exe().expect("the path of this program");
    let folder = tests
        .ancestors()
        .nth(2)
        .expect("it lies in PROFILE/deps")
        .to_path_buf();
    let target = folder.parent().expect("PROFILE lies in the target folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let status = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--locked",
            "-p",
            "dsh-fs-cli",
            "--profile",
            profile,
        ])
        .arg("--target-dir")
        .arg(target)
        .current_dir(crate::workspace())
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "building dsh-fs: {status}");
    folder.join("dsh-fs")
}

/// How a run of the program ended.
pub(crate) struct Ended {
    /// The exit code; nothing where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Standard output, where the program did all that it was asked to.
    pub(crate) fn done(self) -> String {
        assert_eq!(
            (self.code, self.stderr.as_str()),
            (Some(0), ""),
            "{}",
            self.stdout
        );
        self.stdout
    }

    /// The first line of the error, without its prefix, where the program ended with `code`.
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        let first = self.stderr.lines().next().unwrap_or_default();
        first
            .strip_prefix("dsh-fs: error: ")
            .expect("it was looked at")
            .to_owned()
    }
}

/// Runs a command to its end with this input, and looks at what every error has in common.
pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Ended {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut running = command.spawn().expect("dsh-fs can be started");
    let mut stdin = running.stdin.take().expect("it is piped");
    let output = std::thread::scope(|scope| {
        // A program that ends early closes its input: that is not the failure of a test.
        scope.spawn(move || stdin.write_all(input).unwrap_or_default());
        running.wait_with_output().expect("dsh-fs ends")
    });
    let ended = Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("errors are UTF-8"),
    };
    let starts = |prefix| ended.stderr.starts_with(prefix);
    let told = ended.stderr.is_empty() || starts("dsh-fs: error: ") || starts("dsh-fs: note: ");
    assert!(
        told && !ended.stderr.contains("panicked"),
        "{}",
        ended.stderr
    );
    ended
}
