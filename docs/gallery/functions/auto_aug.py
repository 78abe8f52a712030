"""Examples of `jaxdali.auto_aug`: automatic augmentation in pipelines, and each of its augmentations."""

from __future__ import annotations

from jaxdali.auto_aug import augmentations, auto_augment, rand_augment, trivial_augment
from ..example import Group
from ..kits import PHOTOS
from ..pictures import images as of_images
from ..pictures import whole_batches

POLICIES = Group("Policies", PHOTOS, whole_batches)
AUGMENTATIONS = Group("Single augmentations", PHOTOS, of_images)
_SAME = "UINT8 (240, 320, 3) HWC"


@POLICIES("auto_aug.rand_augment.rand_augment", _SAME)
def rand(images):
    """Two augmentations of the magnitude 20 of 30 for each image."""
    return rand_augment.rand_augment(images, n=2, m=20)


@POLICIES("auto_aug.trivial_augment.trivial_augment_wide", _SAME)
def trivial(images):
    """One augmentation for each image, of any magnitude."""
    return trivial_augment.trivial_augment_wide(images)


@POLICIES("auto_aug.auto_augment.auto_augment", _SAME)
def auto(images):
    """A sub-policy of the policy for ImageNet for each image."""
    return auto_augment.auto_augment(images, "image_net", shape=(240, 320))


@AUGMENTATIONS("auto_aug.augmentations.shear_x", _SAME)
def shear_x(images):
    """Rows move to the side, by up to 0.3 pixels for each row."""
    return augmentations.shear_x(images, magnitude_bin=24, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.shear_y", _SAME)
def shear_y(images):
    """Columns move up or down, by up to 0.3 pixels for each column."""
    return augmentations.shear_y(images, magnitude_bin=24, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.translate_x", _SAME)
def translate_x(images):
    """A part of the width to the side; it needs `shape`."""
    return augmentations.translate_x(
        images, magnitude_bin=10, num_magnitude_bins=31, shape=(240, 320)
    )


@AUGMENTATIONS("auto_aug.augmentations.translate_y", _SAME)
def translate_y(images):
    """A part of the height up or down; it needs `shape`."""
    return augmentations.translate_y(
        images, magnitude_bin=10, num_magnitude_bins=31, shape=(240, 320)
    )


@AUGMENTATIONS("auto_aug.augmentations.translate_x_no_shape", _SAME)
def translate_x_no_shape(images):
    """Pixels to the side, up to 250."""
    return augmentations.translate_x_no_shape(
        images, magnitude_bin=10, num_magnitude_bins=31
    )


@AUGMENTATIONS("auto_aug.augmentations.translate_y_no_shape", _SAME)
def translate_y_no_shape(images):
    """Pixels up or down, up to 250."""
    return augmentations.translate_y_no_shape(
        images, magnitude_bin=10, num_magnitude_bins=31
    )


@AUGMENTATIONS("auto_aug.augmentations.rotate", _SAME)
def rotate(images):
    """Up to 30 degrees."""
    return augmentations.rotate(images, magnitude_bin=24, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.brightness", _SAME)
def brightness(images):
    """Levels times 0.1 to 1.9."""
    return augmentations.brightness(images, magnitude_bin=24, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.contrast", _SAME)
def contrast(images):
    """Levels nearer to their mean, or further away from it."""
    return augmentations.contrast(images, magnitude_bin=24, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.color", _SAME)
def color(images):
    """Less saturation, or more."""
    return augmentations.color(images, magnitude_bin=30, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.sharpness", _SAME)
def sharpness(images):
    """Blurred, or sharpened."""
    return augmentations.sharpness(images, magnitude_bin=30, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.posterize", _SAME)
def posterize(images):
    """Only the upper bits of each level are left."""
    return augmentations.posterize(images, magnitude_bin=15, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.solarize", _SAME)
def solarize(images):
    """Levels above a threshold are inverted."""
    return augmentations.solarize(images, magnitude_bin=15, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.solarize_add", _SAME)
def solarize_add(images):
    """Levels below 128 become brighter."""
    return augmentations.solarize_add(images, magnitude_bin=30, num_magnitude_bins=31)


@AUGMENTATIONS("auto_aug.augmentations.invert", _SAME)
def invert(images):
    """The negative."""
    return augmentations.invert(images)


@AUGMENTATIONS("auto_aug.augmentations.equalize", _SAME)
def equalize(images):
    """Every level is as frequent as any other."""
    return augmentations.equalize(images)


@AUGMENTATIONS("auto_aug.augmentations.auto_contrast", _SAME)
def auto_contrast(images):
    """The darkest level becomes 0, the brightest 255, by channel."""
    return augmentations.auto_contrast(images)


@AUGMENTATIONS("auto_aug.augmentations.identity", _SAME, drawing=None)
def identity(images):
    """Nothing."""
    return augmentations.identity(images)
