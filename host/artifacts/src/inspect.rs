//! What a component imports and exports, and whether a gate may import that.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use wac_graph::types::{ItemKind, Package, Types, are_semver_compatible};

use crate::error::{ComponentError, told};

/// What a component is, seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Full names of the imports, in their order.
    pub imports: Vec<Import>,
    /// Full names of the exports, in their order.
    pub exports: Vec<String>,
    /// Bytes.
    pub size: usize,
    /// SHA-256 of the bytes, in hexadecimal.
    pub digest: String,
}

/// One import of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The full name, for example `dsh:fs/types@0.1.0`.
    pub name: String,
    /// Whether it brings types alone, so that nothing can be called through it.
    pub type_only: bool,
}

/// Looks at a component. Nothing of it is run.
///
/// # Errors
/// [`ComponentError`], where the bytes are no valid component.
pub fn inspect(bytes: &[u8]) -> Result<Inspection, ComponentError> {
    let mut types = Types::default();
    let package = package("component", bytes, &mut types)?;
    let world = &types[package.ty()];
    let imports = world.imports.iter().map(|(name, kind)| Import {
        name: name.clone(),
        type_only: is_type_only(kind, &types),
    });
    Ok(Inspection {
        imports: imports.collect(),
        exports: world.exports.keys().cloned().collect(),
        size: bytes.len(),
        digest: digest(bytes),
    })
}

/// Checks that a gate imports nothing but types, the next gate of a chain, and WASI.
///
/// A gate that imported files or approval could not be told from an honest one once it
/// is composed: the runtime sees one component.
///
/// # Errors
/// [`ComponentError::ForbiddenImport`] for the first import that no gate may have.
pub fn check_gate_imports(bytes: &[u8]) -> Result<(), ComponentError> {
    for import in inspect(bytes)?.imports {
        if let Some(reason) = objection(&import) {
            return Err(ComponentError::ForbiddenImport {
                import: told(import.name),
                reason,
            });
        }
    }
    Ok(())
}

fn objection(import: &Import) -> Option<&'static str> {
    let (interface, _) = split_version(&import.name);
    match interface {
        "dsh:fs/types" if import.type_only => None,
        "dsh:fs/types" => Some("that interface has no functions, and this import wants one"),
        "dsh:fs/observation" | "dsh:fs/sandbox" => None,
        "dsh:fs/filesystem" => Some("a gate decides, and never touches a file"),
        "dsh:fs/approval" => Some("a gate decides, and never asks a person"),
        _ if interface.starts_with("wasi:") => None,
        _ => Some("a gate may import dsh:fs/types, the next gate of a chain, and wasi alone"),
    }
}

/// Whether two full names are one interface in versions that may stand for each other, as
/// `dsh:fs/tools@0.1.0` and `dsh:fs/tools@0.1.1` are. Their shapes are not compared.
#[must_use]
pub fn compatible(one: &str, other: &str) -> bool {
    one == other || are_semver_compatible(one, other)
}

/// Splits `dsh:fs/types@0.1.0` at the version.
pub(crate) fn split_version(name: &str) -> (&str, Option<&str>) {
    match name.split_once('@') {
        Some((interface, version)) => (interface, Some(version)),
        None => (name, None),
    }
}

fn is_type_only(kind: &ItemKind, types: &Types) -> bool {
    match kind {
        ItemKind::Type(_) => true,
        ItemKind::Instance(id) => types[*id]
            .exports
            .values()
            .all(|item| matches!(item, ItemKind::Type(_))),
        _ => false,
    }
}

/// SHA-256 in hexadecimal.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
    }
    text
}

/// Reads a component for composing.
pub(crate) fn package(
    name: &str,
    bytes: &[u8],
    types: &mut Types,
) -> Result<Package, ComponentError> {
    // The eight bytes are the magic number, a version, and a layer: 0 for a core module.
    match bytes {
        [0, b'a', b's', b'm', _, _, 0, 0, ..] => return Err(ComponentError::CoreModule),
        [0, b'a', b's', b'm', ..] => {}
        _ => return Err(ComponentError::NotWasm),
    }
    Package::from_bytes(name, None, bytes, types)
        .map_err(|error| ComponentError::Broken(told(error)))
}
