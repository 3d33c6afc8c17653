//! What is there when the program starts: its folders, its options, and a secret.

use std::rc::Rc;

use wasip2::cli::environment;
use wasip2::filesystem::preopens;
use wasip2::filesystem::types::Descriptor;
use wasip2::random::random;

use crate::bindings::dsh::fs::types::{Error, ErrorCode, SandboxMode};
use crate::failure;
use crate::options::{self, Options};
use crate::walk;

/// Bytes of the secret: what xxh3 takes.
const SECRET: u64 = 192;

/// One folder that the runtime gave.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The names of its path; none for `/` and for a folder that is given as `.`.
    pub(crate) names: Vec<String>,
    pub(crate) directory: Rc<Descriptor>,
}

/// The workspace root as it was when the program started.
pub(crate) struct Root {
    pub(crate) key: String,
    pub(crate) directory: Rc<Descriptor>,
}

/// What every handle is made of.
pub(crate) struct Ground {
    pub(crate) folders: Vec<Given>,
    pub(crate) options: Options,
    pub(crate) root_path: String,
    pub(crate) root: Option<Root>,
    /// The secret of the versions; another one each time the program starts.
    pub(crate) secret: Vec<u8>,
}

impl Ground {
    /// Looks at the program's folders and arguments.
    pub(crate) fn start() -> Result<Rc<Self>, Error> {
        let arguments = environment::get_arguments().into_iter().skip(1);
        let options = options::parse(arguments)
            .map_err(|why| failure::plain(ErrorCode::SandboxDenied, why))?;
        let folders: Vec<Given> = preopens::get_directories()
            .into_iter()
            .map(|(directory, path)| Given {
                names: walk::names(&path).map(str::to_owned).collect(),
                directory: Rc::new(directory),
            })
            .collect();
        let first = folders.first().map(|folder| walk::path(&folder.names));
        let mut ground = Self {
            folders,
            root_path: options.root(first.as_deref()),
            options,
            root: None,
            secret: random::get_random_bytes(SECRET),
        };
        ground.root = ground.find_root();
        Ok(Rc::new(ground))
    }

    fn find_root(&self) -> Option<Root> {
        let walked = walk::walk(self, &self.root_path, "/").ok()?;
        let directory = walked.directory?;
        Some(Root {
            key: walked.target.key,
            directory,
        })
    }

    /// The widest mode that a handle may have.
    pub(crate) fn ceiling(&self) -> SandboxMode {
        match self.options.mode.as_str() {
            "workspace-write" => SandboxMode::WorkspaceWrite,
            "danger-full-access" => SandboxMode::DangerFullAccess,
            _ => SandboxMode::ReadOnly,
        }
    }
}
