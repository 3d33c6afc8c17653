//! The options before the verb of the program's command line: who starts the program
//! decides what it may change, and no component of it can say otherwise.

/// What the command line allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The widest mode, by name.
    pub(crate) mode: String,
    /// The workspace root, an absolute path; the first folder of the program where absent.
    pub(crate) root: Option<String>,
    /// Relative paths beneath the root that stay read-only.
    pub(crate) protected: Vec<String>,
    /// The verb, and everything after it.
    pub(crate) rest: Vec<String>,
}

/// Reads the arguments after the program's name. An option that is not known, or has no
/// value, is an error in one sentence.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        mode: "read-only".to_owned(),
        root: None,
        protected: Vec::new(),
        rest: Vec::new(),
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let Some(option) = argument.strip_prefix("--") else {
            options.rest = [argument].into_iter().chain(arguments).collect();
            break;
        };
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (option, arguments.next()),
        };
        let value = value.ok_or_else(|| format!("--{name} needs a value"))?;
        match name {
            "mode" if MODES.contains(&value.as_str()) => options.mode = value,
            "mode" => return Err(format!("--mode is one of {}", MODES.join(", "))),
            "root" if value.starts_with('/') => options.root = Some(value),
            "root" => return Err("--root is an absolute path".to_owned()),
            "protect" => options.protected.push(value),
            _ => return Err(format!("there is no option --{name}")),
        }
    }
    Ok(options)
}

impl Options {
    /// The workspace root as an absolute path, given the first folder of the program. A
    /// folder that is given as `.` is the root of all paths.
    pub(crate) fn root(&self, first_folder: Option<&str>) -> String {
        let root = self.root.as_deref().or(first_folder).unwrap_or("/");
        let names = root.split('/').filter(|name| !matches!(*name, "" | "."));
        let path: String = names.flat_map(|name| ["/", name]).collect();
        match path.is_empty() {
            true => "/".to_owned(),
            false => path,
        }
    }
}

/// The modes, from narrow to wide.
pub(crate) const MODES: [&str; 3] = ["read-only", "workspace-write", "danger-full-access"];
