//! One section a type: what it is, and a table of its parts.

use std::fmt::Write;

use anyhow::{Result, bail};
use wit_parser::{Docs, Resolve, Type, TypeDef, TypeDefKind};

use super::names;

/// Writes the section of a type that an interface defines.
pub(super) fn section(
    page: &mut String,
    resolve: &Resolve,
    interface: &str,
    name: &str,
    typedef: &TypeDef,
) -> Result<()> {
    let kind = typedef.kind.as_str();
    let docs = names::prose(&typedef.docs);
    let _ = write!(
        page,
        "\n### <a id=\"{interface}.{name}\"></a>{kind} `{name}`\n\n{docs}\n"
    );
    match &typedef.kind {
        TypeDefKind::Record(it) => {
            let fields = it.fields.iter();
            let rows = fields.map(|it| (&*it.name, Some(&it.ty), &it.docs));
            table(page, resolve, ["field", "type"], rows);
        }
        TypeDefKind::Variant(it) => {
            let cases = it.cases.iter();
            let rows = cases.map(|it| (&*it.name, it.ty.as_ref(), &it.docs));
            table(page, resolve, ["case", "carries"], rows);
        }
        TypeDefKind::Enum(it) => list(page, it.cases.iter().map(|it| (&*it.name, &it.docs))),
        TypeDefKind::Flags(it) => list(page, it.flags.iter().map(|it| (&*it.name, &it.docs))),
        TypeDefKind::Type(ty) => {
            let _ = write!(page, "\nIs a `{}`.\n", names::of(resolve, ty));
        }
        TypeDefKind::Resource => {}
        other => bail!("{name}: a {} has no section yet", other.as_str()),
    }
    Ok(())
}

fn table<'a>(
    page: &mut String,
    resolve: &Resolve,
    [part, ty]: [&str; 2],
    rows: impl Iterator<Item = (&'a str, Option<&'a Type>, &'a Docs)>,
) {
    let _ = write!(page, "\n| {part} | {ty} | |\n| --- | --- | --- |\n");
    for (name, ty, docs) in rows {
        let ty = ty.map(|ty| format!("`{}`", names::of(resolve, ty)));
        let (ty, docs) = (ty.unwrap_or_default(), names::cell(docs));
        let _ = writeln!(page, "| `{name}` | {ty} | {docs} |");
    }
}

fn list<'a>(page: &mut String, parts: impl Iterator<Item = (&'a str, &'a Docs)>) {
    page.push('\n');
    for (name, docs) in parts {
        let _ = writeln!(page, "- `{name}`: {}", names::line(&names::prose(docs)));
    }
}
