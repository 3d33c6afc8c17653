//! The store: bounds, privacy, and several users of one folder.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::version::VersionSecret;

use crate::support::Tree;

/// Room for four small texts in the folder and none to speak of in memory.
const TIGHT: HistoryLimits = HistoryLimits {
    text_bytes: 1000,
    memory_bytes: 8192,
    folder_bytes: 4 * 4096,
    age: Duration::from_secs(3600),
};

fn secret() -> VersionSecret {
    VersionSecret::random().expect("the kernel gives random bytes")
}

fn open(secret: &VersionSecret, folder: &Path) -> History {
    History::in_folder(secret.clone(), TIGHT, folder).expect("a private folder")
}

/// Keeps a text and puts it into the folder.
fn save(history: &History, text: &str) -> String {
    let version = history.keep(text.as_bytes());
    history.save(&version);
    version
}

fn found(history: &History, version: &str) -> Option<String> {
    let content = history.find(version)?;
    Some(String::from_utf8(content.to_vec()).expect("tests keep text"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

fn make_old(file: &Path, age: Duration) {
    let file = File::options().write(true).open(file).expect("a file");
    file.set_modified(SystemTime::now() - age).expect("a time");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

/// Fails when the modes in `Folder::open` and `Folder::publish` are widened.
#[test]
fn the_folder_and_its_files_are_private() {
    let tree = Tree::new("");
    let (folder, secret) = (tree.path("history"), secret());
    let version = save(&open(&secret, &folder), "old");
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(files(&folder), [folder.join(&version)]);
    assert_eq!(mode(&folder.join(version)), 0o600);
}

/// Fails when `check_private` is not called, or `NOFOLLOW` is taken out.
#[test]
fn a_folder_that_others_can_read_is_not_used() {
    let tree = Tree::new("history/");
    let (folder, link) = (tree.path("history"), tree.path("link"));
    fs::set_permissions(&folder, Permissions::from_mode(0o750)).unwrap();
    assert!(History::in_folder(secret(), TIGHT, &folder).is_err());
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    assert!(History::in_folder(secret(), TIGHT, &link).is_err());
    assert!(History::in_folder(secret(), TIGHT, &folder).is_ok());
}

#[test]
fn what_was_only_read_never_touches_the_disk() {
    let tree = Tree::new("");
    let history = open(&secret(), &tree.path("history"));
    let version = history.keep(b"read");
    assert_eq!(found(&history, &version).as_deref(), Some("read"));
    assert!(files(&tree.path("history")).is_empty());
}

#[test]
fn a_displaced_text_is_there_for_the_next_process() {
    let tree = Tree::new("");
    let (folder, secret) = (tree.path("history"), secret());
    let version = save(&open(&secret, &folder), "\u{feff}old\r\n");
    let next = open(&secret, &folder);
    assert_eq!(found(&next, &version).as_deref(), Some("\u{feff}old\r\n"));
    assert_eq!(found(&next, "../history/x"), None);
}

/// Fails when the condition on `text_bytes` is taken out of `keep`.
#[test]
fn a_long_text_is_not_kept_and_its_size_is() {
    let history = History::in_memory(secret(), TIGHT);
    let version = history.keep(&[b'x'; 1001]);
    assert_eq!(found(&history, &version), None);
    assert_eq!(history.size(&version), Some(1001));
    let empty = history.keep(b"");
    assert_eq!(found(&history, &empty).as_deref(), Some(""));
}

/// Fails when `make_room` is not called.
#[test]
fn the_oldest_make_room() {
    let tree = Tree::new("");
    let (folder, secret) = (tree.path("history"), secret());
    let history = open(&secret, &folder);
    let versions: Vec<String> = (0..9_u64)
        .map(|number| {
            let version = save(&history, &format!("text {number}"));
            make_old(&folder.join(&version), Duration::from_secs(100 - number));
            version
        })
        .collect();
    let left = files(&folder).len();
    assert!((1..=4).contains(&left), "{left} files");
    drop(history);
    let next = open(&secret, &folder);
    assert_eq!(found(&next, &versions[8]).as_deref(), Some("text 8"));
    assert_eq!(found(&next, &versions[0]), None);
}

/// Fails when the age is taken out of `load`, or out of `sweep`.
#[test]
fn what_is_too_old_is_neither_used_nor_kept() {
    let tree = Tree::new("");
    let (folder, secret) = (tree.path("history"), secret());
    let version = save(&open(&secret, &folder), "old");
    make_old(&folder.join(&version), Duration::from_secs(3601));
    let next = open(&secret, &folder);
    assert_eq!(found(&next, &version), None);
    drop(next);
    assert!(files(&folder).is_empty());
}

/// Fails when the comparison is taken out of `find`.
#[test]
fn a_file_that_somebody_changed_is_not_that_text() {
    let tree = Tree::new("");
    let (folder, secret) = (tree.path("history"), secret());
    let version = save(&open(&secret, &folder), "old");
    fs::write(folder.join(&version), "forged").unwrap();
    assert_eq!(found(&open(&secret, &folder), &version), None);
}

/// Several handles know no more of each other than several processes do.
#[test]
fn several_at_once_see_whole_texts_and_stay_within_the_bound() {
    let tree = Tree::new("");
    let (folder, secret) = (tree.path("history"), secret());
    fs::write(tree.path("warm"), "").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let history = open(&secret, &folder);
                for number in 0..100 {
                    let text = format!("text {number}\n").repeat(50);
                    let version = save(&history, &text);
                    let other = open(&secret, &folder);
                    if let Some(seen) = found(&other, &version) {
                        assert_eq!(seen, text);
                    }
                }
            });
        }
    });
    save(&open(&secret, &folder), "the last");
    let left = files(&folder);
    let staged = |path: &&PathBuf| path.to_string_lossy().contains(".new-");
    assert!(left.len() <= 4, "{left:?}");
    assert_eq!(left.iter().filter(staged).count(), 0);
}

/// A store that cannot be written costs nobody a call.
#[test]
fn a_folder_that_is_gone_is_no_failure() {
    let tree = Tree::new("");
    let history = open(&secret(), &tree.path("history"));
    fs::remove_dir(tree.path("history")).unwrap();
    let version = save(&history, "old");
    assert_eq!(found(&history, &version).as_deref(), Some("old"));
}
