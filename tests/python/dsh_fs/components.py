"""Finds, compiles and instantiates the components.

They are those of the package; the folder that DSH_FS_COMPONENTS names goes before.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, Callable

from wasmtime import Config, Engine, Store, WasiConfig, WasmtimeError
from wasmtime.component import Component, Func, Linker, LinkerInstance

#: Fuel for one call: about one unit an instruction. A call that uses it up ends its instance.
MOST_FUEL = 20_000_000_000

#: Memory of one instance.
MOST_BYTES = 1 << 30

Link = Callable[[LinkerInstance], None]


class Broken(Exception):
    """A component trapped, or an import of it failed; its instance is not used again."""


def folder() -> Path:
    """Where the components are."""
    named = os.environ.get("DSH_FS_COMPONENTS")
    return Path(named) if named else Path(__file__).parent / "components"


@cache
def _engine() -> Engine:
    config = Config()
    config.consume_fuel = True
    return Engine(config)


@cache
def _compiled(path: Path) -> Component:
    return Component.from_file(_engine(), path)


class Instance:
    """One instance of a component, in a store of its own."""

    def __init__(self, name: str, link: Link | None = None, fuel: int = MOST_FUEL) -> None:
        self.store = Store(_engine())
        self.store.set_limits(memory_size=MOST_BYTES)
        self.store.set_fuel(fuel)
        self._fuel = fuel
        self._broken: str | None = None
        self._linker = Linker(_engine())
        if link is not None:
            with self._linker.root() as root:
                link(root)
        component = _compiled(folder() / f"{name}.wasm")
        if any(imported.startswith("wasi:") for imported in component.type.imports(_engine())):
            self._grant_nothing_of_the_system()
        self._instance = self._linker.instantiate(self.store, component)
        self._funcs: dict[tuple[str, str], Func] = {}

    def _grant_nothing_of_the_system(self) -> None:
        """For gates of toolchains that import WASI: no folder, no environment, no output."""
        self._linker.add_wasip2()
        self.store.set_wasi(WasiConfig())

    def call(self, interface: str, name: str, *args: Any) -> Any:
        """Calls a function of an interface of the package."""
        if self._broken is not None:
            raise Broken(self._broken)
        func = self._func(interface, name)
        self.store.set_fuel(self._fuel)
        try:
            return func(self.store, *args)
        except WasmtimeError as error:
            self._broken = str(error).splitlines()[0]
            raise Broken(self._broken) from error
        except BaseException:
            self._broken = "an import failed"
            raise

    def drop(self, resource: Any) -> None:
        """Drops a resource; one of a broken instance is left, because to drop it runs code."""
        if self._broken is None:
            resource.drop(self.store)

    def _func(self, interface: str, name: str) -> Func:
        known = self._funcs.get((interface, name))
        if known is not None:
            return known
        outer = self._instance.get_export_index(self.store, f"dsh:fs/{interface}@0.1.0")
        index = outer and self._instance.get_export_index(self.store, name, outer)
        func = index and self._instance.get_func(self.store, index)
        if not func:
            raise LookupError(f"the component exports no {interface}.{name}")
        self._funcs[interface, name] = func
        return func
