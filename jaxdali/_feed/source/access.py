"""Reads samples of map-style sources: through views of other sources, and with random numbers if they take them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Sample
from jaxdali._base.interruptions import is_interruption
from jaxdali._base.named_parameters import named_parameters
from jaxdali._base.source_infos import SampleInfo
from jaxdali.errors import SourceDataError, StateError

__all__ = [
    "ONLY_RNG",
    "TOGETHER",
    "Chosen",
    "Identities",
    "View",
    "asks_for",
    "decodes",
    "describe_sample",
    "is_plain",
    "named_values",
    "needs_rng",
    "read_sample",
    "read_samples",
    "reads_several",
    "varies",
]


Identities = Callable[[Sequence[Any]], list[dict[str, Any]]]

# What most functions that are given something by name ask for.
ONLY_RNG = ("rng",)
# How many samples `__getitems__` is asked for at a time. All of them are in memory at once.
TOGETHER = 16


class _OutsideOfLoader(SampleInfo):
    """The request of a sample that a user reads by hand, which has no random numbers."""

    @property
    def rng(self) -> np.random.Generator:
        raise StateError(
            f"sample {self.idx_in_epoch} needs random numbers: a function or __getitem__ has a parameter rng, which only a "
            "Loader gives, by its seed. Read it as next(iter(jaxdali.Loader(data, batch_size=1, workers=0))), or call the "
            "function with a generator of your own, such as numpy.random.default_rng(0)"
        )


class View:
    """A map-style source whose samples come from other sources.

    `data[i]` reads a sample as in epoch 0, without random numbers; a Loader calls `read_sample`.
    """

    def __len__(self) -> int:
        raise NotImplementedError

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        """Returns the source that has the sample, and its index there."""
        raise NotImplementedError

    def identity(self, identities: Identities) -> dict[str, Any]:
        """Returns what decides which samples there are, in which order, in JSON's types (`identity.identity_of_data`).

        Args:
            identities: returns the same for sources.
        """
        raise NotImplementedError

    @property
    def inner(self) -> list[Any]:
        """The sources among which `locate` finds samples; empty if a sample is made of several."""
        return []

    @property
    def varies(self) -> bool:
        """Whether the samples of some indices may be others in another epoch, random numbers aside."""
        return any(map(varies, self.inner))

    def finish(self, sample: object, info: SampleInfo) -> Sample:
        """Returns what this view makes of the sample."""
        return sample

    def read(self, index: int, info: SampleInfo) -> Sample:
        """Returns the sample, as `read_sample` does."""
        inner, inner_index = self.locate(index, info.epoch_idx)
        return self.finish(read_sample(inner, inner_index, info), info)

    def __repr__(self) -> str:
        return f"{type(self).__name__.lower()} of {len(self)} samples"

    def __getitem__(self, index: int) -> Sample:
        """Returns a sample.

        Raises:
            IndexError: the index is out of range.
            StateError: the sample needs random numbers, which only a Loader provides.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} samples")
        return read_sample(self, index, _OutsideOfLoader(index, 0, 0, 0))


class Chosen(View):
    """A View of one source whose samples it gives unchanged, in another order or number."""

    def inner_indices(self, indices: np.ndarray) -> np.ndarray:
        """Maps indices of this view to indices of that source, both `int64[n]`."""
        raise NotImplementedError


def read_sample(data: Any, index: int, info: SampleInfo) -> Sample:
    """Returns `data[index]`, or `data.__getitem__(index, rng, epoch)` if that has parameters of these names, or one of them.

    Args:
        info: provides the `rng`, and the epoch.
    """
    if isinstance(data, View):
        return data.read(index, info)
    names = _item_asks_for(type(data))
    if not names:
        return data[index]
    if names == ONLY_RNG:  # by far the most, and a microsecond less
        return data.__getitem__(index, rng=info.rng)
    return data.__getitem__(index, **named_values(names, info))


def reads_several(data: Any) -> bool:
    """Whether a source, or one inside a view, gives several samples per call, by `__getitems__(indices)`."""
    if isinstance(data, View):
        return type(data).read is View.read and any(map(reads_several, data.inner))
    return not _item_asks_for(type(data)) and callable(getattr(type(data), "__getitems__", None))


