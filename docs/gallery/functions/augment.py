"""Examples of functions of `jaxdali.augment`, and of those of `jaxdali.random` that mix or cut images."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import jaxdali
from jaxdali import augment, image
from ..example import Group
from ..kits import ARRAYS
from ..pictures import images as of_images
from ..pictures import whole_batches

AUGMENT = Group("Random augmentation", ARRAYS, whole_batches)
MIXING = Group("Mixing and cutting", ARRAYS, whole_batches)
_SAME = "uint8 (2, 240, 320, 3)"


@AUGMENT("augment.rand_augment", _SAME)
def rand_augment(images, keys):
    """Two augmentations of the magnitude 15 of 30 for each image."""
    return augment.rand_augment(images, keys, n=2, m=15)


@AUGMENT("augment.trivial_augment_wide", _SAME)
def trivial_augment_wide(images, keys):
    """One augmentation for each image, of any magnitude."""
    return augment.trivial_augment_wide(images, keys)


@AUGMENT("augment.auto_augment", _SAME)
def auto_augment(images, keys):
    """A sub-policy of the policy for ImageNet for each image."""
    return augment.auto_augment(images, keys, "image_net")


@AUGMENT("augment.color_jitter", _SAME)
def color_jitter(images, keys):
    """Strong factors, in an order that is drawn, too."""
    return augment.color_jitter(
        images, keys, brightness=0.5, contrast=0.5, saturation=0.8, hue=0.3
    )


@AUGMENT("augment.random_erasing", _SAME)
def random_erasing(images, keys):
    """A rectangle of every image is filled with noise; by default with zeros, of half of them."""
    return augment.random_erasing(
        images, keys, probability=1.0, area=(0.1, 0.3), value="random"
    )


@MIXING("random.mixup", "float32 (2, 240, 320, 3)", "float32 (2, 2)")
def mixup(images, keys):
    """Each image is blended with another one of the batch, and so are the labels."""
    return jaxdali.random.mixup(keys[0], images / 255.0, jnp.eye(2), alpha=2.0)


@MIXING("random.cutmix", "float32 (2, 240, 320, 3)", "float32 (2, 2)")
def cutmix(images, keys):
    """A rectangle comes from another image of the batch; labels are mixed by its area."""
    return jaxdali.random.cutmix(keys[0], images / 255.0, jnp.eye(2))


@MIXING("random.resized_crop_window", "uint8 (2, 160, 160, 3)", drawing=of_images)
def resized_crop_window(images, keys):
    """The window of training on ImageNet, drawn from one key a sample."""
    windows = jaxdali.random.resized_crop_window(
        keys, np.int32([[240, 320, 3]] * 2), area=(0.1, 0.5)
    )
    return image.open(images).resized_crop(windows, (160, 160)).array()
