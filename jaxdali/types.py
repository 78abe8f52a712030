"""The names of DALI's `types` module: dtypes, interpolations, colour spaces, and what a callback
is told.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Sequence
from typing import Any, ClassVar, cast

import numpy as np

from .errors import ConfigError, StateError, check_shape


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


class _Drawing:
    """What a source is told, with random numbers of its own."""

    # A slot, not an attribute: vars() of what a source is told are DALI's.
    __slots__ = ("_rng",)
    _seed: ClassVar[int | None] = None
    _stream: ClassVar[int]  # second word of the key: samples and batches draw from streams of their own
    # Which part of larger batches the pipeline makes, a `source.parts.BatchPart`; None: all of them.
    _part: ClassVar[Any] = None
    epoch_idx: int

    def _number(self) -> int:
        """Which sample or batch of the epoch it is, of all parts."""
        raise NotImplementedError

    @property
    def rng(self) -> np.random.Generator:
        """Random numbers of this sample or batch alone; the same generator at every access.

        What it draws is a function of the pipeline's seed, the epoch and the index: whichever worker runs the source, and
        however often, it draws the same; a copy of the object begins anew. Of a sample it begins as

            Generator(Philox(key=np.array([seed, 0], "u8"), counter=np.array([0, 0, epoch_idx, idx_in_epoch], "u8")))

        and of a batch with key [seed, 1] and counter [0, 0, epoch_idx, iteration]. Of a pipeline that makes part k of n of a
        larger batch (`data_iterator` with `sharding=` or `devices=`) it is the index in the whole epoch in place of
        `idx_in_epoch`, so that a row of the global batch draws the same on any number of devices, and `iteration * n + k` in
        place of `iteration`.

        Raises:
            StateError: no pipeline made this object, so that there is no seed.
        """
        try:
            return self._rng
        except AttributeError:
            pass
        if self._seed is None:
            name = type(self).__name__
            raise StateError(
                f"{name}.rng is there in a {name} that a pipeline gives to its source, from the pipeline's seed; this one "
                "was made without. Make it with jaxdali.types."
                f"{'sample' if name == 'SampleInfo' else 'batch'}_info_type(seed)(...)."
            )
        # Explicit types: a list of Python integers beyond 2**63 would become float64.
        key = np.array([self._seed, self._stream], np.uint64)
        counter = np.array([0, 0, self.epoch_idx, self._number()], np.uint64)
        self._rng = np.random.Generator(np.random.Philox(key=key, counter=counter))
        return self._rng


@dataclasses.dataclass(unsafe_hash=True)
class SampleInfo(_Drawing):
    """What a callback in sample mode is told: which sample is asked for, and random numbers for it (`rng`).

    Attributes:
        idx_in_epoch: index of the sample in its epoch.
        idx_in_batch: index of the sample in its batch.
        iteration: index of the batch in its epoch.
        epoch_idx: index of the epoch.
    """

    _stream: ClassVar[int] = 0

    idx_in_epoch: int
    idx_in_batch: int
    iteration: int
    epoch_idx: int

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, SampleInfo) else NotImplemented

    def __reduce__(self) -> Any:
        return _restore, (sample_info_type, self._seed, self._part, dataclasses.astuple(self))

    def _number(self) -> int:
        return self.idx_in_epoch if self._part is None else self._part.sample(self.idx_in_epoch)


@dataclasses.dataclass(unsafe_hash=True)
class BatchInfo(_Drawing):
    """What a callback in batch mode is told, when it asks for more than the iteration; with random numbers (`rng`).

    Attributes:
        iteration: index of the batch in its epoch.
        epoch_idx: index of the epoch.
    """

    _stream: ClassVar[int] = 1

    iteration: int
    epoch_idx: int

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, BatchInfo) else NotImplemented

    def __reduce__(self) -> Any:
        return _restore, (batch_info_type, self._seed, self._part, dataclasses.astuple(self))

    def _number(self) -> int:
        return self.iteration if self._part is None else self._part.batch(self.iteration)


@functools.lru_cache(maxsize=256)
def _seeded(base: Any, seed: int | None, part: Any) -> Any:
    """`base`, or a class that differs from it in its seed and part only: so they cost nothing a sample."""
    if seed is None:
        return base
    names = {"_seed": seed, "_part": part, "__slots__": (), "__doc__": base.__doc__, "__module__": base.__module__}
    return type(base.__name__, (base,), {**names, "__qualname__": base.__qualname__})


def sample_info_type(seed: int | None, part: Any = None) -> type[SampleInfo]:
    """`SampleInfo` whose `rng` draws from `seed`, 0 to 2**64 - 1; itself without one. Equal, hashed and shown alike.

    Args:
        part: of larger batches, that the pipeline makes; see `rng`.
    """
    return _seeded(SampleInfo, seed, part)


def batch_info_type(seed: int | None, part: Any = None) -> type[BatchInfo]:
    """`BatchInfo` whose `rng` draws from `seed`, 0 to 2**64 - 1; itself without one. Equal, hashed and shown alike.

    Args:
        part: of larger batches, that the pipeline makes; see `rng`.
    """
    return _seeded(BatchInfo, seed, part)


def _restore(info_type: Any, seed: int | None, part: Any, fields: tuple[int, ...]) -> Any:
    return info_type(seed, part)(*fields)


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
        ConfigError: `dali_type` is `NO_TYPE` or no `DALIDataType`.
    """
    # A plain 0 equals UINT8 and INTERP_NN alike, so the class is asked, not the number.
    if not isinstance(dali_type, DALIDataType) or dali_type not in _NUMPY_TYPES:
        raise ConfigError(
            f"a dtype is one of jaxdali.types, but {dali_type!r} has no NumPy type; expected one of "
            f"{', '.join(f'types.{known.name}' for known in _NUMPY_TYPES)}."
        )
    return _NUMPY_TYPES[dali_type]


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


