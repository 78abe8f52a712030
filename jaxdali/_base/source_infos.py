"""What a callback receives: which sample or batch is requested, and random numbers for it."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, ClassVar

import numpy as np
from numpy.random.bit_generator import ISeedSequence

from jaxdali.errors import StateError


class _Key(ISeedSequence):
    """A generator's key, like `Philox(key=)`, which takes four times as long to construct."""

    def __init__(self, words: np.ndarray):
        self.words = words

    def generate_state(self, n_words: int, dtype: object = np.uint32) -> np.ndarray:
        assert (n_words, dtype) == (2, np.uint64), "a Philox has a key of two words"
        return self.words


@functools.lru_cache(maxsize=256)
def _key(seed: int, stream: int) -> _Key:
    return _Key(np.array([seed, stream], np.uint64))


class _Drawing:
    """What a source receives about a request, with random numbers of its own."""

    # A slot, not an attribute: vars() of these objects must be the same as DALI's.
    __slots__ = ("_rng",)
    _seed: ClassVar[int | None] = None
    _stream: ClassVar[int]  # second word of the key: samples and batches draw from separate streams
    # Which part of larger batches the pipeline makes, a `source.parts.BatchPart`; None: all parts.
    _part: ClassVar[Any] = None
    epoch_idx: int

    def _number(self) -> int:
        """Returns the index of the sample or batch in the epoch, over all parts."""
        raise NotImplementedError

    @property
    def rng(self) -> np.random.Generator:
        """Random numbers for this sample or batch alone; the same generator at every access.

        What it draws depends only on the pipeline's seed, the epoch and the index: it draws the same in whichever
        worker, and however often, the source runs; a copy of the object starts over. For a sample it starts as

            Generator(Philox(key=np.array([seed, 0], "u8"), counter=np.array([0, 0, epoch_idx, idx_in_epoch], "u8")))

        and for a batch with key [seed, 1] and counter [0, 0, epoch_idx, iteration]. In a pipeline that makes part k of
        n of a larger batch (`data_iterator` with `sharding=` or `devices=`), the index in the whole epoch replaces
        `idx_in_epoch`, so that a row of the global batch draws the same on any number of devices, and `iteration * n +
        k` replaces `iteration`.

        Raises:
            StateError: no pipeline made this object, so there is no seed.
        """
        # getattr with a default costs less than handling an AttributeError would.
        if (known := getattr(self, "_rng", None)) is not None:
            return known
        if self._seed is None:
            name = type(self).__name__
            raise StateError(
                f"only a {name} that a pipeline gives to its source has .rng, from the pipeline's seed; this one was "
                "made without a seed. Make it with "
                f"jaxdali.types.{'sample' if name == 'SampleInfo' else 'batch'}_info_type(seed)(...)."
            )
        # Explicit types: a list of Python integers beyond 2**63 would become float64.
        counter = np.array([0, 0, self.epoch_idx, self._number()], np.uint64)
        key = _key(self._seed, self._stream)
        self._rng = np.random.Generator(np.random.Philox(key, counter=counter))  # pyright: ignore[reportArgumentType]
        return self._rng


@dataclasses.dataclass(unsafe_hash=True)
class SampleInfo(_Drawing):
    """What a callback in sample mode receives: which sample is requested, and random numbers for it (`rng`).

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

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (sample_info_type, self._seed, self._part, dataclasses.astuple(self))

    def _number(self) -> int:
        return self.idx_in_epoch if self._part is None else self._part.sample(self.idx_in_epoch)


@dataclasses.dataclass(unsafe_hash=True)
class BatchInfo(_Drawing):
    """What a callback in batch mode receives if it asks for more than the iteration; with random numbers (`rng`).

    Attributes:
        iteration: index of the batch in its epoch.
        epoch_idx: index of the epoch.
    """

    _stream: ClassVar[int] = 1

    iteration: int
    epoch_idx: int

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, BatchInfo) else NotImplemented

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (batch_info_type, self._seed, self._part, dataclasses.astuple(self))

    def _number(self) -> int:
        return self.iteration if self._part is None else self._part.batch(self.iteration)


@functools.lru_cache(maxsize=256)
def _seeded(base: Any, seed: int | None, part: object) -> Any:
    """Returns `base`, or a subclass with the seed and part as class attributes, which cost nothing per sample."""
    if seed is None:
        return base
    names = {"_seed": seed, "_part": part, "__slots__": (), "__doc__": base.__doc__, "__module__": base.__module__}
    return type(base.__name__, (base,), {**names, "__qualname__": base.__qualname__})


def sample_info_type(seed: int | None, part: object = None) -> type[SampleInfo]:
    """`SampleInfo` whose `rng` draws from `seed`, 0 to 2**64 - 1; the class itself if `seed` is None. Comparison, hash
    and repr are the same.

    Args:
        part: the part of larger batches that the pipeline makes; see `rng`.
    """
    return _seeded(SampleInfo, seed, part)


def batch_info_type(seed: int | None, part: object = None) -> type[BatchInfo]:
    """`BatchInfo` whose `rng` draws from `seed`, 0 to 2**64 - 1; the class itself if `seed` is None. Comparison, hash
    and repr are the same.

    Args:
        part: the part of larger batches that the pipeline makes; see `rng`.
    """
    return _seeded(BatchInfo, seed, part)


def _restore(info_type: Any, seed: int | None, part: Any, fields: tuple[int, ...]) -> object:
    return info_type(seed, part)(*fields)
