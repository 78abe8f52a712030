"""How a sample of a map-style source is read: through views of others, and with random numbers where it wants them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..aliases import Sample
from ..errors import SourceDataError
from ..source_infos import SampleInfo

__all__ = [
    "TOGETHER",
    "Chosen",
    "View",
    "describe_sample",
    "is_plain",
    "needs_rng",
    "read_sample",
    "read_samples",
    "reads_several",
    "takes_rng",
]


# Samples that `__getitems__` is asked for at a time: more of them would be in memory at the same time.
TOGETHER = 16


class View:
    """A map-style source whose samples are those of others.

    `data[i]` reads one as in epoch 0, and without random numbers; a Loader calls `read_sample`.
    """

    def __len__(self) -> int:
        raise NotImplementedError

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        """Which source has the sample, and its index there."""
        raise NotImplementedError

    @property
    def inner(self) -> list[Any]:
        """The sources that have its samples, as `locate` finds them; none: a sample is made of several."""
        return []

    def finish(self, sample: object, info: SampleInfo) -> Sample:
        """What becomes of the sample."""
        return sample

    def read(self, index: int, info: SampleInfo) -> Sample:
        """The sample, as `read_sample` wants it."""
        inner, inner_index = self.locate(index, info.epoch_idx)
        return self.finish(read_sample(inner, inner_index, info), info)

    def __repr__(self) -> str:
        return f"{type(self).__name__.lower()} of {len(self)} samples"

    def __getitem__(self, index: int) -> Sample:
        """A sample.

        Raises:
            IndexError: there is none of that index.
            StateError: it wants random numbers, which only a Loader gives.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} samples")
        return read_sample(self, index, SampleInfo(index, 0, 0, 0))


class Chosen(View):
    """A View whose samples are those of one source as they are, in another order or number."""

    def inner_indices(self, indices: np.ndarray) -> np.ndarray:
        """The indices in that source of samples of this one, `int64[n]` both."""
        raise NotImplementedError


def read_sample(data: Any, index: int, info: SampleInfo) -> Sample:
    """`data[index]`, or `data.__getitem__(index, rng)` if that has a parameter of the name `rng`.

    Args:
        info: whose `rng` it is given, and the epoch.
    """
    if isinstance(data, View):
        return data.read(index, info)
    if _item_takes_rng(type(data)):
        return data.__getitem__(index, rng=info.rng)
    return data[index]


def reads_several(data: Any) -> bool:
    """Whether it gives several samples per call, by `__getitems__(indices)`, or is made of what does."""
    if isinstance(data, View):
        return type(data).read is View.read and any(map(reads_several, data.inner))
    return not _item_takes_rng(type(data)) and callable(getattr(type(data), "__getitems__", None))


def read_samples(data: Any, indices: Sequence[int], infos: Sequence[SampleInfo]) -> Iterator[Any]:
    """What `read_sample` gives for each of several indices, in their order. Sources that give several samples per call are
    called for up to `TOGETHER` of them, when the first of these is asked for.

    Raises:
        SourceDataError: `__getitems__` returned something else than a list of as many samples.
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
        # To learn which of them it was, each is read by itself.
        yield from (data[index] for index in indices)
        error.add_note(f"raised by {type(data).__name__}.__getitems__, but by __getitem__ for none of its samples")
        raise
    if not isinstance(samples, Sequence) or len(samples) != len(indices):
        size = f" of {len(samples)}" if hasattr(samples, "__len__") else ""
        raise SourceDataError(
            f"{type(data).__name__}.__getitems__ was asked for {len(indices)} samples and returned a "
            f"{type(samples).__name__}{size}; expected a list of as many samples, each as __getitem__ gives it"
        )
    left = list(samples)[::-1]
    del samples
    while left:  # what was written is not kept
        yield left.pop()


def is_plain(data: object) -> bool:
    """Whether `data[index]` is all there is to reading a sample."""
    return not (isinstance(data, View) or _item_takes_rng(type(data)))


def takes_rng(function: Callable[..., object]) -> bool:
    """Whether a function has a parameter of the name `rng`."""
    try:
        return "rng" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # no function, or a builtin that does not tell
        return False


def needs_rng(function: Callable[..., object]) -> bool:
    """Whether it has one, and no value for it."""
    return takes_rng(function) and inspect.signature(function).parameters["rng"].default is inspect.Parameter.empty


@functools.lru_cache(maxsize=256)
def _item_takes_rng(kind: type) -> bool:
    return takes_rng(getattr(kind, "__getitem__", None))  # type: ignore[arg-type]


def describe_sample(data: object, index: int, epoch: int) -> str | None:
    """What `source_info(index)` of the source that has the sample calls it; None: it has no such method.

    Raises:
        Exception: what the method raises.
    """
    while isinstance(data, View):
        data, index = data.locate(index, epoch)
    name = getattr(data, "source_info", None)
    return str(name(index)) if callable(name) else None
