"""Map-style sources made of others: joined, selected, repeated or mapped. None of them reads ahead or copies."""

from __future__ import annotations

import bisect
import itertools
import os
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Sample
from jaxdali._base.source_infos import SampleInfo
from jaxdali.errors import ConfigError, SourceDataError, StateError, check_integer
from .access import ONLY_RNG, Chosen, Identities, View, asks_for, named_values, needs_rng, read_sample, varies
from .digests import digest_of

__all__ = ["check_sources", "concat", "filter", "map", "repeat", "subset"]


class Concat(View):
    def __init__(self, parts: Sequence[Any]):
        self._parts = list(parts)
        self._ends = list(itertools.accumulate(len(part) for part in self._parts))

    def __len__(self) -> int:
        return self._ends[-1]

    @property
    def inner(self) -> list[Any]:
        return self._parts

    def identity(self, identities: Identities) -> dict[str, Any]:
        return {"type": "concat", "of": identities(self._parts)}

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        part = bisect.bisect_right(self._ends, index)
        return self._parts[part], index - (self._ends[part - 1] if part else 0)


class Subset(Chosen):
    def __init__(self, data: Any, indices: Any):
        self._data = data
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    @property
    def inner(self) -> list[Any]:
        return [self._data]

    def identity(self, identities: Identities) -> dict[str, Any]:
        chosen = self._indices
        which: Any = digest_of(chosen) if isinstance(chosen, np.ndarray) else []
        if isinstance(chosen, range) and chosen:  # the same for equal ranges, which may have different ends
            which = [chosen[0], chosen[-1], chosen.step if len(chosen) > 1 else 1]
        return {"type": "subset", "samples": len(chosen), "indices": which, "of": identities(self.inner)}

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        return self._data, int(self._indices[index])

    def inner_indices(self, indices: np.ndarray) -> np.ndarray:
        chosen = self._indices
        return chosen.start + chosen.step * indices if isinstance(chosen, range) else chosen[indices]


class Repeat(Chosen):
    def __init__(self, data: Any, times: int):
        self._data = data
        self._times = times

    def __len__(self) -> int:
        return len(self._data) * self._times

    @property
    def inner(self) -> list[Any]:
        return [self._data]

    def identity(self, identities: Identities) -> dict[str, Any]:
        return {"type": "repeat", "times": self._times, "of": identities(self.inner)}

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        return self._data, index % len(self._data)

    def inner_indices(self, indices: np.ndarray) -> np.ndarray:
        return indices % len(self._data)


class Map(View):
    """Applies functions to each sample in turn: each gets what the one before it returned.

    Args:
        versions: of those functions that have one, in order.
    """

    def __init__(self, data: Any, functions: Sequence[Callable[..., Any]], versions: Sequence[str] = ()):
        self._data = data
        self._functions = tuple(functions)
        self._versions = tuple(versions)
        self._asked = tuple(asks_for(function) for function in functions)

    def __len__(self) -> int:
        return len(self._data)

    @property
    def inner(self) -> list[Any]:
        return [self._data]

    def identity(self, identities: Identities) -> dict[str, Any]:
        (inner,) = identities(self.inner)
        return {"type": "map", "versions": list(self._versions), "of": [inner]} if self._versions else inner

    @property
    def varies(self) -> bool:
        return any("epoch" in names for names in self._asked) or varies(self._data)

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        return self._data, index

    def finish(self, sample: Sample, info: SampleInfo) -> Sample:
        try:
            sample = _own(sample)
        except RecursionError:
            raise SourceDataError(
                f"map was given a {type(sample).__name__} that holds itself, or is nested deeper than Python can follow; a "
                "sample is a nesting of dicts, lists and tuples that ends in arrays, numbers, strings or bytes"
            ) from None
        for function, names in zip(self._functions, self._asked, strict=True):
            if not names:
                sample = function(sample)
            elif names == ONLY_RNG:
                sample = function(sample, rng=info.rng)
            else:
                sample = function(sample, **named_values(names, info))
        return sample

    def followed_by(self, function: Callable[..., Any], versions: Sequence[str]) -> Map:
        """Returns a Map that applies one more function to the samples of this one."""
        return Map(self._data, (*self._functions, function), (*self._versions, *versions))


