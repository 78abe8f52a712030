"""The pipelines that `benchmarks/operators.py` measures: a GPU's results are the CPU's, bit for bit."""

from __future__ import annotations

import importlib.util
import pathlib
import sys

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

import jaxdali
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.plugin.jax import DALIGenericIterator

pytestmark = pytest.mark.gpu

BATCH = 64

_PATH = pathlib.Path(__file__).parents[2] / "benchmarks" / "pipelines.py"
if not _PATH.exists():
    pytest.skip("benchmarks are beside the tests in the clone only", allow_module_level=True)


def _load():
    spec = importlib.util.spec_from_file_location("measured_pipelines", _PATH)
    assert spec is not None and spec.loader is not None
    module = sys.modules["measured_pipelines"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pipelines = _load()


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    extents = [(375, 500), (333, 500), (500, 375), (640, 427), (60, 45)]
    paths = []
    for index in range(BATCH):
        path = folder / f"{index:03}.jpg"
        height, width = extents[index % 5]
        path.write_bytes(pillow_jpeg(height, width, subsampling=index % 3, progressive=index % 7 == 6))
        paths.append(str(path))
    return paths


@pytest.mark.parametrize("name", pipelines.DEFINITIONS)
def test_a_gpu_makes_what_the_cpu_makes(name, names):
    definition = pipelines.DEFINITIONS[name]
    found = []
    for device in ("gpu", "cpu"):
        task = pipelines.Task(names, "reader", 0, 2, device=device, batch=BATCH)
        pipe, outputs = pipelines.open_pipeline(jaxdali, definition, task)
        iterator = DALIGenericIterator(pipe, outputs)
        batches = [next(iterator) for _ in range(2)]
        if device == "gpu":
            assert all(batch["image 0"].devices() == {local_gpus()[0]} for batch in batches)
        found.append([{output: np.asarray(batch[output]) for output in outputs} for batch in batches])
        del iterator
    for ours, theirs in zip(*found, strict=True):
        for output in ours:
            np.testing.assert_array_equal(ours[output], theirs[output], err_msg=output)
