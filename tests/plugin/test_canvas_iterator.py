"""Images that keep the sizes of their files: on a canvas of the decoder's own, on one device and on several."""

import front_sources
import jax
import numpy as np
import pytest
from front_sources import SIZES, pixels
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, DecodeError, fingerprint, fn, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator, LastBatchPolicy, data_iterator
from jaxdali.plugin.jax.clu import peekable_data_iterator

P = PartitionSpec
CANVAS = (66, 72)  # images are up to 64 high and 70 wide


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(jax.devices("cpu")[:8]).reshape(2, 2, 2), ("x", "y", "z"))


def files(shard_id=0, num_shards=1):
    """A process's files of global batches of 8."""
    rows = 8 // num_shards
    return fn.external_source(
        lambda info: front_sources.file(info.iteration * 8 + shard_id * rows + info.idx_in_batch), batch=False
    )


def plain(shard_id=0, num_shards=1):
    return {"image": fn.decoders.image(files(shard_id, num_shards), canvas=CANVAS)}


def augmented(shard_id=0, num_shards=1):
    images = fn.decoders.image_random_crop(files(shard_id, num_shards), canvas=CANVAS, random_area=(0.3, 0.9))
    images = fn.brightness_contrast(images, contrast=fn.random.uniform(range=(0.5, 2.0)))
    return {
        "image": fn.flip(images, horizontal=fn.random.coin_flip()),
        "normal": fn.crop_mirror_normalize(images, mean=100.0, std=50.0),
        "small": fn.resize(images, size=(6, 5)),
    }


def iterate(graph, **arguments):
    return data_iterator(graph, size=16, **arguments)(batch_size=8, seed=3)


@pytest.fixture(scope="module")
def alone():
    batches = {graph: list(iterate(graph)) for graph in (plain, augmented)}
    assert [len(found) for found in batches.values()] == [2, 2]
    return batches


def test_on_one_device_each_image_lies_in_the_corner(alone):
    for step, batch in enumerate(alone[plain]):
        images, extents = batch["image"]
        assert images.shape == (8, *CANVAS, 3) and images.dtype == np.uint8 and extents.dtype == np.int32
        for row in range(8):
            index = 8 * step + row
            expected = np.zeros((*CANVAS, 3), np.uint8)
            height, width = SIZES[index % len(SIZES)]
            expected[:height, :width] = pixels(index)
            assert extents[row].tolist() == [height, width, 3]
            np.testing.assert_array_equal(images[row], expected)


@pytest.mark.parametrize(
    ("graph", "spec"), [(plain, P("x")), (plain, P(("x", "y", "z"))), (plain, P("z", None, "y")), (augmented, P("y"))]
)
def test_shards_are_those_of_one_device(mesh, alone, graph, spec):
    names = list(alone[graph][0])
    sharding = {name: NamedSharding(mesh, spec if name == "image" else P(*spec[:1])) for name in names}
    batches = list(iterate(graph, sharding=sharding))
    assert [fingerprint(batch) for batch in batches] == [fingerprint(batch) for batch in alone[graph]]
    for batch, expected in zip(batches, alone[graph], strict=True):
        jax.tree.map(np.testing.assert_array_equal, batch, expected)
        images, extents = batch["image"]
        assert images.sharding == sharding["image"] and extents.sharding == NamedSharding(mesh, P(*spec[:1]))


def test_programs_take_pairs(mesh):
    batch = next(iterate(plain, sharding=NamedSharding(mesh, P("x"))))

    @jax.jit
    def mean(images, extents):
        return images.sum(axis=(1, 2, 3)) / extents.prod(axis=1)

    expected = [pixels(index).mean() for index in range(8)]
    np.testing.assert_allclose(mean(*batch["image"]), expected, rtol=1e-5)