def read_samples(data: Any, indices: Sequence[int], infos: Sequence[SampleInfo]) -> Iterator[Any]:
    """Yields what `read_sample` returns for each index, in order. Sources that give several samples per call are asked for
    up to `TOGETHER` of them, when the first of these is needed.

    Raises:
        SourceDataError: `__getitems__` did not return a list of as many samples.
    """
    if not reads_several(data):
        yield from (read_sample(data, index, info) for index, info in zip(indices, infos, strict=True))
    elif isinstance(data, View):
        groups: dict[int, tuple[Any, list[int], list[SampleInfo]]] = {}
        order = []
        for index, info in zip(indices, infos, strict=True):
            inner, inner_index = data.locate(index, info.epoch_idx)
            _, inner_indices, theirs = groups.setdefault(id(inner), (inner, [], []))
            inner_indices.append(inner_index)
            theirs.append(info)
            order.append(id(inner))
        samples = {key: read_samples(*group) for key, group in groups.items()}
        for key, info in zip(order, infos, strict=True):
            yield data.finish(next(samples[key]), info)
    else:
        for first in range(0, len(indices), TOGETHER):
            yield from _read_together(data, list(indices[first : first + TOGETHER]))


def _read_together(data: Any, indices: list[int]) -> Iterator[Any]:
    try:
        samples = data.__getitems__(indices)
    except Exception as error:
        if is_interruption(error):
            raise
        # Reads each by itself, to learn which one failed.
        yield from (data[index] for index in indices)
        error.add_note(f"raised by {type(data).__name__}.__getitems__; __getitem__ raised for none of its samples")
        raise
    if not isinstance(samples, Sequence) or len(samples) != len(indices):
        size = f" of {len(samples)}" if hasattr(samples, "__len__") else ""
        raise SourceDataError(
            f"{type(data).__name__}.__getitems__ was asked for {len(indices)} samples and returned a "
            f"{type(samples).__name__}{size}; expected a list of as many samples, each as __getitem__ gives it"
        )
    left = list(samples)[::-1]
    del samples
    while left:  # keeps no sample after it was written
        yield left.pop()


def decodes(data: object) -> str:
    """Returns what samples of our own sources are decoded from, such as "videos"; empty: nothing, or not known."""
    while isinstance(data, View) and data.inner:
        data = data.inner[0]
    # A user's class may have an attribute of this name, too.
    return str(getattr(data, "decodes", "")) if type(data).__module__.startswith(f"{__package__}.") else ""


def is_plain(data: object) -> bool:
    """Whether `data[index]` alone reads a sample."""
    return not (isinstance(data, View) or _item_asks_for(type(data)))


def varies(data: Any) -> bool:
    """Whether the samples of some indices may be others in another epoch, random numbers aside."""
    return data.varies if isinstance(data, View) else "epoch" in _item_asks_for(type(data))


def asks_for(function: Callable[..., object] | None, filled: int = 1) -> tuple[str, ...]:
    """Returns which of `rng` and `epoch` a function that makes samples is given by name.

    Args:
        filled: how many of its first parameters are filled by position.
    """
    return named_parameters(function, ("rng", "epoch"), filled)


def named_values(names: Sequence[str], info: SampleInfo) -> dict[str, Any]:
    """Returns the values for such names."""
    return {name: info.rng if name == "rng" else info.epoch_idx for name in names}


def needs_rng(kind: type) -> bool:
    """Whether `__getitem__` of a class has a parameter `rng` without a default."""
    item: Callable[..., object] = kind.__getitem__  # type: ignore[attr-defined]
    return (
        "rng" in _item_asks_for(kind) and inspect.signature(item).parameters["rng"].default is inspect.Parameter.empty
    )


@functools.lru_cache(maxsize=256)
def _item_asks_for(kind: type) -> tuple[str, ...]:
    return asks_for(getattr(kind, "__getitem__", None), 2)  # after the object and the index


def describe_sample(data: object, index: int, epoch: int) -> str | None:
    """Returns what `source_info(index)` of the sample's source calls the sample, or None if it has no such method.

    Raises:
        Exception: the method raised it.
    """
    while isinstance(data, View):
        data, index = data.locate(index, epoch)
    name = getattr(data, "source_info", None)
    return str(name(index)) if callable(name) else None