def concat(*data: Any) -> View:
    """All samples of the first source, then those of the second, and so on.

    Args:
        data: at least one source with `__len__` and `__getitem__`; their samples have the same structure.

    Raises:
        ConfigError: an argument is not such a source.
    """
    if len(data) == 1 and isinstance(data[0], list | tuple) and any(_is_source(one) for one in data[0]):
        raise ConfigError("concat expects its sources one by one: concat(ours, theirs), or concat(*sources) for a list")
    return Concat(check_sources("concat", data))


def subset(data: Any, indices: Any) -> View:
    """Some of the samples, in the order given; one may come several times.

    Args:
        data: a source with `__len__` and `__getitem__`.
        indices: the samples to keep: a slice, integers from 0 to `len(data) - 1`, or `bool[len(data)]`.

    Raises:
        ConfigError: there are no such samples, or `data` is not such a source.
    """
    (data,) = check_sources("subset", (data,))
    if isinstance(indices, slice):
        return Subset(data, range(len(data))[indices])
    if isinstance(indices, range) and (not indices or (min(indices) >= 0 and max(indices) < len(data))):
        return Subset(data, indices)
    several = hasattr(indices, "__len__") or not hasattr(indices, "__iter__")
    chosen = np.asarray(indices if several else list(indices))
    if chosen.dtype == bool:
        if chosen.shape != (len(data),):
            raise ConfigError(f"subset: a mask must be bool[{len(data)}], one per sample, got bool{list(chosen.shape)}")
        return Subset(data, np.flatnonzero(chosen))
    if chosen.size == 0:
        chosen = chosen.astype(np.int64)
    if chosen.dtype.kind not in "iu" or chosen.ndim != 1:
        raise ConfigError(
            f"subset: indices must be a slice, integers or bool[{len(data)}], got {chosen.dtype}{list(chosen.shape)}"
        )
    if chosen.size and not 0 <= int(chosen.min()) <= int(chosen.max()) < len(data):
        wrong = int(chosen.min()) if chosen.min() < 0 else int(chosen.max())
        raise ConfigError(f"subset: index {wrong} is not one of the {len(data)} samples, 0 to {len(data) - 1}")
    return Subset(data, chosen.astype(np.int64))


def repeat(data: Any, times: int) -> View:
    """All samples, several times: one epoch of it is `times` epochs of `data`, which a Loader shuffles as one.

    Args:
        data: a source with `__len__` and `__getitem__`.
        times: how often each sample comes in an epoch.

    Raises:
        ConfigError: `times` is not an integer from 1 on, or `data` is not a source.
    """
    (data,) = check_sources("repeat", (data,))
    return Repeat(data, check_integer("times", times, 1))


def map(data: Any, function: Callable[..., Any], *, version: str | int | None = None) -> View:
    """Applies a function to each sample, in the worker that reads it.

    Args:
        data: a source with `__len__` and `__getitem__`.
        function: `function(sample)`, or `function(sample, rng, epoch)`: a parameter named `rng` receives a
            `numpy.random.Generator` whose draws depend on (seed of the Loader, epoch, index of the sample in the
            epoch). All functions that take one for the same sample share it, and draw in turn. One named `epoch` receives
            the number of the Loader's epoch, an int; outside of a Loader, 0. The dicts and lists of a
            sample of `data` are copies for the function to change; arrays in them are not copies, so copy them before
            you change them. Maps of maps pass on what the function before returned, without a copy.
        version: of the function. A Loader's state that was taken with another version is refused. None: the function
            does not count, and its samples are taken to be the same however it changed.

    Raises:
        ConfigError: `function` cannot be called, `version` is not text or a number, or `data` is not such a source.
    """
    (data,) = check_sources("map", (data,))
    if not callable(function):
        raise ConfigError(f"map: the function must be callable, got {type(function).__name__}")
    if not isinstance(version, str | int | None):
        raise ConfigError(f"map: the version must be a string or an integer, got {version!r:.80}")
    versions = () if version is None else (str(version),)
    return data.followed_by(function, versions) if type(data) is Map else Map(data, (function,), versions)


