"""Samples with a list of files, as frames or views: opened together, wherever a Loader runs."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import FILES, FileLists, Mapped
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import jaxdali
from jaxdali import DecodeError, Loader, SourceDataError
from jaxdali.image import EncodedBatch, Status, decode

T = FileLists.files
BATCH = 4


def augment(batch, keys):
    images = jaxdali.image.open(batch["frames"])
    window = jaxdali.random.resized_crop_window(keys, batch["frames"][0].sizes)
    small = jnp.minimum(window, jnp.array([4, 4, 16, 16]))  # within every frame
    return {
        "same": images.resized_crop(small, (16, 16)).array(),
        "whole": images.resize(size=(8, 8)).array(),
        "second": decode(batch["frames"][1], (80, 80)),
        "image": decode(batch["image"], (80, 80)),
        "y": batch["y"],
    }


def batches(**options):
    with Loader(FileLists(), augment, batch_size=BATCH, epochs=1, **options) as loader:
        assert loader.element_spec["same"].shape == (BATCH, T, 16, 16, 3)
        return [jax.tree.map(np.asarray, batch) for batch in loader]


SHARDED = {"sharding": NamedSharding(Mesh(np.array(jax.devices("cpu")[:4]), "x"), PartitionSpec("x"))}


def test_they_are_opened_together():
    found = batches(workers=0)
    assert found[0]["same"].shape == (BATCH, T, 16, 16, 3)
    for index, row in enumerate(row for batch in found for row in batch["whole"]):
        files = EncodedBatch.from_encoded(FileLists()[index]["frames"])
        np.testing.assert_array_equal(row, jaxdali.image.open(files).resize(size=(8, 8)).array())
    for options in (
        {"workers": 2},
        SHARDED | {"workers": 0},
        {"workers": 0, "on_error": "zeros"},
        {"workers": 0, "debug_rows": True},
    ):
        jax.tree.map(np.testing.assert_array_equal, batches(**options), found)


def test_their_files_are_not_copied():
    """All files of a step are in one slot, so each call reads it where it is."""
    loader = Loader(FileLists(), augment, batch_size=BATCH, workers=0)
    program = loader._step_runner._builder.program
    spec = jax.ShapeDtypeStruct
    values = [
        EncodedBatch(spec((1, 1 << 20), np.uint8), spec((BATCH, T, 8), np.int32), spec((BATCH, T, 3), np.int32)),
        EncodedBatch(spec((1, 1 << 20), np.uint8), spec((BATCH, 8), np.int32), spec((BATCH, 3), np.int32)),
        spec((BATCH,), np.int32),
    ]
    origin = (spec((2,), np.uint32),) * 2
    traced = jax.jit(lambda *given: program(*given, ())[0]).trace(values, origin, spec((BATCH, 2), np.uint32))
    assert not [
        one
        for one in traced.jaxpr.eqns
        if one.primitive.name == "concatenate" and one.outvars[0].aval.dtype == np.uint8
    ]


def test_batches_that_are_handed_out_share_their_files():
    batch = next(iter(Loader(FileLists(), batch_size=BATCH, workers=0)))
    assert len(batch["frames"]) == T and all(isinstance(files, EncodedBatch) for files in batch["frames"])
    stack = EncodedBatch.stack(batch["frames"])
    assert stack.bytes is batch["frames"][0].bytes and stack.rows.shape == (BATCH, T, 8)
    pixels = jax.jit(lambda files: jaxdali.image.open(files).resize(size=(8, 8)).array())(stack)
    np.testing.assert_array_equal(pixels, batches(workers=0)[0]["whole"])


def test_lists_that_are_not_all_files_stay_as_they_are():
    data = Mapped(lambda k: {"mixed": [FILES[0], k], "one": [FILES[1]], "pair": (FILES[2], FILES[3])}, 4)
    loader = Loader(data, lambda batch, keys: jax.tree.map(lambda x: x, batch), batch_size=4, workers=0)
    assert loader._step_runner._builder.stacked == {3: 2}
    batch = next(iter(loader))
    assert batch["mixed"][1].tolist() == [0, 1, 2, 3] and len(batch["one"]) == 1 and isinstance(batch["pair"], tuple)
    assert decode(batch["pair"]).shape == (4, 2, 64, 70, 3)


@pytest.mark.parametrize("options", [{}, SHARDED, {"on_error": "zeros"}], ids=["one device", "sharded", "zeros"])
def test_a_frame_that_is_damaged_is_named(options):
    def sample(index):
        frames = FileLists()[index]["frames"]
        return {"frames": [*frames[:2], b"no image" if index == 6 else frames[2]], "y": index}

    def opened(batch, keys):
        return jaxdali.image.open(batch["frames"]).resize(size=(8, 8)).array()

    with Loader(Mapped(sample, 8), opened, batch_size=BATCH, epochs=1, workers=0, **options) as loader:
        steps = iter(loader)
        next(steps)
        if options.get("on_error") == "zeros":
            assert np.asarray(next(steps)).any(axis=(2, 3, 4)).tolist() == [
                [True] * 3,
                [True] * 3,
                [True, True, False],
                [True] * 3,
            ]
        else:
            with pytest.raises(DecodeError, match="CORRUPT") as caught:
                next(steps)
            assert (caught.value.sample_index, caught.value.output) == (6, "['frames'][2]")
    assert loader.stats().images_failed == {"CORRUPT": 1}


def test_lists_of_different_lengths_are_filled_up():
    def ragged(index):
        return {"frames": [FILES[k] for k in range(1 + index % 3)], "y": index}

    with pytest.raises(SourceDataError, match=r"list with 2, .*a list with 1 there; .*filled up with None"):
        next(iter(Loader(Mapped(ragged, 6), batch_size=6, workers=0)))

    def filled(index):
        frames = ragged(index)["frames"]
        return {"frames": frames + [None] * (3 - len(frames)), "y": index}

    def opened(batch, keys):
        images, status = jaxdali.image.open(batch["frames"]).resize(size=(8, 8)).array(on_error="zeros")
        return images, status, EncodedBatch.stack(batch["frames"]).present

    images, status, present = next(iter(Loader(Mapped(filled, 6), opened, batch_size=6, workers=0)))
    expected = np.arange(3) <= np.arange(6)[:, None] % 3
    np.testing.assert_array_equal(present, expected)
    np.testing.assert_array_equal(status, np.where(expected, 0, Status.MISSING))
    np.testing.assert_array_equal(np.asarray(images).any(axis=(2, 3, 4)), expected)
