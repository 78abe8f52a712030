"""Element types, filters and colour spaces with DALI's numbers, and the corresponding NumPy types."""

from __future__ import annotations

import enum

import numpy as np

from jaxdali.errors import ConfigError, ConfigKeyError, ConfigTypeError


class _DaliEnum(enum.IntEnum):
    # IntEnum prints a bare number; DALI prints DALIDataType.UINT8.
    __str__ = enum.Enum.__str__


class DALIDataType(_DaliEnum):
    """Element types, with DALI's numbers."""

    NO_TYPE = -1
    UINT8 = 0
    UINT16 = 1
    UINT32 = 2
    UINT64 = 3
    INT8 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    FLOAT16 = 8
    FLOAT = 9
    FLOAT64 = 10
    BOOL = 11
    # Types of operators' arguments, never of samples.
    STRING = 12
    FEATURE = 17
    IMAGE_TYPE = 20
    DATA_TYPE = 21
    INTERP_TYPE = 22
    TENSOR_LAYOUT = 23
    PYTHON_OBJECT = 24


class DALIInterpType(_DaliEnum):
    """Interpolation filters."""

    INTERP_NN = 0
    INTERP_LINEAR = 1
    INTERP_CUBIC = 2
    INTERP_LANCZOS3 = 3
    INTERP_TRIANGULAR = 4
    INTERP_GAUSSIAN = 5


class DALIImageType(_DaliEnum):
    """Colour spaces."""

    RGB = 0
    BGR = 1
    GRAY = 2
    YCbCr = 3
    ANY_DATA = 4


class PipelineAPIType(_DaliEnum):
    """Which of a pipeline's run APIs is in use; they cannot be mixed."""

    BASIC = 0
    ITERATOR = 1
    SCHEDULED = 2


NO_TYPE = DALIDataType.NO_TYPE
UINT8 = DALIDataType.UINT8
UINT16 = DALIDataType.UINT16
UINT32 = DALIDataType.UINT32
UINT64 = DALIDataType.UINT64
INT8 = DALIDataType.INT8
INT16 = DALIDataType.INT16
INT32 = DALIDataType.INT32
INT64 = DALIDataType.INT64
FLOAT16 = DALIDataType.FLOAT16
FLOAT = DALIDataType.FLOAT
FLOAT64 = DALIDataType.FLOAT64
BOOL = DALIDataType.BOOL
STRING = DALIDataType.STRING
FEATURE = DALIDataType.FEATURE
IMAGE_TYPE = DALIDataType.IMAGE_TYPE
DATA_TYPE = DALIDataType.DATA_TYPE
INTERP_TYPE = DALIDataType.INTERP_TYPE
TENSOR_LAYOUT = DALIDataType.TENSOR_LAYOUT
PYTHON_OBJECT = DALIDataType.PYTHON_OBJECT

INTERP_NN = DALIInterpType.INTERP_NN
INTERP_LINEAR = DALIInterpType.INTERP_LINEAR
INTERP_CUBIC = DALIInterpType.INTERP_CUBIC
INTERP_LANCZOS3 = DALIInterpType.INTERP_LANCZOS3
INTERP_TRIANGULAR = DALIInterpType.INTERP_TRIANGULAR
INTERP_GAUSSIAN = DALIInterpType.INTERP_GAUSSIAN

RGB = DALIImageType.RGB
BGR = DALIImageType.BGR
GRAY = DALIImageType.GRAY
YCbCr = DALIImageType.YCbCr
ANY_DATA = DALIImageType.ANY_DATA


_NUMPY_TYPES = {
    UINT8: np.uint8,
    UINT16: np.uint16,
    UINT32: np.uint32,
    UINT64: np.uint64,
    INT8: np.int8,
    INT16: np.int16,
    INT32: np.int32,
    INT64: np.int64,
    FLOAT16: np.float16,
    FLOAT: np.float32,
    FLOAT64: np.float64,
    BOOL: np.bool_,
}
_DALI_TYPES = {np.dtype(numpy_type): dali_type for dali_type, numpy_type in _NUMPY_TYPES.items()}


def to_numpy_type(dali_type: DALIDataType) -> type[np.generic]:
    """The NumPy scalar type of a DALI type: `types.FLOAT` -> `numpy.float32`.

    Raises:
        ConfigKeyError: `dali_type` is `NO_TYPE` or no `DALIDataType`.
    """
    # Checks the class, not the number: a plain 0 equals both UINT8 and INTERP_NN.
    if not isinstance(dali_type, DALIDataType) or dali_type not in _NUMPY_TYPES:
        raise ConfigKeyError(
            f"expected a type of samples, such as types.FLOAT, got {dali_type!r:.80}; {_meant_by(dali_type)}"
        )
    return _NUMPY_TYPES[dali_type]


def _meant_by(value: object) -> str:
    """Returns advice on what to write in place of a value that is not one of DALI's types."""
    if isinstance(value, str | type | np.dtype):
        try:
            return f"write types.{to_dali_type(value).name}"
        except ConfigTypeError:
            pass
    return f"there are {', '.join(f'types.{known.name}' for known in _NUMPY_TYPES)}"


def from_numpy_type(numpy_type) -> DALIDataType:
    """The DALI type of a NumPy dtype, scalar type or name: `numpy.float32` -> `types.FLOAT`.

    Raises:
        ConfigError: DALI has no such type, e.g. bfloat16 or complex64.
    """
    try:
        dali_type = None if numpy_type is None else _DALI_TYPES.get(np.dtype(numpy_type))
    except TypeError:
        dali_type = None
    if dali_type is None:
        raise ConfigError(
            f"{numpy_type!r} has no DALI type; expected one of {', '.join(known.name for known in _DALI_TYPES)}."
        )
    return dali_type


def to_dali_type(named: object) -> DALIDataType:
    """The DALI type for a type of Python, NumPy, JAX or another framework, found by its name: "float32", `jnp.int32`,
    `bool`, `torch.uint8`. `float` and "float" are FLOAT, `int` is INT32.

    Raises:
        ConfigTypeError: a TypeError; DALI has no such type.
    """
    name = named if isinstance(named, str) else getattr(named, "__name__", None) or str(named)
    name = name.rpartition(".")[2]
    name = {"half": "float16", "float": "float32", "single": "float32", "double": "float64", "int": "int32"}.get(
        name, name
    )
    for dali_type, numpy_type in _NUMPY_TYPES.items():
        if not isinstance(named, DALIDataType) and name in (np.dtype(numpy_type).name, numpy_type.__name__):
            return dali_type
    known = ", ".join(str(np.dtype(numpy_type)) for numpy_type in _NUMPY_TYPES.values())
    raise ConfigTypeError(f"{named!r:.80} is not a DALI type; expected one of {known}")
