"""Values that are the same for every sample."""

from __future__ import annotations

import builtins
import enum
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from jaxdali.errors import ConfigError, ConfigTypeError, check_shape
from .dtypes import (
    BOOL,
    FLOAT,
    FLOAT16,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    DALIDataType,
    from_numpy_type,
    to_numpy_type,
)

_Number = bool | int | float | np.generic


# Calls a method of a constant's node, and makes such a node; set by `_dali.graph`, which this module must not import.
_of_node: Callable[[Constant, str, tuple[object, ...]], object] | None = None
_make_node: Callable[..., object] | None = None


def compute_constants_with(
    of_node: Callable[[Constant, str, tuple[object, ...]], object], make_node: Callable[..., object]
) -> None:
    """Sets what computes with constants that are not a single number: `(constant, method, operands) -> node`; and what
    makes nodes: `(constant, arguments of fn.constant by name) -> node`.
    """
    global _of_node, _make_node
    _of_node, _make_node = of_node, make_node


class Constant:
    """A value that is the same for every sample: an output of a pipeline, an operator's input, or an operand of
    arithmetic.

    A single number without `shape`, `layout` and `device` is a `ScalarConstant`, which supports arithmetic with nodes
    only. All others can be used in arithmetic like nodes, also with each other: `types.Constant([64, 48]) / 2`.
    With further arguments, such as `name`, it is a node: that of an `fn.constant` with these arguments.

    Args:
        value: a bool, an int (INT32), a float (FLOAT), a NumPy scalar or array without axes, which keeps its type, a
            list of numbers, or an array. As in DALI, 64-bit numbers of arrays and lists, and of whatever is no
            `ScalarConstant`, become 32-bit, unless `dtype` says otherwise; an empty list is FLOAT. Or an enumeration's
            value, such as `types.INTERP_NN`, or a list of them: INT32, for arguments that take one.
        dtype: of the samples. An integer type truncates fractions.
        shape: of a sample; a single value fills it.
        layout: axis names of a sample, such as "HWC".
        device: "cpu" or "gpu", where the operator that makes it is placed; None: "cpu".
        arguments: those of `fn.constant` that all operators have.

    Raises:
        ConfigTypeError: the value is not numbers, or the type is none of samples.
        ConfigError: the type cannot hold a number, or the shape or layout does not fit.

    Attributes:
        value: the array, with the shape and type of a sample; read-only.
        kind: the enumeration whose values these are; None for numbers.
    """

    def __new__(
        cls,
        value: object,
        dtype: DALIDataType | None = None,
        shape: int | Sequence[int] | None = None,
        layout: str | None = None,
        device: str | None = None,
        **arguments: object,
    ) -> Any:
        if arguments:
            if _make_node is None:
                raise ConfigTypeError("types.Constant with further arguments is a node: import jaxdali.fn before")
            return _make_node(_ConstantTensor(value, dtype, shape, layout, device), **arguments)
        plain = (isinstance(value, int | float) and not isinstance(value, enum.Enum)) or _is_numpy_number(value)
        single = plain and shape is None and layout is None and device is None
        kind: Any = cls if cls is not Constant else ScalarConstant if single else _ConstantTensor
        return super().__new__(kind)

    def __init__(
        self,
        value: object,
        dtype: DALIDataType | None = None,
        shape: int | Sequence[int] | None = None,
        layout: str | None = None,
        device: str | None = None,
    ):
        self.kind = _enumeration(value)
        own_type = isinstance(self, ScalarConstant) and _is_numpy_number(value)
        self.value = _constant_array(value if self.kind is None else np.asarray(value, np.int32), dtype, own_type)
        if shape is not None:
            try:
                fill = self.value.size == 1
                self.value = np.broadcast_to(self.value.ravel()[0], shape) if fill else self.value.reshape(shape)
            except (ValueError, TypeError, OverflowError) as error:
                raise ConfigError(
                    f"a constant of {self.value.size} numbers cannot have the shape {shape!r:.80}"
                ) from error
            check_shape("the shape of a constant", self.value.shape)
        self.value.flags.writeable = False
        self.layout = layout or ""
        if self.layout and len(self.layout) != self.value.ndim:
            raise ConfigError(f"The layout {layout!r} cannot describe {self.value.ndim}-dimensional data")
        self.device = device

    @property
    def dtype(self) -> DALIDataType:
        return from_numpy_type(self.value.dtype)

    @property
    def shape(self) -> list[int]:
        return list(self.value.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.value, dtype, copy=copy)

    def __repr__(self) -> str:
        return f"Constant({self.value.tolist()!r}, dtype={self.dtype})"


def _method(name: str) -> Callable[..., Any]:
    def method(self: Constant, *operands: object) -> Any:
        if _of_node is None:
            raise ConfigTypeError(f"{self!r} can be used in arithmetic only after jaxdali.fn is imported")
        return _of_node(self, name, operands)

    return method


