"""Examples of operators that make affine maps."""

from __future__ import annotations

from jaxdali import fn
from ..example import Group
from ..kits import PHOTOS
from ..pictures import images as of_images

GROUP = Group("Affine maps", PHOTOS, of_images)
_IMAGE, _MAP = "UINT8 (240, 320, 3) HWC", "FLOAT (2, 3) **"


@GROUP("fn.transforms.translation", _IMAGE, _MAP)
def translation(images):
    """40 pixels to the right and 20 downwards."""
    moved = fn.transforms.translation(offset=(40, 20))
    return fn.warp_affine(images, matrix=moved, inverse_map=False, fill_value=0), moved


@GROUP("fn.transforms.rotation", _IMAGE, _MAP)
def rotation(images):
    """By 20 degrees around the image's middle."""
    turned = fn.transforms.rotation(angle=20.0, center=(160, 120))
    return fn.warp_affine(
        images, matrix=turned, inverse_map=False, fill_value=0
    ), turned


@GROUP("fn.transforms.scale", _IMAGE, _MAP)
def scale(images):
    """Half as wide, around the image's middle."""
    scaled = fn.transforms.scale(scale=(0.5, 1.0), center=(160, 120))
    return fn.warp_affine(
        images, matrix=scaled, inverse_map=False, fill_value=0
    ), scaled


@GROUP("fn.transforms.shear", _IMAGE, _MAP)
def shear(images):
    """Each row moves by 0.3 pixels more than the one above it."""
    sheared = fn.transforms.shear(shear=(0.3, 0.0), center=(160, 120))
    return fn.warp_affine(
        images, matrix=sheared, inverse_map=False, fill_value=0
    ), sheared


@GROUP("fn.transforms.crop", _IMAGE, _MAP)
def crop(images):
    """The window from (80, 60) to (240, 180) becomes the whole image."""
    window = fn.transforms.crop(
        from_start=(80, 60), from_end=(240, 180), to_start=(0, 0), to_end=(320, 240)
    )
    return fn.warp_affine(images, matrix=window, inverse_map=False), window


@GROUP("fn.transforms.combine", _IMAGE, _MAP)
def combine(images):
    """First a drawn rotation, then a move; one warp does both."""
    turned = fn.transforms.rotation(
        angle=fn.random.uniform(range=(10, 30)), center=(160, 120)
    )
    both = fn.transforms.combine(turned, fn.transforms.translation(offset=(40, 0)))
    return fn.warp_affine(images, matrix=both, inverse_map=False, fill_value=0), both