class Constant:
    """A value that is the same for every sample: an output of a pipeline, or an operand of arithmetic.

    Args:
        value: a bool, an int (INT32), a float (FLOAT), a NumPy scalar, a list of numbers, or an array. As in DALI, arrays
            and lists of 64-bit numbers become 32-bit, unless `dtype` says otherwise.
        dtype: of the samples. Fractions are cut off where it is an integer type.
        shape: of a sample; a single value fills it.
        layout: axis names of a sample, such as "HWC".
        device: "cpu" or "gpu", where the operator that makes it is placed; None: "cpu".

    Raises:
        ConfigError: no numbers, or a number that the type does not hold, or a shape or layout that does not fit.

    Attributes:
        value: the array, of the shape and type of a sample; read-only.
    """

    def __init__(
        self,
        value: Any,
        dtype: DALIDataType | None = None,
        shape: int | Sequence[int] | None = None,
        layout: str | None = None,
        device: str | None = None,
    ):
        self.value = _constant_array(value, dtype)
        if shape is not None:
            try:
                fill = self.value.size == 1
                self.value = np.broadcast_to(self.value.ravel()[0], shape) if fill else self.value.reshape(shape)
            except (ValueError, TypeError, OverflowError) as error:
                raise ConfigError(f"a constant of {self.value.size} numbers has no shape {shape!r:.80}") from error
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


_NARROWER = {np.dtype(np.int64): INT32, np.dtype(np.uint64): UINT32, np.dtype(np.float64): FLOAT}


def _constant_array(value: Any, dtype: DALIDataType | None) -> np.ndarray:
    scalar = isinstance(value, np.generic)
    try:
        array = np.array(value)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    if (
        array.dtype.kind not in "buif"
        or isinstance(value, enum.Enum)
        or (isinstance(value, list | tuple) and not value)
    ):
        raise ConfigError(
            f"a constant is a number, an array of numbers or a list of them, got {type(value).__name__} {value!r}"
        )
    if dtype is None:
        # A NumPy scalar says what it is; Python's numbers and DALI's arrays have 32 bits.
        dtype = from_numpy_type(array.dtype) if scalar else _NARROWER.get(array.dtype) or from_numpy_type(array.dtype)
    target = np.dtype(to_numpy_type(dtype))
    if target.kind in "iu" and array.size:
        limits, whole = np.iinfo(cast(Any, target)), np.trunc(array) if array.dtype.kind == "f" else array
        lowest, highest = whole.min().item(), whole.max().item()
        if not (limits.min <= lowest and highest <= limits.max):
            raise ConfigError(
                f"the constant {value!r} is out of range for {target}; give types.Constant another dtype="
            )
    return array.astype(target)
