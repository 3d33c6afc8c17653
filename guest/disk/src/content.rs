//! Content of regular files, read a piece at a time, and the version that it has.

use std::rc::Rc;

use dsh_fs_text::utf8;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode as System, OpenFlags, PathFlags,
};
use xxhash_rust::xxh3::Xxh3;

use crate::bindings::dsh::fs::types::{Error, Target};
use crate::failure;
use crate::ground::{Given, Ground};
use crate::walk;

/// Bytes of one piece.
const PIECE: u64 = 64 << 10;

/// The most bytes of a text that an edit or a comparison holds.
pub(crate) const MOST: u64 = 64 << 20;

/// The directory that a target is in, and its name there.
pub(crate) struct Parent {
    pub(crate) directory: Rc<Descriptor>,
    pub(crate) name: String,
}

/// Walks to a target again by its key; a link on the way was put there since.
pub(crate) fn parent(ground: &Ground, verb: &str, target: &Target) -> Result<Parent, Error> {
    let display = &target.display_path;
    let (folder, rest) = beneath(ground, target)?;
    let Some((last, above)) = rest.split_last() else {
        return Err(failure::not_regular(verb, display));
    };
    let mut directory = Rc::clone(&folder.directory);
    for name in above {
        let opened = walk::open_directory(&directory, name);
        directory = Rc::new(opened.map_err(|error| step_failed(verb, display, error))?);
    }
    Ok(Parent {
        directory,
        name: last.clone(),
    })
}

/// The folder of the program that a key is beneath, and the names from there.
pub(crate) fn beneath<'a>(
    ground: &'a Ground,
    target: &Target,
) -> Result<(&'a Given, Vec<String>), Error> {
    let names: Vec<&str> = walk::names(&target.key).collect();
    let canonical = walk::path(&names) == target.key && !names.contains(&"..");
    let folder = walk::containing(ground, &names).filter(|_| canonical);
    let folder = folder.ok_or_else(|| failure::outside(&target.display_path))?;
    let rest = names[folder.names.len()..].iter();
    let rest: Option<Vec<String>> = rest.map(|name| walk::to_runtime(name)).collect();
    let rest = rest.ok_or_else(|| failure::not_found("resolve", &target.display_path))?;
    Ok((folder, rest))
}

/// A link on the way is no directory that is opened without following it.
pub(crate) fn step_failed(verb: &str, display: &str, error: System) -> Error {
    match error {
        System::Loop | System::NotDirectory => failure::leads_elsewhere(verb, display),
        error => failure::from_system(verb, display, error),
    }
}

/// Opens a regular file; what is none is refused without blocking.
pub(crate) fn open(ground: &Ground, verb: &str, target: &Target) -> Result<Descriptor, Error> {
    let display = &target.display_path;
    if beneath(ground, target)?.1.is_empty() {
        return Err(failure::not_regular(verb, display));
    }
    let parent = parent(ground, verb, target)?;
    open_in(&parent, verb, display)
}

/// The same, in a directory that is open.
pub(crate) fn open_in(parent: &Parent, verb: &str, display: &str) -> Result<Descriptor, Error> {
    let failed = |error| failure::from_system(verb, display, error);
    let (directory, name) = (&parent.directory, &parent.name);
    let found = directory
        .stat_at(PathFlags::empty(), name)
        .map_err(failed)?;
    match found.type_ {
        DescriptorType::RegularFile => {}
        DescriptorType::SymbolicLink => return Err(failure::leads_elsewhere(verb, display)),
        _ => return Err(failure::not_regular(verb, display)),
    }
    let open = (OpenFlags::empty(), DescriptorFlags::READ);
    let file = directory
        .open_at(PathFlags::empty(), name, open.0, open.1)
        .map_err(failed)?;
    match file.get_type().map_err(failed)? {
        DescriptorType::RegularFile => Ok(file),
        _ => Err(failure::not_regular(verb, display)),
    }
}

/// Gives the bytes of a file piece by piece, from the start.
pub(crate) fn pieces(
    file: &Descriptor,
    verb: &str,
    display: &str,
    mut take: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut offset = 0;
    loop {
        let (piece, end) = piece(file, verb, display, offset)?;
        take(&piece)?;
        offset += piece.len() as u64;
        if end || piece.is_empty() {
            return Ok(());
        }
    }
}

/// One piece, and whether it is the last.
pub(crate) fn piece(
    file: &Descriptor,
    verb: &str,
    display: &str,
    offset: u64,
) -> Result<(Vec<u8>, bool), Error> {
    file.read(PIECE, offset)
        .map_err(|error| failure::from_system(verb, display, error))
}

/// A whole content, if it has at most so many bytes.
pub(crate) fn whole(
    file: &Descriptor,
    verb: &str,
    display: &str,
    most: u64,
) -> Result<Vec<u8>, Error> {
    let mut content = Vec::new();
    pieces(file, verb, display, |piece| {
        content.extend_from_slice(piece);
        match content.len() as u64 > most {
            true => Err(failure::too_large(verb, display, most)),
            false => Ok(()),
        }
    })?;
    Ok(content)
}

/// A content that is text, with its byte order mark told apart.
pub(crate) fn text<'a>(
    content: &'a [u8],
    verb: &str,
    display: &str,
) -> Result<(bool, &'a str), Error> {
    utf8::check(content).map_err(|why| failure::not_text(verb, display, why))
}

/// A version in the making.
pub(crate) struct Hasher(Box<Xxh3>);

impl Hasher {
    pub(crate) fn new(ground: &Ground) -> Self {
        let mut secret = [0; 192];
        secret.copy_from_slice(&ground.secret);
        Self(Box::new(Xxh3::with_secret(secret)))
    }

    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// 22 characters of base64url.
    pub(crate) fn finish(&self) -> String {
        const ALPHABET: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let digest = self.0.digest128();
        let six = |place: u32| usize::try_from((digest >> (6 * place)) & 63).unwrap_or(0);
        let characters = (0..22).rev().map(|place| char::from(ALPHABET[six(place)]));
        characters.collect()
    }
}

/// The version of a whole content.
pub(crate) fn version(ground: &Ground, content: &[u8]) -> String {
    let mut hasher = Hasher::new(ground);
    hasher.update(content);
    hasher.finish()
}
