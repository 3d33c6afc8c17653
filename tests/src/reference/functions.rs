//! One section a function: its signature, its comment, its parameters, and its name at run
//! time.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};
use wit_parser::{Function, FunctionKind, Interface, Param, Resolve, TypeId};

use super::names;

/// Writes the functions of an interface that belong to no resource.
pub(super) fn plain(page: &mut String, resolve: &Resolve, interface: &Interface) -> Result<()> {
    let functions = interface.functions.values();
    for function in functions.filter(|it| it.kind.resource().is_none()) {
        section(page, resolve, interface, function)?;
    }
    Ok(())
}

/// Writes the functions of one resource, if that is what the type is.
pub(super) fn of_resource(
    page: &mut String,
    resolve: &Resolve,
    interface: &Interface,
    resource: TypeId,
) -> Result<()> {
    let functions = interface.functions.values();
    for function in functions.filter(|it| it.kind.resource() == Some(resource)) {
        section(page, resolve, interface, function)?;
    }
    Ok(())
}

fn section(
    page: &mut String,
    resolve: &Resolve,
    interface: &Interface,
    function: &Function,
) -> Result<()> {
    let interface = interface.name.as_deref().context("a name")?;
    let shown = shown(resolve, function);
    let docs = names::prose(&function.docs);
    let _ = write!(
        page,
        "\n#### <a id=\"{interface}.{shown}\"></a>`{shown}`\n\n```wit\n{}\n```\n\n{docs}\n",
        signature(resolve, function)
    );
    let given = given(function);
    if !given.is_empty() {
        page.push('\n');
    }
    for param in given {
        let docs = comment(resolve, param)
            .with_context(|| format!("{interface}.{shown}: `{}` has no comment", param.name))?;
        let _ = writeln!(page, "- `{}`: {docs}", param.name);
    }
    if function.name != shown {
        let _ = write!(page, "\nAt run time `{}`.\n", function.name);
    }
    Ok(())
}

/// The name for readers: of a method, behind its resource.
fn shown(resolve: &Resolve, function: &Function) -> String {
    let resource = function.kind.resource();
    let resource = resource.and_then(|id| resolve.types[id].name.as_deref());
    match (resource, &function.kind) {
        (Some(resource), FunctionKind::Constructor(_)) => format!("{resource}.constructor"),
        (Some(resource), _) => format!("{resource}.{}", function.item_name()),
        (None, _) => function.name.clone(),
    }
}

/// The parameters that are written: a method's handle is not.
fn given(function: &Function) -> &[Param] {
    match function.kind {
        FunctionKind::Method(_) => &function.params[1..],
        _ => &function.params,
    }
}

fn signature(resolve: &Resolve, function: &Function) -> String {
    let params = given(function).iter();
    let params = params.map(|it| format!("{}: {}", it.name, names::of(resolve, &it.ty)));
    let params = params.collect::<Vec<_>>().join(", ");
    if matches!(function.kind, FunctionKind::Constructor(_)) {
        return format!("constructor({params})");
    }
    let result = function.result.as_ref();
    let result = result.map(|ty| format!(" -> {}", names::of(resolve, ty)));
    let name = function.item_name();
    format!("{name}: func({params}){}", result.unwrap_or_default())
}

/// The comment of a parameter, which the parser does not keep: the lines before it.
fn comment(resolve: &Resolve, param: &Param) -> Option<String> {
    let place = resolve.source_map.resolve_span(param.span)?;
    let text = fs::read_to_string(place.path).ok()?;
    let before = text.get(..place.range.start)?;
    // The last line is the indentation of the parameter itself.
    let above = before.lines().rev().skip(1).map(str::trim);
    let mut lines: Vec<_> = above.map_while(|line| line.strip_prefix("///")).collect();
    lines.reverse();
    let comment = names::line(&lines.join(" "));
    (!comment.is_empty()).then_some(comment)
}
