"""Copies of the project in which faults are put: a suite, and an environment whose jaxdali is the copy.

The environment finds all other packages by a plain path in a .pth file. Files named .pth in that path are not read, so
the editable install of the checkout has no effect there.
"""

from __future__ import annotations

import dataclasses
import pathlib
import shutil
import subprocess
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GUARD = ROOT / "build" / "guard"


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout


@dataclasses.dataclass(frozen=True)
class Tree:
    """A copy, in a folder of its own below build/guard."""

    folder: pathlib.Path

    @property
    def suite(self) -> pathlib.Path:
        return self.folder / "suite"

    @property
    def python(self) -> pathlib.Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def site(self) -> pathlib.Path:
        return self.folder / "venv" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"

    def extract(self, commit: str, *paths: str) -> None:
        """Writes the files of a commit into the suite's folder."""
        self.suite.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", ROOT, "archive", commit, *paths], check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", self.suite], input=archive.stdout, check=True)

    def make_environment(self) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder / "venv"], check=True)
        (self.site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.copy_own()

    def copy_own(self) -> None:
        for name in ("guard_switch.py", "guard_reports.py"):
            shutil.copy(HERE / name, self.site)

    def build(self) -> None:
        """Installs the package of the suite's folder into the environment, with what its C++ compiles to."""
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", self.site, self.suite]
        subprocess.run(pip, check=True)
        self.forget_sources()

    def copy_package(self) -> None:
        """As build(), but with the checkout's compiled modules: for changes of Python alone."""
        import jaxdali._device.ffi._cpu as cpu
        import jaxdali._feed._host as host

        shutil.copytree(self.suite / "jaxdali", self.site / "jaxdali")
        shutil.copy(host.__file__, self.site / "jaxdali/_feed")
        shutil.copy(cpu.__file__, self.site / "jaxdali/_device/ffi")
        metadata = next(pathlib.Path(sysconfig.get_path("purelib")).glob("jaxdali-*.dist-info"))
        shutil.copytree(metadata, self.site / metadata.name)
        self.forget_sources()

    def forget_sources(self) -> None:
        """Removes the sources, which Python would import from the working directory; says what is imported now."""
        shutil.rmtree(self.suite / "jaxdali")
        shutil.rmtree(self.suite / "build", ignore_errors=True)
        modules = "jaxdali, jaxdali._feed._host, jaxdali._device.ffi._cpu"
        code = f"import {modules}; print(*(m.__file__ for m in ({modules})))"
        found = subprocess.run([self.python, "-P", "-c", code], check=True, capture_output=True, text=True).stdout
        if any(not name.startswith(str(self.site)) for name in found.split()):
            raise RuntimeError(f"the copy of the package is not what Python imports in {self.folder}: {found}")