class _ConstantTensor(Constant):
    """Several numbers, or one with a shape, a layout or a device; used in arithmetic like nodes."""

    __add__, __radd__ = _method("__add__"), _method("__radd__")
    __sub__, __rsub__ = _method("__sub__"), _method("__rsub__")
    __mul__, __rmul__ = _method("__mul__"), _method("__rmul__")
    __truediv__, __rtruediv__ = _method("__truediv__"), _method("__rtruediv__")
    __floordiv__, __rfloordiv__ = _method("__floordiv__"), _method("__rfloordiv__")
    __mod__, __rmod__ = _method("__mod__"), _method("__rmod__")
    __pow__, __rpow__ = _method("__pow__"), _method("__rpow__")
    __and__, __rand__ = _method("__and__"), _method("__rand__")
    __or__, __ror__ = _method("__or__"), _method("__ror__")
    __xor__, __rxor__ = _method("__xor__"), _method("__rxor__")
    __lt__, __le__, __gt__, __ge__ = map(_method, ("__lt__", "__le__", "__gt__", "__ge__"))
    __eq__, __ne__ = _method("__eq__"), _method("__ne__")
    __neg__, __invert__, __abs__, __getitem__ = map(_method, ("__neg__", "__invert__", "__abs__", "__getitem__"))
    __hash__ = object.__hash__
    # Makes NumPy arrays leave arithmetic to this class.
    __array_ufunc__ = None

    def gpu(self) -> Constant:
        """Returns itself: outputs appear on the pipeline's device."""
        return self


class ScalarConstant(Constant):
    """One number with a type: `types.Constant(127.5)`. Its methods give the number in another type. An integer type
    truncates fractions, and saturates numbers that it cannot hold: `Constant(300).uint8()` is 255.
    """

    def __new__(cls, value: _Number, dtype: DALIDataType | None = None) -> ScalarConstant:
        return object.__new__(cls)

    def __init__(self, value: _Number, dtype: DALIDataType | None = None):
        super().__init__(value, dtype)
        if self.value.ndim:
            raise ConfigTypeError(
                f"a ScalarConstant is one number, got {value!r:.80}; types.Constant also takes several"
            )

    def bool(self) -> ScalarConstant:
        return self._as(BOOL)

    def int8(self) -> ScalarConstant:
        return self._as(INT8)

    def int16(self) -> ScalarConstant:
        return self._as(INT16)

    def int32(self) -> ScalarConstant:
        return self._as(INT32)

    def int64(self) -> ScalarConstant:
        return self._as(INT64)

    def uint8(self) -> ScalarConstant:
        return self._as(UINT8)

    def uint16(self) -> ScalarConstant:
        return self._as(UINT16)

    def uint32(self) -> ScalarConstant:
        return self._as(UINT32)

    def uint64(self) -> ScalarConstant:
        return self._as(UINT64)

    def float16(self) -> ScalarConstant:
        return self._as(FLOAT16)

    def float32(self) -> ScalarConstant:
        return self._as(FLOAT)

    def float64(self) -> ScalarConstant:
        return self._as(FLOAT64)

    def _as(self, dtype: DALIDataType) -> ScalarConstant:
        target = np.dtype(to_numpy_type(dtype))
        number = self.value.item()
        if target.kind in "iu" and number == number:  # the constructor refuses NaN
            limits = np.iinfo(cast(Any, target))
            number = int(min(max(number, limits.min), limits.max))
        return ScalarConstant(number, dtype)

    def __int__(self) -> int:
        if self.value.dtype.kind == "f":
            raise ConfigTypeError(f"{self!r} is not a whole number; convert it, for example with .int32()")
        return int(self.value)

    def __float__(self) -> float:
        if self.value.dtype.kind != "f":
            raise ConfigTypeError(f"{self!r} is not a float; convert it, for example with .float32()")
        return float(self.value)

    def __bool__(self) -> builtins.bool:
        return builtins.bool(self.value)


def ConstantNode(
    device: str | None,
    value: object,
    dtype: DALIDataType | None,
    shape: int | Sequence[int] | None,
    layout: str | None,
    **arguments: object,
) -> Any:
    """`Constant`, with another order of arguments."""
    return Constant(value, dtype, shape, layout, device, **arguments)


def promoted(value: object) -> Constant:
    """Returns a constant for numbers that stand where a node is expected.

    Raises:
        ConfigError: a value is not numbers.
    """
    # Outside of types.Constant, DALI treats one number of NumPy like an array: at most 32 bits.
    return value if isinstance(value, Constant) else Constant(value, device="cpu")


_NARROWER = {np.dtype(np.int64): INT32, np.dtype(np.uint64): UINT32, np.dtype(np.float64): FLOAT}


def _enumeration(value: object) -> type[enum.Enum] | None:
    """Returns the enumeration of a value, or of all values in a list; None if there is no such."""
    kinds = {type(one) for one in (value if isinstance(value, list | tuple) else [value])}
    kind = kinds.pop() if len(kinds) == 1 else object
    return kind if issubclass(kind, enum.IntEnum) else None


def _is_numpy_number(value: object) -> bool:
    """Whether a value is one number of a type of NumPy: a scalar, or an array without axes."""
    return isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim)


def _constant_array(value: object, dtype: DALIDataType | None, own_type: bool) -> np.ndarray:
    try:
        array = np.array(value)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    if array.dtype.kind not in "buif" or isinstance(value, enum.Enum):
        raise ConfigTypeError(
            f"a constant is a number, an array of numbers or a list of them, got {type(value).__name__} {value!r}"
        )
    if dtype is None:
        # Python numbers and, as in DALI, arrays get 32 bits.
        dtype = None if own_type else _NARROWER.get(array.dtype)
        dtype = dtype or from_numpy_type(array.dtype)
    try:
        target = np.dtype(to_numpy_type(dtype))
    except ConfigError as error:
        raise ConfigTypeError(str(error)) from None
    if target.kind in "iu" and array.size:
        limits, whole = np.iinfo(cast(Any, target)), np.trunc(array) if array.dtype.kind == "f" else array
        lowest, highest = whole.min().item(), whole.max().item()
        if not (limits.min <= lowest and highest <= limits.max):
            raise ConfigError(
                f"the constant {value!r} is out of range for {target}; give types.Constant another dtype="
            )
    return array.astype(target)
