"""What a pipeline was told about its outputs: `output_dtype`, `output_ndim` and `output_layout`."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from ..errors import ConfigError, ConfigTypeError, GraphError, OutputError, check_integer
from ..types import NO_TYPE, DALIDataType, from_numpy_type

__all__ = ["Declared"]


@dataclasses.dataclass(frozen=True)
class Declared:
    """One value for all outputs, or a tuple with one each; None: nothing is known.

    Raises:
        ConfigError, ConfigTypeError: something that is no type, no number of dimensions, no layout.
    """

    dtype: Any = None
    ndim: Any = None
    layout: Any = None

    @classmethod
    def of(cls, options: Any) -> Declared:
        """As the options of a pipeline say."""
        return cls(*(_checked(name, getattr(options, f"output_{name}")) for name in ("dtype", "ndim", "layout")))

    @functools.cached_property
    def nothing(self) -> bool:
        """Nothing is known of any output."""
        return self.dtype is None and self.ndim is None and self.layout is None

    def check_count(self, outputs: int) -> None:
        """Raises GraphError where a list is not as long as there are outputs."""
        for name, value in dataclasses.asdict(self).items():
            if isinstance(value, tuple) and len(value) != outputs:
                raise GraphError(
                    f"Lengths of provided output descriptions do not match: output_{name} has {len(value)} values, and the "
                    f"pipeline returns {outputs} outputs; None leaves an output open"
                )

    def dtypes(self, outputs: int) -> list[DALIDataType | None]:
        return _each(self.dtype, outputs)

    def ndims(self, outputs: int) -> list[int | None]:
        return _each(self.ndim, outputs)

    def layouts(self, outputs: int) -> list[str | None]:
        return _each(self.layout, outputs)

    def check(self, index: int, dtype: Any, ndim: int, layout: str) -> None:
        """Raises OutputError where output `index` of a batch is something else.

        Args:
            dtype: NumPy's.
            ndim: of a sample.
        """
        got = from_numpy_type(dtype) if self.dtype is not None else None
        for name, words, value, have in (
            ("dtype", "Data type", self.dtype, got),
            ("ndim", "Number of dimensions", self.ndim, ndim),
            ("layout", "Layout", self.layout, layout),
        ):
            want = value[index] if isinstance(value, tuple) else value
            # As in DALI, an empty layout says nothing.
            if want not in (None, "") and want != have:
                raise OutputError(
                    f"{words} in the output_idx={index} does not match. Expected: {want}. Received: {have!s}. Change "
                    f"output_{name}= of the pipeline, or what it returns"
                )


def _each(value: Any, outputs: int) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value] * outputs


def _checked(name: str, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_checked(name, entry) for entry in value)
    if value is None:
        return None
    argument = f"output_{name}"
    if name == "dtype":
        if not isinstance(value, DALIDataType):
            raise _wrong_type(argument, "a type of jaxdali.types, such as types.UINT8", value)
        if value == NO_TYPE:
            raise ConfigError(f"`{argument}` can't be a types.NO_TYPE; None leaves an output open")
        return value
    if name == "ndim":
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise _wrong_type(argument, "an int", value)
        if value < 0:
            raise ConfigError(f"`{argument}` must be non-negative. Found value: {value}")
        return check_integer(argument, value, 0)
    if not isinstance(value, str):
        raise _wrong_type(argument, "a string such as 'HWC'", value)
    return value


def _wrong_type(argument: str, wanted: str, value: Any) -> ConfigTypeError:
    return ConfigTypeError(
        f"`{argument}` must be either: {wanted}, a list of these or None. Found type: {type(value).__name__}"
    )
