"""Augmentations: functions of images and a parameter that depends on a magnitude."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, ConfigTypeError
from ...control.function_conversion import convert_here
from ...graph.call import DataNode, Params, nodes_in
from .magnitudes import SignedBin, looked_up, signed_bin

__all__ = ["Augmentation", "augmentation"]

_NOT_GIVEN: Any = object()


class Augmentation:
    """What `@augmentation` makes from a function of images and a parameter. The parameter depends on a magnitude bin.

    Args:
        op: `(data, parameter, ...) -> node`, of nodes.
        mag_range: (first, last) of the magnitudes, spread evenly over the bins, or an array with one per bin; with
            None, the parameter is None.
        randomly_negate: draw a sign for each sample.
        mag_to_param: converts a magnitude to the parameter, a number or an array; called once per bin.
        param_device: has no effect: a parameter is where it is needed.
        name: by default that of the function.

    Raises:
        ConfigTypeError: the function does not take two positional arguments.
    """

    def __init__(
        self,
        op: Callable[..., object],
        mag_range: tuple[float, float] | np.ndarray | None = None,
        randomly_negate: bool | None = None,
        mag_to_param: Callable[[float], object] | None = None,
        param_device: str | None = None,
        name: str | None = None,
    ):
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(op).parameters.values() if callable(op) else ()
        if sum(one.kind in positional for one in parameters) < 2:
            raise ConfigTypeError(
                f"an augmentation must be a function of images and a parameter, both taken by position; got {op!r:.80}"
            )
        self.op = op
        self.mag_range = mag_range
        self.randomly_negate = bool(randomly_negate)
        self.mag_to_param = mag_to_param if mag_to_param is not None else np.asarray
        self.param_device = param_device or "cpu"
        self.name = name or op.__name__
        self._given = (mag_range, randomly_negate, mag_to_param, param_device, name)

    def __repr__(self) -> str:
        return f"Augmentation({self.name}, mag_range={self.mag_range!r}, randomly_negate={self.randomly_negate})"

    def augmentation(
        self,
        mag_range: object = _NOT_GIVEN,
        randomly_negate: object = _NOT_GIVEN,
        mag_to_param: object = _NOT_GIVEN,
        param_device: object = _NOT_GIVEN,
        name: object = _NOT_GIVEN,
        augmentation_cls: type[Augmentation] | None = None,
    ) -> Augmentation:
        """Returns a copy in which the given settings are replaced."""
        asked = (mag_range, randomly_negate, mag_to_param, param_device, name)
        settings: list[Any] = [mine if new is _NOT_GIVEN else new for mine, new in zip(self._given, asked, strict=True)]
        return (augmentation_cls or type(self))(self.op, *settings)

    @property
    def extras(self) -> Mapping[str, bool]:
        """The function's arguments after the images and the parameter, and whether they are required."""
        names = [*inspect.signature(self.op).parameters.values()][2:]
        return {
            one.name: one.default is one.empty for one in names if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        }

    def check_extras(self, given: Params) -> dict[str, Any]:
        """Returns those of the arguments that the function takes.

        Raises:
            ConfigError: a required one is missing.
        """
        missing = [name for name, needed in self.extras.items() if needed and name not in given]
        if missing:
            raise ConfigError(f"the augmentation {self.name} needs {', '.join(missing)}=, which was not given")
        return {name: value for name, value in given.items() if name in self.extras}

    def __call__(
        self,
        data: DataNode,
        *,
        magnitude_bin: int | DataNode | SignedBin | None = None,
        num_magnitude_bins: int | None = None,
        **kwargs: object,
    ) -> DataNode:
        """Applies the augmentation to images.

        Args:
            magnitude_bin: one for all samples, or one for each.
            num_magnitude_bins: the number of bins.
            kwargs: arguments of the function; those that it does not take are left out.

        Raises:
            ConfigError: a bin is missing, or an argument that the function needs.
        """
        parameter = None
        if self.mag_range is not None:
            if magnitude_bin is None or (num_magnitude_bins is None and not isinstance(self.mag_range, np.ndarray)):
                raise ConfigError(f"the augmentation {self.name} needs magnitude_bin= and num_magnitude_bins=")
            bins = self.parameters(num_magnitude_bins)
            if self.randomly_negate:
                signed = magnitude_bin if isinstance(magnitude_bin, SignedBin) else signed_bin(magnitude_bin)
                parameter = looked_up(bins.reshape(-1, *bins.shape[2:]), signed.signed_magnitude_idx)
            else:
                plain = magnitude_bin.bin if isinstance(magnitude_bin, SignedBin) else magnitude_bin
                parameter = looked_up(bins[:, 0], plain)
        return convert_here(self.op)(data, parameter, **self.check_extras(kwargs))

    def magnitudes(self, num_magnitude_bins: int | None) -> np.ndarray:
        """Returns one magnitude per bin.

        Raises:
            ConfigError: an array of magnitudes has another length.
        """
        if isinstance(self.mag_range, np.ndarray):
            if num_magnitude_bins is not None and len(self.mag_range) != num_magnitude_bins:
                raise ConfigError(
                    f"the augmentation {self.name} has {len(self.mag_range)} magnitudes, but there are "
                    f"{num_magnitude_bins} bins"
                )
            return self.mag_range
        assert self.mag_range is not None and num_magnitude_bins is not None
        return np.linspace(self.mag_range[0], self.mag_range[1], num_magnitude_bins)

    def parameters(self, num_magnitude_bins: int | None) -> np.ndarray:
        """Returns `[bins, 2, ...]`: the parameter of each bin, and the one with the magnitude negated.

        Raises:
            ConfigError: `mag_to_param` returns nodes, or parameters of several types or shapes.
        """
        signs = (1, -1) if self.randomly_negate else (1, 1)
        found = [[self._parameter(sign * one) for sign in signs] for one in self.magnitudes(num_magnitude_bins)]
        kinds = {(one.dtype, one.shape) for pair in found for one in pair}
        if len(kinds) > 1:
            raise ConfigError(
                f"mag_to_param of the augmentation {self.name} must give parameters of one type and shape, got "
                f"{' and '.join(f'{dtype}{list(shape)}' for dtype, shape in sorted(kinds, key=str))}"
            )
        return np.asarray(found)

    def _parameter(self, magnitude: float) -> np.ndarray:
        value = self.mag_to_param(magnitude)
        if next(nodes_in(value), None) is not None:
            raise ConfigError(
                f"mag_to_param of the augmentation {self.name} returned a node; it is called once per bin, and must return "
                "numbers"
            )
        return np.asarray(value)


def augmentation(
    function: Callable[..., object] | None = None,
    *,
    mag_range: tuple[float, float] | np.ndarray | Sequence[float] | None = None,
    randomly_negate: bool | None = None,
    mag_to_param: Callable[[float], object] | None = None,
    param_device: str | None = None,
    name: str | None = None,
    augmentation_cls: type[Augmentation] | None = None,
) -> Any:
    """A decorator that makes an `Augmentation` from a function; see there for the arguments."""

    def decorate(op: Callable[..., object]) -> Augmentation:
        kind = augmentation_cls or Augmentation
        return kind(op, mag_range, randomly_negate, mag_to_param, param_device, name)  # type: ignore[arg-type]

    return decorate if function is None else decorate(function)
