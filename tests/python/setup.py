"""Puts the components into the wheel: those in the folder that DSH_FS_COMPONENTS names."""

import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

NAMES = ("gate.wasm", "texts.wasm", "dsh-fs.wasm", "dsh-fs-command.wasm")


class WithComponents(build_py):
    """The ordinary build, and the components beside the sources."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        folder = os.environ.get("DSH_FS_COMPONENTS")
        if folder is None:
            raise SystemExit("DSH_FS_COMPONENTS must name the folder with the components")
        built = Path(self.build_lib, "dsh_fs", "components")
        built.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            shutil.copyfile(Path(folder, name), built / name)


setup(cmdclass={"build_py": WithComponents})
