"""The same samples in files for every source of `jaxdali.source` that reads files, and for its reader.

A class of the module `<format>` is tested with `tests/support/<format>_files.py`, which has `SAMPLES`, by names of tests;
and `arguments(folder)`, by names of readers, if there is one.
"""

from __future__ import annotations

import dataclasses
import importlib
import pathlib
import types
from typing import Any

from samples import Samples

from jaxdali._cli.formats import formats


@dataclasses.dataclass(frozen=True)
class Made:
    """A source with its samples.

    Attributes:
        reader: name in fn.readers; None if only the source reads them.
        arguments: of the reader.
        data: what it reads.
    """

    reader: str | None
    arguments: dict[str, Any]
    data: Any


def files_modules() -> list[types.ModuleType]:
    """The modules that write files, of every format."""
    stems = [one.__module__.rpartition(".")[2].removesuffix("_files") for one in formats().values()]
    return [importlib.import_module(f"{stem}_files") for stem in stems]


def every_samples() -> dict[str, Samples]:
    return {name: one for module in files_modules() for name, one in module.SAMPLES.items()}


def readers_samples() -> dict[str, Samples]:
    """The samples of those that have a reader."""
    return {name: one for name, one in every_samples().items() if one.reader is not None}


def every_source(folder: pathlib.Path) -> dict[str, Made]:
    """Writes the files of all sources; containers are split into two."""
    return _written(every_samples(), folder)


def every_reader(folder: pathlib.Path) -> dict[str, Made]:
    """Writes the files of all readers."""
    return _written(readers_samples(), folder)


def _written(samples: dict[str, Samples], folder: pathlib.Path) -> dict[str, Made]:
    folder.mkdir(parents=True, exist_ok=True)
    return {name: Made(one.reader, *one.write(folder)) for name, one in samples.items()}
