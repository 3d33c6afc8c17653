//! The reference of the WIT package as Markdown: every world, interface, type and function
//! with its comments, and the names under which a runtime finds them.
//!
//! `wit/README.md` is what comes of it; a test makes it again and compares.

mod functions;
mod names;
mod types;

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use wit_parser::{Interface, Package, Resolve, TypeDefKind, TypeOwner, World, WorldItem, WorldKey};

/// What stands before the package: how to read the page.
const OPENING: &str = include_str!("reference/opening.md");

/// The page of the package in a folder.
///
/// # Errors
/// The folder holds no package, or a text of it is wrong.
pub fn page(folder: &Path) -> Result<String> {
    let mut resolve = Resolve::default();
    let (id, _) = resolve.push_dir(folder)?;
    let package = &resolve.packages[id];
    let mut page = format!("# The package `{}`\n\n{OPENING}", package.name);
    contents(&mut page, package);
    page.push_str("\n## Worlds\n");
    for id in package.worlds.values() {
        world(&mut page, &resolve, &resolve.worlds[*id])?;
    }
    for id in package.interfaces.values() {
        interface(&mut page, &resolve, &resolve.interfaces[*id])?;
    }
    Ok(page)
}

fn contents(page: &mut String, package: &Package) {
    let links = |names: Vec<&String>, kind: &str| -> String {
        let link = |name: &&String| format!("[{name}](#{kind}.{name})");
        names.iter().map(link).collect::<Vec<_>>().join(", ")
    };
    let worlds = links(package.worlds.keys().collect(), "world");
    let interfaces = links(package.interfaces.keys().collect(), "interface");
    let _ = write!(page, "\nWorlds: {worlds}.\n\nInterfaces: {interfaces}.\n");
}

fn world(page: &mut String, resolve: &Resolve, world: &World) -> Result<()> {
    let name = &world.name;
    let docs = names::prose(&world.docs);
    let _ = write!(
        page,
        "\n### <a id=\"world.{name}\"></a>world `{name}`\n\n{docs}\n\n"
    );
    for (verb, items) in [("imports", &world.imports), ("exports", &world.exports)] {
        for (key, item) in items {
            let interface = world_item(resolve, key, item)
                .with_context(|| format!("world {name} has an item that is no interface"))?;
            let _ = writeln!(page, "- {verb} [{interface}](#interface.{interface})");
        }
    }
    Ok(())
}

fn world_item<'a>(resolve: &'a Resolve, key: &WorldKey, item: &WorldItem) -> Option<&'a str> {
    match (key, item) {
        (WorldKey::Interface(_), WorldItem::Interface { id, .. }) => {
            resolve.interfaces[*id].name.as_deref()
        }
        _ => None,
    }
}

fn interface(page: &mut String, resolve: &Resolve, interface: &Interface) -> Result<()> {
    let name = interface.name.as_deref().context("a name")?;
    let package = interface.package.context("a package")?;
    let full = resolve.packages[package].name.interface_id(name);
    let docs = names::prose(&interface.docs);
    let _ = write!(
        page,
        "\n## <a id=\"interface.{name}\"></a>interface `{name}`\n\n`{full}`\n\n{docs}\n"
    );
    used(page, resolve, interface);
    for (type_name, id) in &interface.types {
        let typedef = &resolve.types[*id];
        if !matches!(typedef.kind, TypeDefKind::Type(wit_parser::Type::Id(_))) {
            types::section(page, resolve, name, type_name, typedef)?;
            functions::of_resource(page, resolve, interface, *id)?;
        }
    }
    functions::plain(page, resolve, interface)
}

/// The types that an interface takes from another one.
fn used(page: &mut String, resolve: &Resolve, interface: &Interface) {
    let mut links = Vec::new();
    for (name, id) in &interface.types {
        let TypeDefKind::Type(wit_parser::Type::Id(origin)) = resolve.types[*id].kind else {
            continue;
        };
        if let TypeOwner::Interface(owner) = resolve.types[origin].owner
            && let Some(owner) = &resolve.interfaces[owner].name
        {
            links.push(format!("[{name}](#{owner}.{name})"));
        }
    }
    if !links.is_empty() {
        let _ = write!(page, "\nUses {}.\n", links.join(", "));
    }
}
