"""A Loader's errors for users of other loaders, and its notes on errors of JAX that say little."""

import io
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, PartitionSpec
from PIL import Image

from jaxdali import ConfigError, Loader, random, source
from jaxdali.errors import ConfigTypeError

X = np.arange(24, dtype=np.float32).reshape(8, 3)
DATA = source.Arrays(x=X)


def of(augment=None, **options):
    return Loader(DATA, augment, batch_size=4, **options)


REFUSED = {
    "batch_size by place": (lambda: Loader(DATA, None, 8), TypeError, "Loader(data, augment, batch_size=32)"),
    "batch_size for augment": (lambda: Loader(DATA, 8), TypeError, "batch_size= must be given by name"),
    "nothing": (lambda: Loader(), TypeError, "a Loader expects data and batch_size="),
    "pad_to": (lambda: of(pad_to=16), TypeError, "ragged={'ids': 512}"),
    "key": (lambda: of(key=1), TypeError, "did you mean seed=?"),
    "augment of one": (lambda: of(lambda batch: batch), ConfigTypeError, "augment is called with (batch, keys)"),
    "mix of one": (lambda: of(mix=lambda batch: batch), ConfigTypeError, "mix is called with (batch, key)"),
    "mesh": (
        lambda: of(sharding=Mesh(np.array(jax.devices()), "d")),
        ConfigError,
        "NamedSharding(mesh, PartitionSpec(",
    ),
    "spec": (lambda: of(sharding=PartitionSpec("d")), ConfigError, "NamedSharding(mesh, PartitionSpec("),
    "a platform": (lambda: of(device="cpu"), ConfigError, "a jax.Device, such as jax.devices()[0]"),
    "how many": (lambda: of(devices=2), ConfigError, "such as jax.local_devices()[:2]"),
    "unnamed arrays": (lambda: source.Arrays(X, X), ConfigTypeError, "Arrays(x=X, y=Y)"),
    "a dict of arrays": (lambda: source.Arrays({"x": X}), ConfigTypeError, "Arrays(**arrays)"),
    "a list of sources": (lambda: source.mix([DATA, DATA], weights=[1, 1]), ConfigError, "mix(*sources)"),
    "a function": (
        lambda: source.subset(lambda: DATA, [0]),
        ConfigError,
        "got function; list(...) makes such a source",
    ),
    "one key": (lambda: random.uniform(jax.random.key(0)), ConfigError, "without jax.vmap; one key is key[None]"),
    "function first": (lambda: source.map(len, DATA), ConfigError, "map(data, function)"),
    "shuffle": (lambda: source.shuffle(DATA), AttributeError, "Loader(..., shuffle=True)"),  # pyright: ignore
    "state_dict": (lambda: of().state_dict(), AttributeError, "did you mean loader.get_state()?"),
    "a slip": (lambda: of().steps_per_epok, AttributeError, "'Loader' object has no attribute 'steps_per_epok'"),
}


@pytest.mark.parametrize(("call", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_the_right_call_is_named(call, error, words):
    with pytest.raises(error, match=re.escape(words)):
        call()


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({"augment": lambda batch, keys: np.sort(np.array(batch["x"]))}, "use jax.numpy"),
        ({"augment": lambda batch, keys: batch["x"] if batch["x"].sum() > 0 else -batch["x"]}, "jnp.where for if"),
        ({"augment": lambda batch, keys: batch["image"]}, "leaves 'x'"),
        ({"augment": lambda batch, keys: jax.random.uniform(keys, (4, 3))}, "jaxdali.random.uniform(keys)"),
        ({"augment": lambda key, batch: {"x": batch["x"]}}, "the batch comes first: augment(batch, keys)"),
        ({"augment": lambda batch, keys: batch["x"][batch["x"].sum(1) > 3]}, "a condition cannot choose rows"),
        ({"augment": lambda batch, keys: jnp.zeros(batch["x"].astype(int)[0, 0])}, "augment is traced by JAX"),
        ({"augment": lambda x, other: {"x": other + 1}}, "the second argument of augment(batch, keys) is not data"),
        ({"augment": lambda x, other: jax.nn.one_hot(other, 9)}, "draw numbers from typed keys"),
        ({"mix": lambda key, batch: {"x": batch["x"]}}, "the batch comes first: mix(batch, key)"),
        ({"mix": lambda batch, key: np.sort(np.array(batch["x"]))}, "mix is traced by JAX"),
        ({"mix": lambda batch, key: batch["image"]}, "mix was given a batch with the leaves 'x'"),
    ],
    ids=[
        *("NumPy", "if", "leaf", "keys", "keys first", "rows", "shape", "keys as data", "keys as labels"),
        *("key first", "NumPy in mix", "leaf of mix"),
    ],
)
def test_notes_of_what_jax_says(functions, words):
    with pytest.raises(Exception) as raised:
        of(**functions)
    assert sum(words in note for note in raised.value.__notes__) == 1


