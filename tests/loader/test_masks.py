"""Masks next to images: the indices of palettes, depth of 16 bits and alpha, with windows that both share."""

import io

import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import FILES, SIZES, Mapped
from PIL import Image

import jaxdali
from jaxdali import ConfigError, Loader

CLASSES = (0, 7, 20)


def classes(index):
    rng = np.random.default_rng(index)
    return rng.choice(np.uint8(CLASSES), SIZES[index % len(SIZES)])


def png(pixels, palette=None):
    image = Image.fromarray(pixels)
    if palette is not None:
        image.putpalette(palette)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def augment(batch, keys):
    for_window, for_flip = jaxdali.random.split(keys, 2)
    image = jaxdali.image.open(batch["image"])
    window = jaxdali.random.resized_crop_window(for_window, image.extents)
    flip = jaxdali.random.coin_flip(for_flip)
    views = [image, jaxdali.image.open(batch["mask"], color="GRAY"), jaxdali.image.open(batch["gray"], color="GRAY")]
    filters = ["linear", "nearest", "nearest"]
    pairs = zip(views, filters, strict=True)
    views = [view.resized_crop(window, (24, 32), filter=filter).flip(horizontal=flip).array() for view, filter in pairs]
    return dict(zip(("image", "mask", "gray"), views, strict=True))


def test_indices_and_pixels_share_a_window():
    palette = np.random.default_rng(0).integers(0, 256, 768, np.uint8).tobytes()

    def sample(index):
        mask = classes(index)
        return {"image": FILES[index % len(FILES)], "mask": png(mask, palette), "gray": png(mask)}

    batch = next(iter(Loader(Mapped(sample), augment, batch_size=6, workers=0, indexed=["mask"])))
    assert batch["image"].shape == (6, 24, 32, 3) and batch["mask"].shape == (6, 24, 32, 1)
    np.testing.assert_array_equal(batch["mask"], batch["gray"])
    assert np.unique(batch["mask"]).tolist() == list(CLASSES)
    with pytest.warns(UserWarning, match="a PNG with a palette"):
        colours = next(iter(Loader(Mapped(sample), augment, batch_size=6, workers=0)))["mask"]
    assert not np.array_equal(colours, batch["gray"]), "without indexed= a palette is looked up"


def test_depth_and_alpha_keep_what_the_files_have():
    def sample(index):
        rng = np.random.default_rng(index)
        depth, rgba = rng.integers(0, 1 << 16, (9, 8), np.uint16), rng.integers(0, 256, (9, 8, 4), np.uint8)
        return {"depth": png(depth), "rgba": png(rgba), "expected": {"depth": depth, "rgba": rgba}}

    def whole(batch, keys):
        depth = jaxdali.image.open(batch["depth"], color="GRAY", dtype=jnp.uint16).array((9, 8))
        rgba = jaxdali.image.open(batch["rgba"], color="ANY", channels=4).array((9, 8))
        return {"depth": depth[..., 0], "rgba": rgba}, batch["expected"]

    found, expected = next(iter(Loader(Mapped(sample), whole, batch_size=4, workers=0)))
    for name in found:
        np.testing.assert_array_equal(found[name], expected[name])


def test_only_files_are_indexed():
    for wrong in ("y", "mask"):
        with pytest.raises(
            ConfigError, match=f"indexed names '{wrong}', but samples have no such file; they have: 'image'"
        ):
            Loader(Mapped(lambda i: {"image": FILES[0], "y": i}), batch_size=4, indexed=[wrong])
