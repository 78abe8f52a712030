"""What is read and parsed on the host between two programs, compared with DALI."""

from __future__ import annotations

import io
import pathlib
from typing import Any

import numpy as np
import pytest
from beside_dali import BATCH, SYSTEMS, graph, load, png, results
from jpeg_files import pillow_jpeg

pytestmark = pytest.mark.dali


def npy(array: np.ndarray) -> np.ndarray:
    stream = io.BytesIO()
    np.save(stream, array)
    return np.frombuffer(stream.getvalue(), np.uint8)


def name_of(path: pathlib.Path) -> np.ndarray:
    return np.frombuffer(str(path).encode(), np.uint8)


@pytest.fixture
def names(tmp_path):
    """Names of JPEG files, and of a file that is not one."""
    found = [tmp_path / f"{k}.jpg" for k in range(3)]
    for k, path in enumerate(found):
        path.write_bytes(pillow_jpeg(20 + k, 30 - k, seed=k))
    found.append(tmp_path / "ünusual name.png")
    found[-1].write_bytes(png(4))
    return [name_of(path) for path in found]


def batches(samples: list[np.ndarray]):
    return lambda k: [samples[(k * BATCH + row) % len(samples)] for row in range(BATCH)]


@pytest.mark.parametrize("debug", [False, True])
def test_files_whose_names_are_data(names, debug):
    def program(dali):
        options = {"debug": True} if debug and dali.__name__ == "jaxdali" else {}

        @dali.pipeline_def(batch_size=BATCH, num_threads=1, device_id=None, **options)
        def pipe():
            paths = dali.fn.external_source(batches(names))
            files = dali.fn.io.file.read(paths, dont_use_mmap=True)
            images = dali.fn.decoders.image(dali.fn.io.file.read(paths))
            return files, images, dali.fn.crop(images, crop=(3, 4), crop_pos_x=0.2)

        return pipe()

    theirs, ours = (results(program, system) for system in SYSTEMS)
    assert ours == theirs


@graph
def missing(dali):
    return dali.fn.io.file.read(dali.fn.external_source(lambda: [name_of(pathlib.Path("/no/file"))] * BATCH))


@graph
def no_bytes(dali):
    return dali.fn.io.file.read(dali.fn.external_source(lambda: [np.int32([47, 49])] * BATCH))


@graph
def of_several_types(dali):
    files = [npy(np.float32([1, 2])), npy(np.int32([1, 2]))]
    return dali.fn.decoders.numpy(dali.fn.external_source(lambda: files))


@graph
def of_several_axes(dali):
    files = [npy(np.float32([1, 2])), npy(np.float32(3))]
    return dali.fn.decoders.numpy(dali.fn.external_source(lambda: files))


def of_damaged(content: np.ndarray):
    @graph
    def program(dali):
        return dali.fn.decoders.numpy(dali.fn.external_source(lambda: [content] * BATCH))

    return program


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (missing, "/no/file"),
        (no_bytes, "names of files as bytes"),
        (of_several_types, "one type and number of axes"),
        (of_several_axes, "one type and number of axes"),
        (of_damaged(np.frombuffer(b"no such file", np.uint8)), "is not a .npy file"),
        (of_damaged(npy(np.arange(5))[:-3]), "cut off"),
        (of_damaged(npy(np.array([1j]))), "complex128"),
    ],
    ids=["missing", "no bytes", "types", "axes", "magic", "cut off", "complex"],
)
def test_both_refuse(program, words):
    with pytest.raises(RuntimeError):
        results(program, SYSTEMS[0])
    with pytest.raises((OSError, load("jaxdali").errors.SourceDataError), match=words):
        results(program, SYSTEMS[1])


KINDS = ["BOOL", "UINT8", "INT8", "INT16", "UINT16", "INT32", "FLOAT"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int16, np.uint8, np.int32, np.bool_])
def test_arrays_of_numpys_files(dtype):
    rng = np.random.default_rng(2)
    most = 200 if dtype == np.float16 else 1e5
    shapes = [(2, 3), (4, 1), (2, 3), (0, 3)]
    arrays = [(rng.uniform(-most, most, shape) if dtype != np.bool_ else rng.integers(0, 2, shape)) for shape in shapes]
    arrays[0][0] = 0.5, 1.5, -0.5
    files = [
        npy(array.astype(np.int64).astype(dtype) if np.dtype(dtype).kind in "iu" else array.astype(dtype))
        for array in arrays
    ]

    @graph
    def decoded(dali: Any):
        source = dali.fn.external_source(batches(files))
        decode = dali.fn.decoders.numpy
        own = (
            decode(source)
            if dtype != np.float64 or dali.__name__ != "jaxdali"
            else decode(source, dtype=dali.types.FLOAT)
        )
        return (own, *(decode(source, dtype=getattr(dali.types, kind)) for kind in KINDS))

    theirs, ours = (results(decoded, system) for system in SYSTEMS)
    for wanted, found in zip(theirs[0], ours[0], strict=True):
        if dtype == np.float64:  # which is FLOAT without x64
            wanted, found = wanted[1:], found[1:]
        assert found == wanted
