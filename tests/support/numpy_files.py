"""Writes NumPy's files."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
from samples import COUNT, Arguments, Samples

from jaxdali._feed.source.numpy_files import Window
from jaxdali.source import NumpyFiles


def _array(index: int) -> np.ndarray:
    return np.full((4, 6 + index % 2), index, np.int16) + np.arange(6 + index % 2, dtype=np.int16)


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], NumpyFiles]:
    paths = [folder / f"{index:02}.npy" for index in range(COUNT)]
    for index, path in enumerate(paths):
        np.save(path, _array(index))
    return {"files": paths}, NumpyFiles(paths)


def _write_region(folder: pathlib.Path) -> tuple[dict[str, Any], NumpyFiles]:
    files, data = _write(folder)
    region = {"roi_start": (-1, 1), "roi_shape": (4, 3), "out_of_bounds_policy": "pad", "fill_value": 9.0}
    return {**files, **region}, NumpyFiles(data.files, Window(start=(-1, 1), shape=(4, 3), policy="pad", fill=9.0))


SAMPLES = {"numpy": Samples(_write, "numpy", native=True), "region": Samples(_write_region, "numpy", native=True)}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    for name in ("npy/0", "npy/1", "npy/2", "more/3"):
        (root / name).parent.mkdir(exist_ok=True)
        np.save(root / name, np.arange(4))
    (root / "npy" / "list.txt").write_text("0.npy\n")
    values = {
        "file_root": [{"file_root": root / "npy"}, {"file_root": root}],
        "file_filter": [{"file_filter": "0.*"}, {"file_filter": "[12].npy"}],
        "files": [{"files": ["0.npy"]}, {"files": ["1.npy"]}],
        "file_list": [{"file_list": root / "npy" / "list.txt"}],
        "roi_axes": [{"roi_axes": axes, "roi_start": 1} for axes in (0, 1)],
        "out_of_bounds_policy": [{"roi_start": 1, "out_of_bounds_policy": one} for one in ("pad", "trim_to_shape")],
        "fill_value": [{"roi_start": 1, "fill_value": one} for one in (1, 2)],
    }
    return {"readers.numpy": Arguments({"file_root": root / "npy"}, values)}
