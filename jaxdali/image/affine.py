"""Affine maps of points: matrices `float32[..., d, d + 1]`, whose last column is added.

Functions take values of NumPy or JAX, with any leading axes, and give the same bits for both and on every platform.
"""

from jaxdali._device.image.affine import adjugate as adjugate
from jaxdali._device.image.affine import combine as combine
from jaxdali._device.image.affine import crop as crop
from jaxdali._device.image.affine import inverted as inverted
from jaxdali._device.image.affine import rotation as rotation
from jaxdali._device.image.affine import scaling as scaling
from jaxdali._device.image.affine import shear as shear
from jaxdali._device.image.affine import shear_of_angles as shear_of_angles
from jaxdali._device.image.affine import transformed as transformed
from jaxdali._device.image.affine import translation as translation

__all__ = [
    "adjugate",
    "combine",
    "crop",
    "inverted",
    "rotation",
    "scaling",
    "shear",
    "shear_of_angles",
    "transformed",
    "translation",
]


def __dir__() -> list[str]:
    return __all__
