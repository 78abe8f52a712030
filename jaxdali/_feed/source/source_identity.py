"""What tells data and orders apart: records of JSON's types that are equal for equal data, wherever their files are."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigTypeError
from .access import View
from .arrays import Arrays
from .digests import digest_of, stratified
from .stream import Iterable

__all__ = ["identity_of_data", "identity_of_order"]

# How many names of files are looked at.
_NAMES = 1024
# A view of more sources than this has one hash for all of them.
_LISTED = 16


def identity_of_order(sampler: Any) -> dict[str, Any]:
    """Returns what tells a sampler from others: its own record, or a hash of its order in the first epoch."""
    named: dict[str, Any] = {"type": type(sampler).__name__, "samples": len(sampler)}
    own: Callable[[], dict[str, Any]] | None = getattr(sampler, "identity", None)
    if own is not None and type(sampler).__module__.startswith("jaxdali."):
        return {**named, **own()}
    indices = np.asarray(sampler.indices(0, stratified(len(sampler))))
    return {**named, "order": digest_of(indices.astype("<i8"))}


def identity_of_data(data: Any) -> dict[str, Any]:
    """Returns what tells data from others. Of a user's own class only its name and length are known, and what its method
    `source_identity()` returns, if there is one.

    Raises:
        ConfigTypeError: that is not of JSON's types.
    """
    if isinstance(data, View):
        return data.identity(_identities)
    if isinstance(data, Iterable):
        given = data.data.func if isinstance(data.data, functools.partial) else data.data
        named = getattr(given, "__name__", type(given).__name__)
        return {"type": "Iterable", "data": named, "shards": data.shards, "batched": data.batched, **_told(data.data)}
    known: dict[str, Any] = {"type": type(data).__name__, "samples": len(data), **_told(data)}
    if isinstance(data, Arrays):
        return known | _of_arrays(data.arrays)
    if type(data).__module__.startswith("jaxdali.") and callable(getattr(data, "source_info", None)):
        return known | {"files": _of_names(data)}
    return known


def _identities(sources: Sequence[Any]) -> list[dict[str, Any]]:
    found = [identity_of_data(source) for source in sources]
    if len(found) <= _LISTED:
        return found
    rest = found[_LISTED - 1 :]
    return [*found[: _LISTED - 1], {"sources": len(rest), "digest": digest_of(json.dumps(rest, sort_keys=True))}]


def _told(data: Any) -> dict[str, Any]:
    """Returns what the user's own method says."""
    tell: Callable[[], Any] | None = getattr(data, "source_identity", None)
    if not callable(tell):
        return {}
    told = tell()
    try:
        return {"identity": json.loads(json.dumps(told))}
    except (TypeError, ValueError) as error:
        raise ConfigTypeError(
            f"{type(data).__name__}.source_identity() must return what JSON can hold, such as a string or a dict of "
            f"strings and numbers, got {told!r:.80} ({error})"
        ) from None


def _of_arrays(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Returns names, types and shapes, and a hash of some rows of integers. Computed floats may differ in their last bits
    from machine to machine.
    """
    kinds = {name: f"{array.dtype}{list(array.shape)}" for name, array in arrays.items()}
    whole = [array[stratified(len(array), 16)] for _, array in sorted(arrays.items()) if array.dtype.kind in "bui"]
    return {"arrays": kinds, "integers": digest_of(*whole)}


def _of_names(data: Any) -> str:
    """Returns a hash of names of samples, below the folder that is common to all."""
    names = [str(data.source_info(index)) for index in stratified(len(data), _NAMES).tolist()]
    first, last = min(names), max(names)
    common = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    cut = first.rfind("/", 0, common) + 1
    return digest_of([name[cut:] for name in names])
