"""The `repr` of images that are not computed yet."""

import jax
import jax.numpy as jnp
from jpeg_files import pillow_jpeg

from jaxdali import EncodedBatch, image


def test_images_are_one_short_line():
    files = image.open(EncodedBatch.from_encoded([pillow_jpeg(8, 9), pillow_jpeg(20, 7)]))
    assert repr(files) == "Images(2 files, sizes of their own, 3 channels, uint8 HWC)"
    small = files.resize(size=(5, 6)).normalize(mean=1.0, std=2.0, dtype=jnp.float32).to_layout("CHW")
    assert repr(small) == "Images(2 files, 5 x 6, 3 channels, float32 CHW)"
    assert (
        repr(image.Images.of(jnp.zeros((4, 3, 2, 1)))) == "Images(4 images of a canvas, 3 x 2, 1 channels, float32 HWC)"
    )


def test_they_do_so_while_they_are_traced():
    texts = []

    def shown(files):
        texts.append(repr(image.open(files)))
        return files.sizes

    jax.eval_shape(shown, EncodedBatch.from_encoded([pillow_jpeg(8, 9)]))
    assert texts == ["Images(1 files, sizes of their own, 3 channels, uint8 HWC)"]
