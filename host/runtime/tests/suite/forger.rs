//! Makes components of the worlds `composed` and `gate` from a few lines of WebAssembly
//! text: every export traps, except the ones that a test writes.

use std::fmt::Write;
use std::path::Path;

use dsh_fs_runtime::{ComponentSource, Limits, Runtime, RuntimeOptions};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Function, InterfaceId, Resolve, TypeDefKind, WorldId, WorldItem};

/// Where a test's own bytes begin in memory. Strings handed to the component lie above.
pub(crate) const DATA: u32 = 1024;

/// A component in the making.
pub(crate) struct Forger {
    world: &'static str,
    bodies: Vec<(&'static str, String)>,
    data: Vec<(u32, String)>,
    extra: String,
    encoding: StringEncoding,
}

impl Forger {
    /// A component whose sessions start, and whose every method traps.
    pub(crate) fn new() -> Self {
        Self::of("composed").with(
            "[constructor]session",
            "(call $resource-new-session (i32.const 1))",
        )
    }

    /// A gate whose memory can be made, and of which everything else traps.
    pub(crate) fn gate() -> Self {
        Self::of("gate").with(
            "[constructor]ledger",
            "(call $resource-new-ledger (i32.const 1))",
        )
    }

    fn of(world: &'static str) -> Self {
        Self {
            world,
            bodies: Vec::new(),
            data: Vec::new(),
            extra: String::new(),
            encoding: StringEncoding::UTF8,
        }
    }

    /// Gives an export this body; also a destructor, as `[dtor]ledger`, and what is run
    /// after an export has answered, as `[post]` and the name of that.
    pub(crate) fn with(mut self, function: &'static str, body: impl Into<String>) -> Self {
        self.bodies.retain(|(name, _)| *name != function);
        self.bodies.push((function, body.into()));
        self
    }

    /// Puts a text into memory.
    pub(crate) fn data(mut self, at: u32, text: impl Into<String>) -> Self {
        self.data.push((at, text.into()));
        self
    }

    /// Has it speak UTF-16.
    pub(crate) fn utf16(mut self) -> Self {
        self.encoding = StringEncoding::UTF16;
        self
    }

    /// Adds definitions to the module.
    pub(crate) fn extra(mut self, text: &str) -> Self {
        self.extra.push_str(text);
        self
    }

    /// A runtime of this component.
    pub(crate) fn runtime(&self, limits: Limits) -> Runtime {
        Runtime::new(RuntimeOptions {
            component: ComponentSource::Whole(self.component()),
            limits,
            code_cache: None,
        })
        .expect("the component fits")
    }

    /// The bytes.
    pub(crate) fn component(&self) -> Vec<u8> {
        let (resolve, world) = wit(self.world);
        let mut module = wat::parse_str(self.module(&resolve, world)).expect("right WebAssembly");
        embed_component_metadata(&mut module, &resolve, world, self.encoding)
            .expect("a custom section");
        let mut encoder = ComponentEncoder::default();
        encoder.validate(true);
        encoder.module(&module).expect("it fits the world");
        encoder.encode().expect("it fits the world")
    }

    fn module(&self, resolve: &Resolve, world: WorldId) -> String {
        let mut text = String::from("(module\n");
        for (name, interface) in interfaces(resolve, &resolve.worlds[world].imports) {
            import_functions(&mut text, resolve, &name, interface);
        }
        let exports = interfaces(resolve, &resolve.worlds[world].exports);
        for (name, interface) in &exports {
            import_constructors(&mut text, resolve, name, *interface);
        }
        let _ = writeln!(text, "{RUNTIME}\n{}", self.extra);
        for (at, data) in &self.data {
            let _ = writeln!(text, "(data (i32.const {at}) \"{data}\")");
        }
        for (name, interface) in exports {
            let interface = &resolve.interfaces[interface];
            for function in interface.functions.values() {
                self.export_function(&mut text, resolve, &name, function);
            }
            for resource in interface.types.keys() {
                self.export_hook(&mut text, &format!("[dtor]{resource}"), &name, "");
            }
        }
        text + ")"
    }

