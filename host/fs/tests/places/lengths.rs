//! Paths and chains of links at the limits of the kernel.

use std::fs;
use std::os::unix::fs::symlink;

use dsh_fs::error::Code;

use crate::verbs::{A_FILE, A_FOLDER, Answers, Place};

const NOWHERE: Answers = [Some(Code::NotFound); 4];

/// The longest path that the kernel takes, in bytes.
const LONGEST: usize = 4095;

/// A file in the workspace whose whole path has this many bytes, none of its folders made.
fn path_of(place: &Place, length: usize) -> String {
    let mut left = length - place.tree.text("ws").len();
    let mut path = String::new();
    while left > 256 {
        let part = if left < 258 { 100 } else { 255 };
        path += &format!("{}/", "d".repeat(part));
        left -= part + 1;
    }
    path + &"f".repeat(left - 1)
}

#[test]
fn a_path_of_4095_bytes_works_and_one_more_is_refused() {
    let place = Place::new("ws/");
    let path = path_of(&place, LONGEST);
    let mut missing = A_FILE;
    missing[0] = Some(Code::NotFound);
    assert_eq!(place.all(&path), missing);
    assert_eq!(place.all(&path), A_FILE);
    let (folder, name) = path.rsplit_once('/').expect("it has folders");
    assert_eq!(place.names(folder), [name]);
    assert_eq!(place.all(folder), A_FOLDER);
    assert_eq!(place.all(&format!("{path}f")), NOWHERE);
    assert_eq!(place.all(&format!("{folder}/{name}/f")), NOWHERE);
}

/// A child whose own path is too long is listed, and does not fail the listing.
#[test]
fn a_folder_whose_children_are_out_of_reach_is_listed() {
    let place = Place::new("ws/");
    let path = path_of(&place, LONGEST - 2);
    let target = place.target(&path).expect("it resolves");
    place.write(&target, "x").expect("created");
    let (folder, name) = path.rsplit_once('/').expect("it has folders");
    let full = place.tree.path("ws").join(folder);
    let folder_open = fs::File::open(&full).expect("opened");
    let long = "n".repeat(255);
    rustix::fs::mkdirat(&folder_open, &long, rustix::fs::Mode::RWXU).expect("made");
    let names = place.names(folder);
    rustix::fs::unlinkat(&folder_open, &long, rustix::fs::AtFlags::REMOVEDIR).expect("removed");
    assert_eq!(names, [name, &long[..]]);
}

/// Forty links are followed by every verb, and not one more.
#[test]
fn forty_links_and_forty_one() {
    let place = Place::new("ws/l0 = x\nws/k0/");
    for number in 1..=41 {
        for kind in ["l", "k"] {
            let link = place.tree.path(&format!("ws/{kind}{number}"));
            symlink(format!("{kind}{}", number - 1), link).expect("linked");
        }
    }
    assert_eq!(place.all("l40"), A_FILE);
    assert_eq!(place.all("k40"), A_FOLDER);
    assert_eq!(place.all("l41"), NOWHERE);
    assert_eq!(place.all("k41"), NOWHERE);
    assert_eq!(
        fs::read_to_string(place.tree.path("ws/l0")).ok().as_deref(),
        Some("two")
    );
    let link = fs::symlink_metadata(place.tree.path("ws/l40")).expect("there");
    assert!(link.is_symlink(), "the link itself stays");
}
