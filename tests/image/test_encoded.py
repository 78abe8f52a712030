"""An `EncodedBatch` is built, picked from and joined without looking at its files."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from jpeg_files import photo, pillow_jpeg, pillow_pixels
from PIL import Image

from jaxdali._base.batch import ALIGNMENT, Codec, Row, Status
from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch, decode

FILES = [pillow_jpeg(10 + k, 30) for k in range(6)]


def make_batch():
    return EncodedBatch.from_encoded(FILES)


def heights(batch):
    return np.asarray(batch.sizes)[:, 0].tolist()


def other_formats(tmp_path):
    image = Image.fromarray(photo(9, 14))
    files = []
    for suffix in ("png", "bmp", "webp", "tiff"):
        image.save(tmp_path / f"image.{suffix}")
        files.append((tmp_path / f"image.{suffix}").read_bytes())
    return files


def test_fields_of_a_batch():
    batch = make_batch()
    rows = np.asarray(batch.rows)
    assert (batch.bytes.dtype, batch.bytes.shape) == (np.uint8, (1, 65536))
    assert (batch.rows.dtype, batch.rows.shape) == (np.int32, (6, 8))
    assert (batch.sizes.dtype, batch.sizes.tolist()) == (
        np.int32,
        [[10 + k, 30, 3] for k in range(6)],
    )
    assert len(batch) == 6 and batch.sharding is None
    for row, file in zip(rows, FILES, strict=True):
        start = row[Row.OFFSET] * ALIGNMENT
        assert np.asarray(batch.bytes)[0, start : start + row[Row.SIZE]].tobytes() == file
        assert row[Row.CODEC] == Codec.JPEG


def test_capacity_is_a_size_class():
    capacities = {
        EncodedBatch.from_encoded([bytes(size)]).bytes.shape[1] for size in (0, 1, 65536, 65537, 100_000, 131_072)
    }
    assert capacities == {65536, 131_072}


def test_arrays_are_not_copied_on_their_way_to_the_device():
    big = EncodedBatch.from_encoded([np.zeros(1 << 20, np.uint8)])
    assert big.bytes.unsafe_buffer_pointer() % ALIGNMENT == 0


def test_other_formats_are_decoded_when_the_batch_is_built(tmp_path):
    files = [*other_formats(tmp_path), FILES[0]]
    batch = EncodedBatch.from_encoded(files)
    assert np.asarray(batch.rows)[:, Row.CODEC].tolist() == [Codec.RAW] * 4 + [Codec.JPEG]
    pixels = np.asarray(decode(batch, (10, 30)))
    for k, file in enumerate(files):
        expected = pillow_pixels(file)
        height, width, _ = expected.shape
        np.testing.assert_array_equal(pixels[k, :height, :width], expected)


def test_files_that_cannot_be_used_are_rows_with_a_status(tmp_path):
    png = other_formats(tmp_path)[0]
    items = [b"", b"nonsense", FILES[0][:100], png[:-30], FILES[0], FILES[5], png]
    batch = EncodedBatch.from_encoded(items, max_image_pixels=301)
    expected = [
        Status.CORRUPT,
        Status.CORRUPT,
        Status.TRUNCATED,
        Status.TRUNCATED,
        Status.OK,
        Status.TOO_LARGE,
        Status.OK,
    ]
    assert np.asarray(batch.rows)[:, Row.STATUS].tolist() == expected
    assert [any(size) for size in batch.sizes.tolist()] == [s == Status.OK for s in expected]
    pixels, status = decode(batch, (10, 30), on_error="zeros")
    assert status.tolist() == expected
    assert [bool(image.any()) for image in pixels] == [s == Status.OK for s in expected]


def test_items_may_be_arrays_and_lie_on_any_device():
    device = jax.devices()[3]
    items = [np.frombuffer(file, np.uint8) for file in FILES]
    batch = EncodedBatch.from_encoded(items, device=device)
    assert {leaf.device for leaf in jax.tree.leaves(batch)} == {device}
    pixels = decode(batch)
    assert pixels.device == device
    np.testing.assert_array_equal(pixels, decode(make_batch()))


@pytest.mark.parametrize("item", ["name.jpg", np.zeros(4), np.zeros((2, 2), np.uint8), 3])
def test_items_of_another_type(item):
    with pytest.raises(ConfigError, match=r"item 1 is .*expected the contents of a file"):
        EncodedBatch.from_encoded([FILES[0], item])


@pytest.mark.parametrize(
    "key",
    [
        slice(1, 4),
        slice(None, None, -2),
        slice(4, 4),
        [3, 0, 3],
        np.array([-1, -6]),
        np.array([], int),
        [],
        np.uint8([2]),
        jnp.array([5, 1]),
    ],
    ids=str,
)
def test_picking(key):
    batch = make_batch()
    expected = np.arange(10, 16)[key if isinstance(key, slice) else np.asarray(key, np.int64)]
    picked = batch[key]
    assert heights(picked) == expected.tolist()
    assert picked.bytes is batch.bytes
    assert heights(jax.jit(lambda b: b[key])(batch)) == expected.tolist()
    pixels = np.asarray(decode(picked, (15, 30)))
    np.testing.assert_array_equal(pixels, np.asarray(decode(batch))[expected - 10])


def test_taking_with_traced_indices():
    batch = make_batch()
    program = jax.jit(lambda b, i: (b.take(i).sizes, *decode(b.take(i), (15, 30), on_error="zeros")))
    sizes, pixels, status = program(batch, jnp.array([2, -1, 6, -7]))
    assert sizes[:, 0].tolist() == [12, 15, 0, 0]
    assert status.tolist() == [Status.OK, Status.OK, Status.CORRUPT, Status.CORRUPT]
    np.testing.assert_array_equal(pixels[:2], np.asarray(decode(batch))[[2, 5]])


def test_picking_errors():
    batch = make_batch()
    with pytest.raises(IndexError, match="index 6 is out of range for a batch of 6"):
        batch.take([0, 6])
    with pytest.raises(IndexError, match="index -7 is out of range for a batch of 6"):
        batch[np.array([-7])]
    with pytest.raises(TypeError, match=r"batch\[i:i\+1\]"):
        batch[2]
    with pytest.raises(ConfigError, match=r"vector of integers as indices, got float64\[1\]"):
        batch.take([0.5])
    with pytest.raises(ConfigError, match=r"got int64\[1, 1\]"):
        batch.take([[1]])
    with pytest.raises(ConfigError, match="vector of integers"):
        batch[np.array([True] * 6)]


def test_concatenate():
    first, second = make_batch(), EncodedBatch.from_encoded([pillow_jpeg(25, 12), b"nonsense"])
    parts = [first, second, first[1:3]]
    joined = EncodedBatch.concatenate(parts)
    assert heights(joined) == [10, 11, 12, 13, 14, 15, 25, 0, 11, 12]
    assert joined.bytes.shape == (1, 3 * 65536)
    assert len(EncodedBatch.concatenate([first])) == 6
    for function in (EncodedBatch.concatenate, jax.jit(EncodedBatch.concatenate)):
        pixels, status = decode(function(parts), (25, 30), on_error="zeros")
        assert status.tolist() == [0] * 7 + [Status.CORRUPT] + [0] * 2
        for part, start in ((first, 0), (second, 6), (first[1:3], 8)):
            expected = decode(part, (25, 30), on_error="zeros")[0]
            np.testing.assert_array_equal(pixels[start : start + len(part)], expected)
    with pytest.raises(ConfigError, match="at least one batch"):
        EncodedBatch.concatenate([])


def test_offsets_that_do_not_fit_are_refused():
    huge = EncodedBatch(
        bytes=jax.ShapeDtypeStruct((1, 64 * 2**31), np.uint8),
        rows=jax.ShapeDtypeStruct((1, 8), np.int32),
        sizes=jax.ShapeDtypeStruct((1, 3), np.int32),
    )
    with pytest.raises(ConfigError, match="would start at byte 137438953472"):
        jax.eval_shape(EncodedBatch.concatenate, [huge, huge])
    uneven = dataclasses.replace(huge, bytes=jax.ShapeDtypeStruct((1, 100), np.uint8))
    with pytest.raises(ConfigError, match="expected a multiple of 64"):
        jax.eval_shape(EncodedBatch.concatenate, [uneven, huge])


def test_a_sharded_batch_is_not_reordered():
    mesh = jax.make_mesh((8,), ("data",))
    batch = dataclasses.replace(
        make_batch(), bytes=jnp.zeros((8, 64), np.uint8), sharding=NamedSharding(mesh, P("data"))
    )
    with pytest.raises(ConfigError, match="take would mix the 8 parts of a sharded batch"):
        batch.take([0])
    with pytest.raises(ConfigError, match="slicing would mix the 8 parts"):
        batch[:2]
    with pytest.raises(ConfigError, match="concatenate would mix the 8 parts"):
        EncodedBatch.concatenate([batch])


def test_it_is_a_pytree_with_a_static_sharding():
    batch = make_batch()
    leaves, treedef = jax.tree.flatten(batch)
    assert [leaf.shape for leaf in leaves] == [(1, 65536), (6, 8), (6, 3)]
    sharding = NamedSharding(jax.make_mesh((8,), ("data",)), P("data"))
    other = jax.tree.structure(dataclasses.replace(batch, sharding=sharding))
    assert treedef != other
    assert treedef == jax.tree.structure(batch[:3])
    assert repr(batch).startswith("EncodedBatch(6 files, ")


def test_nothing_retraces_for_other_files_of_the_same_number():
    traces = []

    @jax.jit
    def program(batch):
        traces.append(1)
        return decode(batch, (64, 64))

    for seed in range(3):
        program(EncodedBatch.from_encoded([pillow_jpeg(20 + seed, 30, quality=50 + 10 * seed)]))
    assert len(traces) == 1
