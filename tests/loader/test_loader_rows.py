"""`Loader(debug_rows=True)`: an `augment` that mixes rows is found before the first batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_pipelines import small_images
from front_sources import Folder, Mapped, Rows, of_lengths
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import jaxdali
from jaxdali import ConfigError, Loader


def mixup(batch, keys):
    share = jaxdali.random.uniform(keys, minval=0.1, maxval=0.9)[:, None]
    return {"x": share * batch + (1 - share) * jnp.roll(batch, 1, axis=0), "y": batch}


MIXES = {
    "mixup": mixup,
    "reversed": lambda batch, keys: {"y": batch, "x": batch + batch[::-1]},
    "pairs": lambda batch, keys: {"y": batch, "x": batch.at[2].add(batch[3])},
    "mean": lambda batch, keys: {"y": batch, "x": batch - batch.mean(axis=0)},
    "keys": lambda batch, keys: {"y": batch, "x": jnp.roll(keys, 1)},
}


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("augment", MIXES.values(), ids=MIXES)
def test_what_mixes_rows_is_named(augment, parts):
    mesh = Mesh(np.array(jax.devices("cpu")[:parts]), ("data",))
    sharding = NamedSharding(mesh, PartitionSpec("data"))
    loader = Loader(Rows(14), augment, batch_size=14, shuffle=True, workers=0, debug_rows=True, sharding=sharding)
    for _ in range(2):
        with pytest.raises(
            ConfigError, match=r"augment mixes the rows of a batch: \['x'\] changed in \d+ of 14 rows, first in row \d+"
        ):
            next(loader.enumerate())
    assert loader.step == 0


def own_rows(batch, keys):
    data, shapes = batch["ids"]
    return {
        "mean": data.mean(axis=1),
        "length": shapes,
        "key": keys,
        "nan": jnp.log(-1.0 - batch["y"]),
        "all": data.sum(),
    }


@pytest.mark.parametrize(("workers", "on_error"), [(0, "raise"), (1, "zeros")])
def test_what_does_not_is_handed_out(workers, on_error):
    for data, augment, ragged in ((Folder(), small_images, ()), (Mapped(of_lengths), own_rows, ["ids"])):
        options = {"batch_size": 4, "workers": workers, "on_error": on_error, "ragged": ragged}
        with Loader(data, augment, **options) as plain, Loader(data, augment, debug_rows=True, **options) as checked:
            for expected, batch, _ in zip(plain, checked, range(2), strict=False):
                assert jax.tree.structure(batch) == jax.tree.structure(expected)
                for one, other in zip(jax.tree.leaves(batch), jax.tree.leaves(expected), strict=True):
                    if not jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
                        np.testing.assert_array_equal(one, other)
            assert checked.stats().batches == plain.stats().batches >= 2


def test_a_first_step_that_fails_is_the_first_to_say_so():
    data = Mapped(lambda i: 2**40 if i == 1 else i)
    steps = Loader(data, lambda batch, keys: batch - batch.mean(), batch_size=4, workers=0, debug_rows=True).enumerate()
    with pytest.raises(jaxdali.SourceDataError, match="do not fit int32"):
        next(steps)
    with pytest.raises(ConfigError, match="augment mixes the rows of a batch: what it returns"):
        next(steps)


@pytest.mark.parametrize(
    ("augment", "batch_size", "words"),
    [
        (None, 4, "checks what augment does, got augment=None"),
        (mixup, 1, "here it sees only one: make batch_size larger"),
    ],
)
def test_refused(augment, batch_size, words):
    with pytest.raises(ConfigError, match=f"debug_rows=True .*{words}"):
        Loader(Rows(8), augment, batch_size=batch_size, debug_rows=True)


@pytest.mark.parametrize("returned", ["images", "a dictionary"])
def test_images_that_are_not_computed_are_named(returned):
    def augment(batch, keys):
        images = jaxdali.image.open(batch["image"]).resize(size=(8, 8))
        return images if returned == "images" else {"pixels": images}

    where = r", as \['pixels'\]" if returned == "a dictionary" else ""
    with pytest.raises(
        ConfigError, match=rf"augment returned images that are not computed yet{where}: call \.array\(\)"
    ):
        Loader(Folder(), augment, batch_size=4)
