//! WASI that is there to be imported, and ends the session when it is used.
//!
//! Only interfaces of WASI are filled in: a stand-in under the name of another one would be
//! found before the real one, where the component was built for another patch of it.

use wasmtime::bail;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Linker, ResourceType};

/// Fills in every interface of WASI that a component imports.
pub(super) fn offer<T: 'static>(
    linker: &mut Linker<T>,
    component: &Component,
) -> wasmtime::Result<()> {
    let engine = component.engine();
    for (name, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(interface) = item.ty else {
            continue;
        };
        if !is_wasi(name) {
            continue;
        }
        let mut stand_in = linker.instance(name)?;
        for (item, kind) in interface.exports(engine) {
            match kind.ty {
                ComponentItem::ComponentFunc(_) => {
                    let told = format!("{name} ({item}) is not offered");
                    stand_in.func_new(item, move |_, _, _, _| bail!("{told}"))?;
                }
                ComponentItem::Resource(_) => {
                    stand_in.resource(item, ResourceType::host::<()>(), |_, _| Ok(()))?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

pub(super) fn is_wasi(name: &str) -> bool {
    name.starts_with("wasi:")
}
