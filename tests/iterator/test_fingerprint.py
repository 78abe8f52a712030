"""`jaxdali.fingerprint`: the same for a global batch however it is spread, different for any other batch."""

import itertools

import front_sources
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_pipelines import small_images
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding
from jpeg_files import pillow_jpeg

from jaxdali import EncodedBatch, Loader, fingerprint, fn
from jaxdali.errors import ConfigTypeError
from jaxdali.plugin.jax import data_iterator

P = PartitionSpec
TYPES = ["uint8", "int8", "bool", "int16", "float16", "bfloat16", "int32", "uint32", "float32", "complex64", "int4"]
WIDE = ["int64", "float64", "complex128"]


def devices(count):
    return jax.devices("cpu")[:count]


def grid(kind=AxisType.Auto):
    return Mesh(np.array(devices(8)).reshape(2, 2, 2), ("x", "y", "z"), axis_types=(kind,) * 3)


def values(dtype, shape=(8, 6, 4)):
    bits = np.random.default_rng(3).integers(-8, 8, (*shape, 2))
    real = bits[..., 0] / 2 if jnp.issubdtype(dtype, jnp.inexact) else bits[..., 0]
    if jnp.issubdtype(dtype, jnp.complexfloating):
        return (real + 1j * bits[..., 1]).astype(dtype)
    return real.astype(np.int64 if not jnp.issubdtype(dtype, jnp.inexact) else np.float64).astype(jnp.dtype(dtype))


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("spec", [P("x"), P(("z", "x")), P(None, "y"), P("y", None, "x"), P()], ids=str)
def test_no_sharding_changes_it(spec, kind):
    batch = {"image": values("uint8"), "label": values("int32", (8,)) if len(spec) < 2 else values("int32")}
    sharded = jax.device_put(batch, NamedSharding(grid(kind), spec))
    assert fingerprint(sharded) == fingerprint(batch) == fingerprint(jax.device_put(batch, devices(4)[3]))


@pytest.mark.parametrize("dtype", [*TYPES, *WIDE])
def test_every_type(dtype):
    with jax.enable_x64(dtype in WIDE):
        host = values(dtype)
        found = fingerprint(host)
        cut = jax.device_put(host, NamedSharding(grid(), P("x", "y")))
        assert cut.dtype == host.dtype and fingerprint(cut) == found
        swapped = host.copy()
        swapped[[0, 5]] = host[[5, 0]]
        assert fingerprint(swapped) != found
        last = host.copy()
        last[-1, -1, -1] = 0 if host[-1, -1, -1] else 1
        assert fingerprint(last) != found
        assert fingerprint(np.ones((8, 6, 4), dtype)) != fingerprint(np.ones((8, 6, 4), np.uint16))


def test_typed_keys():
    keys = jax.random.split(jax.random.key(3, impl="threefry2x32"), 8)
    cut = jax.device_put(keys, NamedSharding(grid(), P("y")))
    assert fingerprint(cut) == fingerprint(keys) != fingerprint(keys[::-1])
    assert fingerprint(keys) != fingerprint(jax.random.key_data(keys))


def _as_jax(array):
    return array if array.dtype == object else jnp.asarray(array)


def test_whatever_differs_shows():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    negative = np.where(x == 0, np.float32(-0.0), x)
    nan = np.full((), np.nan, np.float32)
    batches = [
        {"a": x},
        {"b": x},
        x,
        x.T,
        x.reshape(2, 12),
        x.ravel(),
        negative,
        x[::-1],
        x[:, ::-1],
        x.astype(np.int32),
        (x, x[:0]),
        x[:0],
        {},
        nan,
        np.zeros((), np.float32),
        np.zeros(1, np.float32),
        np.zeros(2, np.float32),
        np.array(["a", "b"], object),
        np.array(["b", "a"], object),
        np.array([b"a", "b"], object),
    ]
    found = [fingerprint(batch) for batch in batches]
    assert len(set(found)) == len(batches)
    assert found == [fingerprint(jax.tree.map(_as_jax, batch)) for batch in batches]
    assert all(len(text) == 16 and int(text, 16) >= 0 for text in found)


def test_no_two_elements_may_change_places():
    x = np.arange(30, dtype=np.uint8).reshape(2, 3, 5)
    found = {fingerprint(x)}
    for one, two in itertools.combinations(range(12), 2):
        swapped = x.copy()
        swapped.flat[[one, two]] = x.flat[[two, one]]
        found.add(fingerprint(swapped))
    assert len(found) == 1 + 12 * 11 // 2


def test_it_can_be_written_down():
    """The number must compare equal on another day, machine and version."""
    batch = {"x": np.arange(12, dtype=np.float32).reshape(3, 4), "y": np.array([True, False])}
    assert fingerprint(batch) == "f930477eb860a2ed"


