"""All of it in one file: gate, toolbox, and files through WASI, over the one folder that is
named. Nothing else of the disk, of the environment or of the network is handed over.

    python example/composed.py FOLDER [OPTION...] [VERB ...]

Without a verb it answers calls, one JSON object a line. Inside, the folder is `/ws`. The
exit code is 1 where the verb was refused.
"""

from __future__ import annotations

import sys

from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker, Variant

from dsh_fs.components import folder as components

RUN = "wasi:cli/run@0.2.12"


def main(folder: str, arguments: list[str]) -> int:
    wasi = WasiConfig()
    wasi.preopen_dir(folder, "/ws")
    wasi.argv = ["dsh-fs", *arguments]
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()

    engine = Engine()
    store = Store(engine)
    store.set_wasi(wasi)
    linker = Linker(engine)
    linker.add_wasip2()
    component = Component.from_file(engine, components() / "dsh-fs-command.wasm")
    instance = linker.instantiate(store, component)

    interface = instance.get_export_index(store, RUN)
    index = interface and instance.get_export_index(store, "run", interface)
    run = index and instance.get_func(store, index)
    assert run, f"the component exports no {RUN}"
    answer = run(store)
    # Standard error says why: the program answers an error without a value.
    return 0 if isinstance(answer, Variant) and answer.tag == "ok" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