    fn export_function(
        &self,
        text: &mut String,
        resolve: &Resolve,
        interface: &str,
        function: &Function,
    ) {
        let name = &function.name;
        let body = self.body(name).unwrap_or("unreachable");
        let types = signature(resolve, AbiVariant::GuestExport, function);
        let _ = writeln!(
            text,
            "(func (export \"{interface}#{name}\") {types} {body})"
        );
        self.export_hook(text, &format!("[post]{name}"), interface, "cabi_post_");
    }

    /// A function that nobody calls by its name, where a test has written one.
    fn export_hook(&self, text: &mut String, hook: &str, interface: &str, prefix: &str) {
        let name = hook.trim_start_matches("[post]");
        if let Some(body) = self.body(hook) {
            let _ = writeln!(
                text,
                "(func (export \"{prefix}{interface}#{name}\") (param i32) {body})"
            );
        }
    }

    fn body(&self, function: &str) -> Option<&str> {
        let given = self.bodies.iter().find(|(name, _)| *name == function);
        given.map(|(_, body)| body.as_str())
    }
}

/// Memory, and an allocator that never frees, and that traps once it is armed.
const RUNTIME: &str = r#"
(memory (export "memory") 4)
(global $heap (mut i32) (i32.const 131072))
(global $armed (mut i32) (i32.const 0))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
  (local $at i32)
  (if (global.get $armed) (then unreachable))
  (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 15)) (i32.const -16)))
  (global.set $heap (i32.add (local.get $at) (local.get 3)))
  (block $enough
    (br_if $enough (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
    (drop (memory.grow (i32.add (i32.div_u (local.get 3) (i32.const 65536)) (i32.const 1)))))
  (local.get $at))
"#;

fn wit(world: &str) -> (Resolve, WorldId) {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    let (package, _) = resolve.push_dir(&folder).expect("the package is right");
    let world = resolve
        .select_world(&[package], Some(world))
        .expect("it is there");
    (resolve, world)
}

fn interfaces<'a>(
    resolve: &'a Resolve,
    items: impl IntoIterator<Item = (&'a wit_parser::WorldKey, &'a WorldItem)>,
) -> Vec<(String, InterfaceId)> {
    let named = items.into_iter().filter_map(|(key, item)| match item {
        WorldItem::Interface { id, .. } => Some((resolve.name_world_key(key), *id)),
        _ => None,
    });
    named.collect()
}

/// What makes a handle of each resource that the component exports.
fn import_constructors(text: &mut String, resolve: &Resolve, name: &str, interface: InterfaceId) {
    for (resource, id) in &resolve.interfaces[interface].types {
        if matches!(resolve.types[*id].kind, TypeDefKind::Resource) {
            let _ = writeln!(
                text,
                "(import \"[export]{name}\" \"[resource-new]{resource}\" \
                 (func $resource-new-{resource} (param i32) (result i32)))"
            );
        }
    }
}

fn import_functions(text: &mut String, resolve: &Resolve, name: &str, interface: InterfaceId) {
    for function in resolve.interfaces[interface].functions.values() {
        let types = signature(resolve, AbiVariant::GuestImport, function);
        let label = function.name.replace("[method]", "");
        let _ = writeln!(
            text,
            "(import \"{name}\" \"{}\" (func ${label} {types}))",
            function.name
        );
    }
}

fn signature(resolve: &Resolve, variant: AbiVariant, function: &Function) -> String {
    let signature = resolve.wasm_signature(variant, function);
    let list = |types: &[WasmType]| {
        let names = types.iter().map(|ty| match ty {
            WasmType::I64 | WasmType::PointerOrI64 => " i64",
            WasmType::F32 => " f32",
            WasmType::F64 => " f64",
            WasmType::I32 | WasmType::Pointer | WasmType::Length => " i32",
        });
        names.collect::<String>()
    };
    format!(
        "(param{}) (result{})",
        list(&signature.params),
        list(&signature.results)
    )
}
