//! Paths put together from tokens: resolving never panics, and a key is canonical.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::local::LocalFileSystem;
use dsh_fs::name;
use dsh_fs::provider::Provider;
use dsh_fs::types::Target;
use dsh_fs::version::VersionSecret;

/// What a byte stands for in a path.
const TOKENS: [&str; 24] = [
    "/",
    "/",
    "/",
    "..",
    ".",
    "d",
    "e",
    "f",
    "l",
    "up",
    "abs",
    "loop",
    "gone",
    "tofile",
    "new",
    "é",
    "e\u{301}",
    "\u{efff}",
    "\u{efc3}\u{efa9}",
    " ",
    "\n",
    "\0",
    "\\",
    "$BASE",
];

/// A tree with links of every kind, and a provider.
struct Ground {
    folder: tempfile::TempDir,
    local: LocalFileSystem,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let base = folder.path();
        fs::create_dir_all(base.join("d/e/é")).expect("made");
        for file in ["f", "d/f", "d/e/f"] {
            fs::write(base.join(file), "x").expect("written");
        }
        let absolute = base.join("d/e");
        for (link, target) in [
            ("l", OsStr::new("d")),
            ("up", OsStr::new("..")),
            ("d/up", OsStr::new("../l/e")),
            ("abs", absolute.as_os_str()),
            ("loop", OsStr::new("loop")),
            ("gone", OsStr::new("d/none")),
            ("tofile", OsStr::new("f/")),
        ] {
            symlink(target, base.join(link)).expect("linked");
        }
        let secret = VersionSecret::random().expect("random bytes");
        let local = LocalFileSystem::new(secret, Default::default());
        Self { folder, local }
    }

    fn base(&self) -> String {
        let base = self.folder.path().canonicalize().expect("there");
        base.into_os_string().into_string().expect("text")
    }
}

thread_local! {
    static GROUND: Ground = Ground::new();
}

/// Tries the bytes as a name, and as a path of tokens.
pub(crate) fn check(data: &[u8]) {
    check_escape(data);
    GROUND.with(|ground| {
        let base = ground.base();
        let tokens = data
            .iter()
            .map(|byte| TOKENS[usize::from(*byte) % TOKENS.len()]);
        let path = tokens.collect::<String>().replace("$BASE", &base);
        check_path(&ground.local, &path, &base);
    });
}

/// Every name has one text, which leads back to it.
fn check_escape(bytes: &[u8]) {
    let text = name::to_text(bytes);
    assert_eq!(name::to_bytes(&text), bytes);
    let slashes = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'/').count();
    assert_eq!(slashes(text.as_bytes()), slashes(bytes));
    assert!(!name::shown(&text).contains(char::is_control));
}

fn check_path(local: &LocalFileSystem, path: &str, base: &str) {
    let full = match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{base}/{path}"),
    };
    let bytes = name::to_bytes(&full);
    let kernel = fs::canonicalize(OsStr::from_bytes(&bytes));
    match (local.resolve(path, base, &Cancel::new()), kernel) {
        (Ok(target), kernel) => {
            check_key(local, &target);
            if let Ok(found) = kernel {
                let found = name::to_text(found.as_os_str().as_bytes());
                assert_eq!(target.key, found, "{path:?}");
            }
        }
        (Err(error), kernel) => {
            assert_eq!(error.code, Code::NotFound, "{path:?}: {error}");
            let blank = path.trim().is_empty();
            assert!(blank || kernel.is_err(), "{path:?} is there: {error}");
        }
    }
}

/// A key and a display lead to the key, and the key has one spelling.
fn check_key(local: &LocalFileSystem, target: &Target) {
    let key = &target.key;
    let mut parts = key.split('/');
    assert_eq!(parts.next(), Some(""), "{key:?}");
    assert!(
        key == "/" || parts.all(|part| !matches!(part, "" | "." | "..")),
        "{key:?}"
    );
    assert_eq!(&name::to_text(&name::to_bytes(key)), key);
    local.process_path(key).expect("a key is a path");
    for spelling in [key, &target.display] {
        let again = local.resolve(spelling, "/", &Cancel::new());
        let again = again.unwrap_or_else(|error| panic!("{spelling:?}: {error}"));
        assert_eq!(&again.key, key, "{spelling:?}");
    }
}