def test_devices_make_an_axis_for_pmap(alone):
    batch = next(iterate(plain, devices=jax.devices("cpu")[:2]))
    images, extents = batch["image"]
    assert images.shape == (2, 4, *CANVAS, 3) and extents.shape == (2, 4, 3)
    rows = jax.tree.map(lambda array: np.asarray(array).reshape(8, *array.shape[2:]), batch)
    jax.tree.map(np.testing.assert_array_equal, rows, jax.device_get(alone[plain][0]))


@pytest.mark.parametrize(
    ("graph", "decoder"),
    [
        (lambda jpegs: fn.decoders.image(jpegs), "image"),
        (lambda jpegs: fn.decoders.image_random_crop(jpegs), "image_random_crop"),
        (lambda jpegs: fn.flip(fn.brightness_contrast(fn.decoders.image(jpegs))), "image"),
        (lambda jpegs: fn.crop_mirror_normalize(fn.decoders.image(jpegs), mirror=fn.random.coin_flip()), "image"),
    ],
)
@pytest.mark.parametrize("form", ["sharding", "devices"])
def test_several_devices_want_a_canvas_and_say_so_before_anything_runs(mesh, graph, decoder, form):
    def mine(shard_id, num_shards):
        jpegs = fn.external_source(never, batch=False)
        return {"size": fn.random.uniform(), "ragged": graph(jpegs)}

    def never(info):
        raise AssertionError("a sample was asked for")

    given = {"sharding": NamedSharding(mesh, P("x"))} if form == "sharding" else {"devices": jax.devices("cpu")[:2]}
    words = (
        rf"output 'ragged' is ragged.*fn.decoders.{decoder}, defined at .*{__file__}:\d+.*fn.resize.*canvas=\(height"
    )
    with pytest.raises(ConfigError, match=words):
        iterate(mine, **given)


def test_what_has_one_size_needs_none(mesh):
    def mine(shard_id, num_shards):
        images = fn.decoders.image(files(shard_id, num_shards))
        return {
            "a": fn.resize(images, size=(4, 5)),
            "b": fn.crop_mirror_normalize(images, crop=(6, 7)),
            "c": fn.crop(images, crop=(3, 3)),
            "d": fn.flip(fn.random_resized_crop(images, size=(2, 3))),
            "e": fn.crop_mirror_normalize(fn.resize(images, size=(4, 4))),
        }

    # Other tests check the results; here nothing is compiled.
    assert len(iterate(mine, sharding=NamedSharding(mesh, P("x")), prepare_first_batch=False)) == 2


def test_arguments_that_limit_both_axes_make_a_canvas(mesh):
    def longer(shard_id, num_shards):
        return {"image": fn.resize(fn.decoders.image(files(shard_id, num_shards)), resize_longer=20)}

    def shorter(shard_id, num_shards):
        return {"image": fn.flip(fn.resize(fn.decoders.image(files(shard_id, num_shards)), resize_shorter=20))}

    sharding = NamedSharding(mesh, P("x"))
    images, extents = next(iterate(longer, sharding=sharding))["image"]
    assert images.shape == (8, 20, 20, 3) and images.sharding == sharding
    for row, (height, width) in enumerate(SIZES[index % len(SIZES)] for index in range(8)):
        rounded = [int(extent * 20 / max(height, width) + 0.5) for extent in (height, width)]
        assert extents[row].tolist() == [*rounded, 3]
        assert np.asarray(images[row, : rounded[0], : rounded[1]]).any(axis=2).mean() > 0.5
        assert not np.asarray(images[row, rounded[0] :]).any() and not np.asarray(images[row, :, rounded[1] :]).any()
    with pytest.raises(ConfigError, match="or give max_size= where they are resized"):
        iterate(shorter, sharding=sharding)


def test_outputs_that_are_left_out_may_be_ragged(mesh):
    def mine(shard_id, num_shards):
        return fn.random.uniform(range=(0.0, 1.0)), fn.decoders.image(files(shard_id, num_shards))

    with pytest.warns(UserWarning, match="without output 1"):
        batch = next(iterate(mine, output_map=["number"], sharding=NamedSharding(mesh, P("x"))))
    assert batch["number"].shape == (8,)


