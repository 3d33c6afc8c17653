//! Puts components together by explicit arguments: a missing or a differing interface is
//! an error, and never skipped. Versions that fit by their numbers are taken for each other.

use wac_graph::types::WorldId;
use wac_graph::{CompositionGraph, EncodeOptions, InstantiationArgumentError, NodeId, PackageId};

use crate::error::{ComponentError, told};
use crate::inspect::{check_gate_imports, compatible, package, split_version};

/// The interface of a gate that remembers and decides.
pub const OBSERVATION: &str = "dsh:fs/observation@0.1.0";
/// The interface of a gate that judges modes.
pub const SANDBOX: &str = "dsh:fs/sandbox@0.1.0";
/// The interface of the tools.
pub const TOOLS: &str = "dsh:fs/tools@0.1.0";

/// The interface of files.
pub const FILESYSTEM: &str = "dsh:fs/filesystem@0.1.0";
/// The interface of approval.
pub const APPROVAL: &str = "dsh:fs/approval@0.1.0";

/// What a command exports.
pub const RUN: &str = "wasi:cli/run@0.2.12";

/// Composes a toolbox with the gate that it asks, into one component that exports the
/// tools. The gate's imports are checked first.
///
/// # Errors
/// [`ComponentError`]: a piece is broken, the gate imports what no gate may have, or an
/// interface is missing or has other types.
pub fn compose(toolbox: &[u8], gate: &[u8]) -> Result<Vec<u8>, ComponentError> {
    check_gate_imports(gate)?;
    let mut pieces = Pieces::default();
    let gate = pieces.add("gate", gate)?;
    let toolbox = pieces.add("toolbox", toolbox)?;
    pieces.connect(&gate, &toolbox, OBSERVATION)?;
    pieces.connect(&gate, &toolbox, SANDBOX)?;
    pieces.export(&toolbox, TOOLS)?;
    pieces.encode()
}

/// Composes a gate that asks a next one with that one. The outer decides first.
///
/// # Errors
/// As [`compose`]; and [`ComponentError::MissingImport`] where the outer gate asks no next.
pub fn chain(outer: &[u8], inner: &[u8]) -> Result<Vec<u8>, ComponentError> {
    check_gate_imports(outer)?;
    check_gate_imports(inner)?;
    let mut pieces = Pieces::default();
    let inner = pieces.add("next gate", inner)?;
    let outer = pieces.add("gate", outer)?;
    pieces.connect(&inner, &outer, OBSERVATION)?;
    // A toolchain leaves out the import of an interface from which nothing is called.
    if find(&pieces.imports(&outer), SANDBOX).is_some() {
        pieces.connect(&inner, &outer, SANDBOX)?;
    }
    pieces.export(&outer, OBSERVATION)?;
    pieces.export(&outer, SANDBOX)?;
    pieces.encode()
}

/// The pieces of a command: what a WASI runtime can run without a host of ours.
#[derive(Clone, Copy, Debug)]
pub struct CommandParts<'a> {
    /// A gate; its imports are checked as for [`compose`].
    pub gate: &'a [u8],
    /// The toolbox.
    pub toolbox: &'a [u8],
    /// A provider of files, of the world `provider`.
    pub provider: &'a [u8],
    /// An approver: exports `dsh:fs/approval`.
    pub approver: &'a [u8],
    /// A program over the tools: imports `dsh:fs/tools`, exports `wasi:cli/run`.
    pub verbs: &'a [u8],
}

