"""Helpful errors for users who call a function, or use an object, as they would in another library."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ClassVar, NoReturn, ParamSpec, TypeVar

from jaxdali.errors import ConfigTypeError

__all__ = ["NoArray", "NotComputed", "called_as"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def called_as(example: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Makes calls whose arguments do not fit raise a ConfigTypeError that shows a correct call.

    Args:
        example: such a call, as a user would write it.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                known = [name for name in signature.parameters if name != "self"]
                taken = f"; it takes {', '.join(known)}" if kwargs.keys() - {*known} else ""
                raise ConfigTypeError(f"{function.__name__}: {error}{taken}; write {example}") from None
            return function(*args, **kwargs)

        return call

    return decorate


class NoArray:
    """Base of what looks like an array but must become one first. Using it as an array raises an error that says how.

    Attributes:
        _instead: the rest of the sentence "... is not an array of pixels".
    """

    _instead: str

    # Other libraries' names for what this class has.
    _named: ClassVar[dict[str, str]] = {}

    def __getattr__(self, name: str) -> NoReturn:
        kind = type(self).__name__
        if name.startswith("_"):  # Python and JAX probe for such attributes
            raise AttributeError(f"{kind!r} object has no attribute {name!r}", name=name, obj=self)
        meant = self._named.get(name)
        said = f"write {meant}" if meant else f"it is not an array of pixels: {self._instead}"
        raise AttributeError(f"{kind} has no {name!r}; {said}", name=name, obj=self)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise ConfigTypeError(f"{type(self).__name__} is not an array of pixels: {self._instead}")

    __array__ = _refuse  # else NumPy would make an array with one object in it
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse


class NotComputed(NoArray):
    """Images with operations but no pixels yet."""

    _instead = "its operations are computed by images.array(), or jaxdali.image.arrays(...) for several"
    _named = (
        {name: "images.flip()" for name in ("hflip", "horizontal_flip", "flip_left_right", "fliplr")}
        | {
            name: "images.flip(horizontal=0, vertical=1)"
            for name in ("vflip", "vertical_flip", "flip_up_down", "flipud")
        }
        | {
            **dict.fromkeys(("rotate", "rotation"), "jaxdali.image.rotate(images.array(), degrees)"),
            **dict.fromkeys(
                ("to_float", "float", "astype", "to"), "images.cast(jnp.float32), or images.normalize(mean, std)"
            ),
            **dict.fromkeys(("permute", "transpose", "to_tensor"), 'images.to_layout("CHW"), and .array() at the end'),
            **dict.fromkeys(("numpy", "asarray", "pixels", "compute", "decode"), "images.array()"),
            **dict.fromkeys(
                ("random_resized_crop", "random_crop"),
                "images.resized_crop(jaxdali.random.resized_crop_window(keys, images.extents), (height, width))",
            ),
            **dict.fromkeys(("color_jitter", "jitter"), "jaxdali.augment.color_jitter(images.array(), keys, ...)"),
            **dict.fromkeys(
                ("rand_augment", "auto_augment"), "jaxdali.augment.rand_augment(images.array(), keys, n=2, m=9)"
            ),
            **dict.fromkeys(("blur", "gaussian_blur"), "jaxdali.image.gaussian_blur(images.array(), ...)"),
            **dict.fromkeys(("pad", "shape"), "images.array(), an array with a shape, for jnp.pad"),
            **dict.fromkeys(("brightness", "contrast"), "images.brightness_contrast(brightness=1.2, contrast=0.9)"),
        }
    )