@pytest.mark.parametrize(
    "context",
    [
        lambda: jax.set_mesh(jax.make_mesh((8,), ("data",))),
        lambda: jax.default_device(devices(4)[3]),
        lambda: jax.transfer_guard("disallow"),
        lambda: jax.numpy_rank_promotion("raise"),
        lambda: jax.numpy_dtype_promotion("strict"),
    ],
)
def test_what_users_set_changes_nothing(context):
    batch = {"x": jax.device_put(values("bfloat16"), NamedSharding(grid(), P("x"))), "y": jnp.ones(3)}
    batch["z"] = jax.device_put(jnp.ones(3), SingleDeviceSharding(devices(3)[2]))
    batch["host"] = np.arange(3, dtype=np.int32)
    expected = fingerprint(batch)
    with context():
        assert fingerprint(batch) == expected


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: {"a": 3}, r"leaf \['a'\] is int"),
        (lambda: "x", "the batch is str"),
        (lambda: np.arange(3), "is int64; convert it, or set jax_enable_x64"),
        (lambda: np.array(["x"]), "expects types that JAX has"),
        (lambda: [EncodedBatch.from_encoded([pillow_jpeg(8, 8)])], r"leaf \[0\] is an EncodedBatch"),
        (lambda: jax.jit(lambda x: fingerprint(x))(jnp.ones(3)), "outside of jit"),
    ],
)
def test_refused(make, words):
    with pytest.raises(ConfigTypeError, match=words):
        fingerprint(make())


# WHAT COMES OUT OF LOADERS AND ITERATORS ------------------------------------------------------------------------------

LOADER = {"batch_size": 8, "shuffle": True, "seed": 3, "epochs": 3}


def sharding_over(count):
    return NamedSharding(Mesh(np.array(devices(count)), ("data",)), P("data")) if count > 1 else None


def of_loader(count, workers):
    with Loader(
        front_sources.Folder(), small_images, sharding=sharding_over(count), workers=workers, **LOADER
    ) as loader:
        return [fingerprint(batch) for batch in loader]


@pytest.fixture(scope="module")
def loaded():
    return of_loader(1, 0)


@pytest.mark.parametrize(("count", "workers"), [(1, 1), (2, 0), (4, 2), (8, 4), (1, 8)])
def test_a_loader_on_any_devices_with_any_workers(loaded, count, workers):
    assert of_loader(count, workers) == loaded and len(set(loaded)) == 6


def augment(jpegs):
    images = fn.decoders.image(jpegs, device="mixed")
    images = fn.resize(images, size=(8, 8))
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip())


def of_source(count, workers):
    """Returns the fingerprints of an iterator over a source that gives each shard its rows of the global batch."""

    def mine(shard_id=0, num_shards=1):
        rows = 8 // num_shards

        def sample(info):
            index = info.iteration * 8 + shard_id * rows + info.idx_in_batch
            return front_sources.file(index), front_sources.label(index), info.rng.random(2, np.float32)

        jpegs, labels, numbers = fn.external_source(sample, num_outputs=3, batch=False, parallel=workers > 0)
        return {"image": augment(jpegs), "label": labels, "number": numbers}

    made = data_iterator(mine, size=24, sharding=sharding_over(count), auto_reset=True)
    iterator = made(batch_size=8, seed=5, py_num_workers=workers)
    found = [fingerprint(batch) for _ in range(2) for batch in iterator]
    for pipe in iterator._pipes:
        pipe.close()
    return found


@pytest.fixture(scope="module")
def iterated():
    return of_source(1, 0)


@pytest.mark.parametrize(("count", "workers"), [(1, 8), (2, 1), (4, 2), (8, 0)])
def test_an_iterator_on_any_devices_with_any_workers(iterated, count, workers):
    assert of_source(count, workers) == iterated and len(set(iterated)) == 6


def of_reader(folder, count, workers):
    """Returns the fingerprint of an iterator's epoch over a reader, sorted by label: a shard is a part of the data."""

    @data_iterator(reader_name="reader", sharding=sharding_over(count))
    def mine(shard_id=0, num_shards=1):
        jpegs, labels = fn.readers.file(
            file_root=str(folder), name="reader", shard_id=shard_id, num_shards=num_shards, random_shuffle=True
        )
        return {"image": augment(jpegs), "label": labels}

    batches = [jax.device_get(batch) for batch in mine(batch_size=8, seed=5, py_num_workers=workers)]
    epoch = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    order = np.argsort(epoch["label"][:, 0])
    return fingerprint({name: rows[order] for name, rows in epoch.items()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for index in range(16):
        (folder / f"{index:02}").mkdir()
        (folder / f"{index:02}" / "a.jpg").write_bytes(front_sources.FILES[index % len(front_sources.FILES)])
    return folder


def test_a_reader_on_any_devices_with_any_workers(folder):
    assert len({of_reader(folder, count, workers) for count, workers in [(1, 4), (2, 0), (4, 1)]}) == 1