def filter(data: Any, keep: Callable[[Any], Any], cache: str | os.PathLike[str] | None = None) -> View:
    """The samples for which `keep` returns true. To find them, all samples are read once, in this process.

    Args:
        data: a source with `__len__` and `__getitem__`.
        keep: `keep(sample)`.
        cache: a file, `*.npy`, that keeps the answers: if it exists, nothing is read. Remove it when `data` or `keep`
            change; only the number of answers is checked.

    Raises:
        ConfigError: `keep` cannot be called, `data` is not such a source, draws random numbers, or has other samples in
            other epochs, or the file has other contents.
        OSError: the file cannot be read or written.
        Exception: what `data` and `keep` raise.
    """
    (data,) = check_sources("filter", (data,))
    if not callable(keep):
        raise ConfigError(f"filter: the function must be callable, got {type(keep).__name__}")
    if varies(data):
        raise ConfigError(
            "filter reads samples once, for all epochs, but these differ from epoch to epoch: filter the sources first, and "
            "mix what is left, or use the epoch in source.map(filtered, function)"
        )
    if cache is not None and os.path.exists(cache):
        return Subset(data, np.flatnonzero(_read_answers(cache, len(data))))
    try:
        samples = (_read_once(data, index) for index in range(len(data)))
        kept = np.fromiter((bool(keep(sample)) for sample in samples), np.bool_, len(data))
    except StateError as error:
        raise ConfigError(
            "filter reads samples once, for all epochs, so they cannot have random numbers: filter the data first, and "
            "draw in source.map(filtered, function)"
        ) from error
    if cache is not None:
        _write_answers(cache, kept)
    return Subset(data, np.flatnonzero(kept))


def _read_once(data: Any, index: int) -> Sample:
    """Reads a sample, the same for all epochs. Raises StateError if reading it takes random numbers."""
    if isinstance(data, View) or needs_rng(type(data)):
        return read_sample(data, index, SampleInfo(index, 0, 0, 0))
    return data[index]


def _is_source(value: Any) -> bool:
    """Whether `value` has samples, and is not a sample itself."""
    has_samples = hasattr(value, "__len__") and hasattr(value, "__getitem__") and not hasattr(value, "dtype")
    return has_samples and not isinstance(value, dict | list | tuple | str | bytes)


def check_sources(name: str, data: Sequence[Any]) -> Sequence[Any]:
    """Returns the sources. Raises ConfigError if there is none, or one cannot be indexed."""
    if not data:
        raise ConfigError(f"{name} expects at least one source")
    if name in ("map", "filter") and callable(data[0]) and not hasattr(data[0], "__getitem__"):
        raise ConfigError(f"{name} expects the data first, then the function: {name}(data, function)")
    for source in data:
        if not (hasattr(source, "__len__") and hasattr(source, "__getitem__")):
            raise ConfigError(
                f"{name} expects sources with __len__ and __getitem__, got {type(source).__name__}; list(...) makes "
                "such a source of an iterable that ends, and a stream does it itself, where it yields"
            )
    return data


def _own(sample: Sample) -> Sample:
    """Copies the dicts and lists of a sample, so that changing them does not change the data, which are read again."""
    if type(sample) is dict:
        return {key: _own(value) for key, value in sample.items()}
    if type(sample) is list:
        return [_own(value) for value in sample]
    return tuple(_own(value) for value in sample) if type(sample) is tuple else sample


def _read_answers(path: str | os.PathLike[str], length: int) -> np.ndarray:
    try:
        kept = np.load(path, allow_pickle=False)
    except ValueError as error:
        raise ConfigError(f"filter: {os.fspath(path)} holds no array ({error}); remove it") from error
    if getattr(kept, "dtype", None) != np.bool_ or kept.shape != (length,):
        raise ConfigError(
            f"filter: {os.fspath(path)} holds {getattr(kept, 'dtype', 'no array')}{list(getattr(kept, 'shape', ()))}, "
            f"expected bool[{length}], one for each sample; remove it, and the samples are read again"
        )
    return kept


def _write_answers(path: str | os.PathLike[str], kept: np.ndarray) -> None:
    """Writes the file in one step, so that an interrupt leaves no partial file."""
    folder, name = os.path.split(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with open(handle, "wb") as file:
            np.save(file, kept)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