LARGER = [index for index in range(8) if SIZES[index % len(SIZES)][0] > 60 or SIZES[index % len(SIZES)][1] > 60]


def test_an_image_that_does_not_fit_is_bad_data(mesh):
    def mine(shard_id, num_shards):
        images = fn.decoders.image(files(shard_id, num_shards), canvas=(60, 60))
        return {"image": images, "small": fn.resize(images, size=(4, 4))}

    sharding = NamedSharding(mesh, P("x"))
    with pytest.raises(DecodeError, match=r"TOO_LARGE.*canvas=.*sample 0"):
        next(iterate(mine, sharding=sharding))
    iterator = iterate(mine, sharding=sharding, on_error="zeros")
    batch = jax.device_get(next(iterator))
    images, extents = batch["image"]
    bad = [row for row in range(8) if not images[row].any()]
    assert bad == LARGER == [row for row in range(8) if not batch["small"][row].any()]
    assert (extents <= [60, 60, 3]).all() and extents[1].tolist() == [40, 31, 3]
    assert sum(pipe.stats().images_failed.get("TOO_LARGE", 0) for pipe in iterator._pipes) >= len(LARGER)


def test_one_file_may_be_decoded_with_and_without_a_canvas():
    @pipeline_def(batch_size=4, seed=3)
    def mine():
        jpegs = files()
        return fn.decoders.image(jpegs), fn.decoders.image(jpegs, canvas=CANVAS)

    with mine() as pipe:
        one, other = pipe.run()
        for row in range(4):
            np.testing.assert_array_equal(one.at(row), pixels(row))
            np.testing.assert_array_equal(other.at(row), pixels(row))


class Listed:
    """A sampler-like list of five files."""

    def __len__(self):
        return 5

    def __call__(self, info):
        return front_sources.file(info.idx_in_epoch)


@pytest.mark.parametrize(("policy", "rows"), [(LastBatchPolicy.FILL, 4), (LastBatchPolicy.PARTIAL, 1)])
def test_last_batches(policy, rows):
    @pipeline_def(batch_size=4)
    def mine():
        return fn.decoders.image(fn.external_source(Listed(), batch=False), canvas=CANVAS)

    *_, last = DALIGenericIterator(mine(), ["image"], last_batch_policy=policy)
    images, extents = last["image"]
    assert images.shape == (rows, *CANVAS, 3) and extents.tolist() == [[*SIZES[4], 3]] * rows
    np.testing.assert_array_equal(images, np.repeat(images[:1], rows, axis=0))


def test_a_peekable_iterator_promises_both():
    iterator = peekable_data_iterator(plain, size=16)(batch_size=8)
    images, extents = iterator.element_spec["image"]
    assert (images.shape, extents.shape) == ((8, *CANVAS, 3), (8, 3))
    assert len(list(iterator)) == 2


@pytest.mark.parametrize(
    ("canvas", "options", "words"),
    [
        ((0, 4), {}, r"height of fn.decoders.image\(canvas=\) must be an integer, at least 1, got 0"),
        ((4, 4.5), {}, r"width of fn.decoders.image\(canvas=\) must be an integer"),
        (4, {}, r"fn.decoders.image\(canvas=\) must be \(height, width\), got 4"),
        ((1, 2, 3), {}, r"must be \(height, width\)"),
        ((100, 100), {"max_canvas_bytes": 239_999}, "takes 240000 bytes for a batch of 8, max_canvas_bytes is 239999"),
    ],
)
def test_refused(canvas, options, words):
    @pipeline_def(batch_size=8, **options)
    def mine():
        return fn.decoders.image(files(), canvas=canvas)

    with pytest.raises(ConfigError, match=words):
        mine().build()