def test_samples_that_are_tuples_are_one_argument():
    pairs = [(np.zeros(3, np.float32), np.int32(k)) for k in range(8)]
    with pytest.warns(UserWarning, match=r"augment\(x, y\) gets the keys.* Samples are tuples of 2 here"):
        Loader(pairs, lambda x, y: {"x": x, "y": y}, batch_size=4)
    with pytest.raises(TypeError) as raised:
        Loader(pairs, lambda batch, keys: batch["x"], batch_size=4)
    assert any("first, second = batch" in note for note in raised.value.__notes__)
    Loader(pairs, lambda x, key: (*x, key), batch_size=4)
    Loader([{"x": x, "y": y} for x, y in pairs], lambda x, y: x, batch_size=4)


def test_numbers_that_come_twice_are_warned_of():
    def twice(batch, keys):
        return random.uniform(keys, minval=0.8, maxval=1.2), random.uniform(keys, minval=0.5, maxval=1.5)

    def once(batch, keys):
        one, two = random.split(keys, 2)
        return (
            random.uniform(one),
            random.uniform(two),
            random.normal(keys),
            random.coin_flip(keys),
            random.coin_flip(keys),
        )

    with pytest.warns(UserWarning, match="jaxdali.random.uniform 2 times with the same keys"):
        of(twice)
    of(once)


def test_a_draw_of_the_shape_of_the_batch_is_warned_of():
    with pytest.warns(UserWarning, match=r"uniform\(keys, \(4, 3\)\), .* draw \(4, 4, 3\).*leave .* out: \(3,\)$"):
        of(lambda batch, keys: batch["x"] + random.uniform(keys, batch["x"].shape))
    of(lambda batch, keys: (batch["x"] + random.uniform(keys, 3), random.normal(keys, (4, 2)), random.beta(keys, 1, 1)))


def test_what_takes_two_and_more_is_called():
    def augment(batch, keys, scale=2.0):
        return {"x": batch["x"] * scale}

    class Model:
        def __call__(self, *args):
            return args[0]

    assert float(next(iter(of(augment)))["x"].sum()) == 2 * X[:4].sum()
    assert next(iter(of(Model())))["x"].shape == (4, 3)
    assert next(iter(of(jax.jit(augment))))["x"].shape == (4, 3)


def _file(mode: str) -> bytes:
    stream, image = io.BytesIO(), Image.fromarray(np.arange(64, dtype=np.uint8).reshape(8, 8) % 5).convert(mode)
    image.save(stream, "PNG")
    return stream.getvalue()


def test_masks_with_a_palette_are_warned_of():
    samples = [{"image": _file("RGB"), "mask": _file("P")}] * 4
    with pytest.warns(UserWarning, match=re.escape("Loader(..., indexed=('mask',))")) as warned:
        Loader(samples, batch_size=4, workers=0)
    assert len(warned) == 1 and warned[0].filename == __file__
    Loader(samples, batch_size=4, workers=0, indexed=("mask",))  # any warning is an error
    Loader([{"image": _file("P")}] * 4, batch_size=4, workers=0)
    Loader([{"image": _file("RGB"), "mask": _file("L")}] * 4, batch_size=4, workers=0)
