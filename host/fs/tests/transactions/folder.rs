//! The folder of the journals, and journals that are not as they were written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use dsh_fs::transaction::Transactions;
use dsh_fs::version::VersionSecret;

use crate::ground::{Ground, NEW};
use crate::processes::Waiting;

fn open(path: &std::path::Path) -> std::io::Result<Transactions> {
    let secret = VersionSecret::random().expect("random bytes");
    Transactions::in_folder(secret, path)
}

/// Fails when `check_private` is not called.
#[test]
fn a_folder_that_others_can_reach_is_refused() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let path = folder.path().join("journals");
    open(&path).expect("made");
    let made = fs::metadata(&path).expect("there").permissions().mode();
    assert_eq!(made & 0o777, 0o700);
    for mode in [0o750, 0o701, 0o722] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("chmod");
        open(&path).expect_err("not private");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("chmod");
    let link = folder.path().join("link");
    symlink(&path, &link).expect("a link");
    open(&link).expect_err("a link");
    open(&folder.path().join("no/parent")).expect_err("no parent");
}

/// Somebody who does not know the secret cannot have files written. Fails when `parse`
/// does not compare the sum.
#[test]
fn a_changed_journal_restores_nothing() {
    let ground = Ground::new();
    Waiting::on(&ground).kill();
    let name = ground.journals().pop().expect("left behind");
    let path = ground.path().join("journals").join(name);
    let text = fs::read_to_string(&path).expect("readable");
    fs::write(&path, text.replace(r#""old":"one\n""#, r#""old":"evil\n""#)).expect("changed");
    let recovered = ground.party().recover();
    assert!(ground.holds(NEW));
    assert_eq!(recovered.len(), 1);
    assert_eq!(recovered[0].label, "");
    let kept = recovered[0].back.kept.as_ref().expect("kept");
    assert!(kept.ends_with(ground.journals().pop().expect("kept")));
    assert!(recovered[0].text().contains("cannot be read"));
}

/// Fails when `forget_the_oldest` is not called.
#[test]
fn what_is_kept_for_a_person_is_bounded() {
    let ground = Ground::new();
    let party = ground.party();
    let journals = ground.path().join("journals");
    for number in 0..70 {
        fs::write(journals.join(format!("{number:016}.stopped")), "").expect("written");
    }
    let open = party
        .edit_all()
        .map_err(|(_, error)| error)
        .expect("edited");
    ground.put("b", "mine");
    let back = open.roll_back(&party.files);
    assert_eq!(ground.journals().len(), 64);
    assert!(
        back.kept.expect("kept").exists(),
        "the newest is among them"
    );
}
