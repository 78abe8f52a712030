"""How a sample of a map-style source is read: through views of others, and with random numbers where it wants them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..source_infos import SampleInfo

__all__ = ["View", "describe_sample", "is_plain", "needs_rng", "read_sample", "takes_rng"]


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

    def finish(self, sample: Any, info: SampleInfo) -> Any:
        """What becomes of the sample."""
        return sample

    def read(self, index: int, info: SampleInfo) -> Any:
        """The sample, as `read_sample` wants it."""
        inner, place = self.locate(index, info.epoch_idx)
        return self.finish(read_sample(inner, place, info), info)

    def __repr__(self) -> str:
        return f"{type(self).__name__.lower()} of {len(self)} samples"

    def __getitem__(self, index: int) -> Any:
        """A sample.

        Raises:
            IndexError: there is none of that index.
            StateError: it wants random numbers, which only a Loader gives.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} samples")
        return read_sample(self, index, SampleInfo(index, 0, 0, 0))


def read_sample(data: Any, index: int, info: SampleInfo) -> Any:
    """`data[index]`, or `data.__getitem__(index, rng)` if that has a parameter of the name `rng`.

    Args:
        info: whose `rng` it is given, and the epoch.
    """
    if isinstance(data, View):
        return data.read(index, info)
    if _item_takes_rng(type(data)):
        return data.__getitem__(index, rng=info.rng)
    return data[index]


def is_plain(data: Any) -> bool:
    """Whether `data[index]` is all there is to reading a sample."""
    return not (isinstance(data, View) or _item_takes_rng(type(data)))


def takes_rng(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter of the name `rng`."""
    try:
        return "rng" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # no function, or a builtin that does not tell
        return False


def needs_rng(function: Callable[..., Any]) -> bool:
    """Whether it has one, and no value for it."""
    return takes_rng(function) and inspect.signature(function).parameters["rng"].default is inspect.Parameter.empty


@functools.lru_cache(maxsize=256)
def _item_takes_rng(kind: type) -> bool:
    return takes_rng(getattr(kind, "__getitem__", None))  # type: ignore[arg-type]


def describe_sample(data: Any, index: int, epoch: int) -> str | None:
    """What `source_info(index)` of the source that has the sample calls it; None: it has no such method.

    Raises:
        Exception: what the method raises.
    """
    while isinstance(data, View):
        data, index = data.locate(index, epoch)
    name = getattr(data, "source_info", None)
    return str(name(index)) if callable(name) else None
