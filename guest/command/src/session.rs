//! The one session of the program.

use wasip2::filesystem::preopens;
use wasip2::random::random;

use crate::bindings::dsh::fs::tools::{ReadLimits, Seed, Session, SessionConfig};
use crate::bindings::dsh::fs::types::SandboxMode;
use crate::options::Options;

/// A session under the options of the command line. Nobody can be asked for more.
pub(crate) fn start(options: &Options) -> Session {
    let folders = preopens::get_directories();
    let first = folders.first().map(|(_, path)| path.as_str());
    Session::new(&SessionConfig {
        session_id: Some("main".to_owned()),
        cwd: None,
        default_mode: mode(&options.mode),
        configured_root: options.root(first),
        confined: true,
        approver: false,
        limits: ReadLimits {
            lines: 2_000,
            bytes: 51_200,
            line_chars: 2_000,
        },
        report_texts: false,
        report_hunks: true,
        seed: Seed {
            low: random::get_random_u64(),
            high: random::get_random_u64(),
        },
        ledger_capacity: 0,
    })
}

fn mode(name: &str) -> SandboxMode {
    match name {
        "workspace-write" => SandboxMode::WorkspaceWrite,
        "danger-full-access" => SandboxMode::DangerFullAccess,
        _ => SandboxMode::ReadOnly,
    }
}