/// Composes a command out of its pieces; it imports WASI alone.
///
/// # Errors
/// As [`compose`].
pub fn compose_command(parts: &CommandParts<'_>) -> Result<Vec<u8>, ComponentError> {
    check_gate_imports(parts.gate)?;
    let mut pieces = Pieces::default();
    let gate = pieces.add("gate", parts.gate)?;
    let toolbox = pieces.add("toolbox", parts.toolbox)?;
    let provider = pieces.add("provider", parts.provider)?;
    let approver = pieces.add("approver", parts.approver)?;
    let verbs = pieces.add("command", parts.verbs)?;
    pieces.connect(&gate, &toolbox, OBSERVATION)?;
    pieces.connect(&gate, &toolbox, SANDBOX)?;
    pieces.connect(&provider, &toolbox, FILESYSTEM)?;
    pieces.connect(&approver, &toolbox, APPROVAL)?;
    // A provider that checks no grant does not import it.
    if find(&pieces.imports(&provider), APPROVAL).is_some() {
        pieces.connect(&approver, &provider, APPROVAL)?;
    }
    pieces.connect(&toolbox, &verbs, TOOLS)?;
    pieces.export(&verbs, RUN)?;
    pieces.encode()
}

/// The graph of what is put together.
#[derive(Default)]
struct Pieces(CompositionGraph);

/// One component in the graph, instantiated.
struct Piece {
    name: &'static str,
    world: WorldId,
    node: NodeId,
}

impl Pieces {
    fn add(&mut self, name: &'static str, bytes: &[u8]) -> Result<Piece, ComponentError> {
        let package = package(&name.replace(' ', "-"), bytes, self.0.types_mut())?;
        let world = package.ty();
        let id: PackageId = self.0.register_package(package).map_err(composition)?;
        let node = self.0.instantiate(id);
        Ok(Piece { name, world, node })
    }

    fn imports(&self, piece: &Piece) -> Vec<String> {
        let world = &self.0.types()[piece.world];
        world.imports.keys().cloned().collect()
    }

    fn exports(&self, piece: &Piece) -> Vec<String> {
        let world = &self.0.types()[piece.world];
        world.exports.keys().cloned().collect()
    }

    /// Gives an interface that one piece exports to another that imports it.
    fn connect(
        &mut self,
        from: &Piece,
        to: &Piece,
        interface: &'static str,
    ) -> Result<(), ComponentError> {
        let export = self.alias(from, interface)?;
        let imports = self.imports(to);
        let Some(import) = find(&imports, interface) else {
            return Err(ComponentError::MissingImport {
                piece: to.name,
                wanted: interface,
                found: instead(&imports, interface),
            });
        };
        self.0
            .set_instantiation_argument(to.node, import, export)
            .map_err(|error| differing(interface, error))
    }

    fn export(&mut self, piece: &Piece, interface: &'static str) -> Result<(), ComponentError> {
        let export = self.alias(piece, interface)?;
        self.0.export(export, interface).map_err(composition)
    }

    fn alias(&mut self, piece: &Piece, interface: &'static str) -> Result<NodeId, ComponentError> {
        let exports = self.exports(piece);
        let Some(export) = find(&exports, interface) else {
            return Err(ComponentError::MissingExport {
                piece: piece.name,
                wanted: interface,
                found: instead(&exports, interface),
            });
        };
        self.0
            .alias_instance_export(piece.node, export)
            .map_err(composition)
    }

    fn encode(&self) -> Result<Vec<u8>, ComponentError> {
        self.0.encode(EncodeOptions::default()).map_err(composition)
    }
}

/// The name of an interface among others, in this version or in one that fits.
fn find<'a>(names: &'a [String], interface: &str) -> Option<&'a str> {
    let same = names.iter().find(|name| *name == interface);
    let fitting = || names.iter().find(|name| compatible(name, interface));
    same.or_else(fitting).map(String::as_str)
}

/// Names the other version of an interface, if that is what went wrong.
fn instead(names: &[String], wanted: &str) -> String {
    let interface = split_version(wanted).0;
    match names.iter().find(|name| split_version(name).0 == interface) {
        Some(other) => format!(
            "; it has {}, of another version of the package",
            told(other)
        ),
        None => String::new(),
    }
}

fn differing(interface: &'static str, error: InstantiationArgumentError) -> ComponentError {
    match error {
        InstantiationArgumentError::ArgumentTypeMismatch { source, .. } => {
            ComponentError::Mismatch {
                interface,
                reason: told(source),
            }
        }
        other => composition(other),
    }
}

fn composition(error: impl std::fmt::Display) -> ComponentError {
    ComponentError::Composition(told(error))
}
