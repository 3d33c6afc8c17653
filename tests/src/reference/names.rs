//! Types as they are written, and comments as prose.

use wit_parser::{Docs, Handle, Resolve, Type, TypeDef, TypeDefKind};

/// A comment as paragraphs.
pub(super) fn prose(docs: &Docs) -> String {
    docs.contents.as_deref().unwrap_or_default().trim().into()
}

/// A comment as a cell of a table.
pub(super) fn cell(docs: &Docs) -> String {
    line(&prose(docs)).replace('|', "\\|")
}

/// Several lines as one.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A type as WIT writes it.
pub(super) fn of(resolve: &Resolve, ty: &Type) -> String {
    match ty {
        Type::Id(id) => {
            let typedef = &resolve.types[*id];
            let named = typedef.name.clone();
            named.unwrap_or_else(|| composed(resolve, typedef))
        }
        Type::Bool => "bool".into(),
        Type::U8 => "u8".into(),
        Type::U16 => "u16".into(),
        Type::U32 => "u32".into(),
        Type::U64 => "u64".into(),
        Type::S8 => "s8".into(),
        Type::S16 => "s16".into(),
        Type::S32 => "s32".into(),
        Type::S64 => "s64".into(),
        Type::F32 => "f32".into(),
        Type::F64 => "f64".into(),
        Type::Char => "char".into(),
        Type::String => "string".into(),
        Type::ErrorContext => "error-context".into(),
    }
}

/// A type without a name of its own.
fn composed(resolve: &Resolve, typedef: &TypeDef) -> String {
    let inner = |ty: &Option<Type>| ty.as_ref().map_or("_".into(), |ty| of(resolve, ty));
    match &typedef.kind {
        TypeDefKind::Option(ty) => format!("option<{}>", of(resolve, ty)),
        TypeDefKind::List(ty) => format!("list<{}>", of(resolve, ty)),
        TypeDefKind::Handle(Handle::Own(id)) => of(resolve, &Type::Id(*id)),
        TypeDefKind::Handle(Handle::Borrow(id)) => {
            format!("borrow<{}>", of(resolve, &Type::Id(*id)))
        }
        TypeDefKind::Result(it) if it.err.is_none() => format!("result<{}>", inner(&it.ok)),
        TypeDefKind::Result(it) => format!("result<{}, {}>", inner(&it.ok), inner(&it.err)),
        TypeDefKind::Tuple(it) => {
            let parts: Vec<_> = it.types.iter().map(|ty| of(resolve, ty)).collect();
            format!("tuple<{}>", parts.join(", "))
        }
        other => panic!("a {} is not in the package yet", other.as_str()),
    }
}
