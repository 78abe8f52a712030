"""Runs the programs of this folder: with NVIDIA's DALI as they are written, and with jaxdali behind the same imports.

A program is a file with a `main(data)` that takes a folder of images. It yields what a training loop would use: outputs
of `run`, batches of iterators, lengths. Only the package's name is changed in its text.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import gc
import importlib
import io
import pathlib
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from formats_of_data import write_formats
from jpeg_files import random_jpeg
from kinds import PARTIAL
from on_gpu import on_gpu

HERE = pathlib.Path(__file__).resolve().parent
ON_GPU = "jaxdali on a GPU"
SYSTEMS = ("nvidia.dali", "jaxdali", ON_GPU)
_NO_PROGRAMS = {"claims", "facts", "formats_of_data", "kinds", "on_gpu", "record", "running"}
PROGRAMS = sorted(
    path.stem for path in HERE.glob("*.py") if path.stem not in _NO_PROGRAMS and not path.stem.startswith("test_")
)

# Only DALI warns about these: old names that its automatic augmentation uses, and an operator that has no newer name.
_DALIS_OWN = {"equalize", "filter", "sequence"}
# Heights and widths of the images, in turn.
_SIZES = [(53, 67), (47, 61), (59, 43), (61, 71), (41, 53), (73, 47)]
_SAMPLINGS = [[(2, 2), (1, 1), (1, 1)], [(1, 1)] * 3, [(2, 1), (1, 1), (1, 1)]]


@functools.cache
def _workplace() -> pathlib.Path:
    """A folder that is kept until the interpreter ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


@functools.cache
def data() -> str:
    """Returns a folder with train/CLASS/NAME.jpg (11 images), val/CLASS/NAME.jpg (6 images), train.txt with lines "PATH
    LABEL", and the training images in the formats of `formats_of_data`.
    """
    root = _workplace() / "data"
    lines = []
    for part, count in (("train", 11), ("val", 6)):
        for k in range(count):
            path = root / part / ("bird", "cat", "dog")[k % 3] / f"{k:02}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(random_jpeg(*_SIZES[k % 6], _SAMPLINGS[k % 3], seed=k + 100 * (part == "val")))
            if part == "train":
                lines.append(f"{path.relative_to(root)} {k % 3}\n")
    (root / "train.txt").write_text("".join(lines))
    write_formats(root)
    return str(root)


@functools.cache
def _module(name: str, system: str) -> Any:
    """Imports a program as a module from a file that is written for the system, so that spawned workers find it too."""
    safe_system = re.sub(r"\W", "_", system)
    folder = _workplace() / safe_system
    folder.mkdir(exist_ok=True)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    module = f"{name}_with_{safe_system}"
    text = (HERE / f"{name}.py").read_text().replace("nvidia.dali", system.split()[0])
    if system == ON_GPU:
        text = on_gpu(text)
    if system == "nvidia.dali":
        # DALI's iterator for JAX lacks this policy; `kinds.PARTIAL` says what is cut off instead.
        text = text.replace("LastBatchPolicy.PARTIAL", "LastBatchPolicy.FILL")
    (folder / f"{module}.py").write_text(text)
    importlib.invalidate_caches()
    return importlib.import_module(module)


@dataclasses.dataclass(frozen=True)
class Leaf:
    """An array or list of tensors that a program yielded: its origin, type and layout, and the array or the samples."""

    origin: str
    dtype: str
    layout: str
    arrays: tuple[np.ndarray, ...]

    @property
    def form(self) -> str:
        shapes = [str(array.shape) for array in self.arrays]
        same = len(set(shapes)) == 1 and len(shapes) > 1
        said = f"{len(shapes)} x {shapes[0]}" if same else " ".join(shapes)
        return f"{self.origin} {self.dtype} {self.layout or '-'} {said}"


def taken(value: Any) -> Any:
    """Converts a yielded value to lists of plain values and leaves, copied out of the batch."""
    import jax

    if isinstance(value, dict):
        return [[name, taken(part)] for name, part in sorted(value.items())]
    if isinstance(value, list | tuple):
        return [taken(part) for part in value]
    if isinstance(value, jax.Array):
        return Leaf("jax", str(value.dtype), "", (np.array(value),))
    if isinstance(value, np.ndarray) and value.ndim:
        return Leaf("numpy", str(value.dtype), "", (np.array(value),))
    if hasattr(value, "as_tensor"):
        samples = tuple(np.array(value.at(k)) for k in range(len(value)))
        return Leaf("tensors", value.dtype.name, value.layout(), samples)
    if isinstance(value, np.generic | np.ndarray):
        return value.item()
    assert value is None or isinstance(value, bool | int | float | str), f"a program yielded {type(value)}"
    return value


@functools.cache
def run(name: str, system: str) -> list[Any]:
    """Returns what a program yields, and at the end the old names about which it was warned; drops what it prints."""
    # DALI prints its warnings whatever the filter is, unless they are recorded.
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        gc.freeze()  # else collecting what JAX keeps of earlier programs takes half a second
        items = [taken(item) for item in _module(name, system).main(data())]
        gc.collect()
    left = [str(warning.message) for warning in warned if warning.category is ResourceWarning]
    assert system == "nvidia.dali" or not left, left
    items = _cut(items, PARTIAL[name]) if system == "nvidia.dali" and name in PARTIAL else items
    old = {_first_name(str(warning.message)) for warning in warned if warning.category is DeprecationWarning}
    old -= _DALIS_OWN
    return [*items, f"old names: {' '.join(sorted(old))}"] if old else items


def _first_name(message: str) -> str:
    """Returns the first name in a warning, without prefixes: `nvidia.dali.ops.CoinFlip`, ops.CoinFlip, image_type=."""
    found = re.search(r"`([\w.]+)`", message) or re.match(r"([\w.]+)", message)
    assert found, message
    return found[1].rpartition(".")[2]


def leaves(item: Any) -> Iterator[Leaf]:
    """Yields the leaves of an item that a program yielded, in order."""
    if isinstance(item, Leaf):
        yield item
    elif isinstance(item, list):
        for part in item:
            yield from leaves(part)


def _cut(items: list[Any], epoch: int) -> list[Any]:
    """Returns the batches of an iterator without the rows that fill up its epochs.

    Args:
        epoch: samples of an epoch.
    """
    found, begun = [], 0
    for item in items:
        rows = max([len(leaf.arrays[0]) for leaf in leaves(item)], default=0)
        found.append(_first_rows(item, min(rows, epoch - begun)))
        begun = begun + rows if begun + rows < epoch else 0
    return found


def _first_rows(item: Any, count: int) -> Any:
    if isinstance(item, list):
        return [_first_rows(part, count) for part in item]
    if not isinstance(item, Leaf):
        return item
    return dataclasses.replace(item, arrays=tuple(array[:count] for array in item.arrays))
