"""Computes the identity of a pipeline: the calls of its graph, and the options that change its batches.

An identity is the same in every process, because it contains no closures, addresses or ids.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigTypeError
from .call import Call
from .graph import Graph
from .json_values import KIND, to_plain

__all__ = ["Identity", "describe_difference", "identify"]

_LONGEST = 40  # characters of an argument in a checkpoint
_CHUNK = 1 << 20


@dataclasses.dataclass(frozen=True)
class Identity:
    """What a checkpoint stores about its pipeline.

    Attributes:
        digest: of everything; different pipelines have different digests.
        options: those of the pipeline's options that change its batches.
        calls: for each call its operator and arguments, shortened, to tell users what differs.
    """

    digest: str
    options: Mapping[str, object]
    calls: Sequence[tuple[str, Mapping[str, str]]]


def identify(graph: Graph, options: Mapping[str, object]) -> Identity:
    """Computes the identity of a graph.

    Args:
        options: the pipeline's options that change its batches. Where it runs, how far ahead and on how many threads
            does not.
    """
    numbers = {call: number for number, call in enumerate(graph.calls)}
    parts: list[Any] = [dict(options)]
    short = []
    for call in graph.calls:
        identity, usual = call.operator.identity(call)
        given = {"name": call.name if call.named else None, "device": call.device, **identity}
        plain = {name: _canonical(value, numbers) for name, value in given.items()}
        inputs = [_canonical(node, numbers) for node in call.inputs]
        branch = [_canonical(pair, numbers) for pair in call.branch]
        defaults = {"name": None, "device": "cpu", **{name: _canonical(value, {}) for name, value in usual.items()}}
        # Without defaults, so that it stays the same when a later version has more parameters.
        told = {name: value for name, value in plain.items() if value != defaults.get(name, ...)}
        parts.append([call.operator.name, {**told}, inputs, call.number, *([branch] if branch else [])])
        if inputs:
            told["inputs"] = inputs
        short.append((call.operator.display_name, {name: _shortened(value, graph) for name, value in told.items()}))
    parts.append([_canonical(node, numbers) for node in graph.outputs])
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
    return Identity(digest, dict(options), short)


def describe_difference(mine: Identity, taken: Identity, graph: Graph) -> str:
    """Describes the first difference between this pipeline and the one of the checkpoint."""
    for name, value in mine.options.items():
        if taken.options.get(name) != value:
            return f"{name}={value!r} is given, but the checkpoint's pipeline has {name}={taken.options.get(name)!r}"
    for number, ((operator, given), call) in enumerate(zip(mine.calls, graph.calls, strict=True)):
        described = f"{operator}, defined at {call.site},"
        if number == len(taken.calls):
            return f"{described} is one call more than the checkpoint's pipeline has"
        other, told = taken.calls[number]
        if other != operator:
            return f"call {number} is {described} but in the checkpoint's pipeline it is {other}"
        for name in [*given, *told]:
            if given.get(name) != told.get(name):
                return (
                    f"{described} has {_display_name(name, given)}, but in the checkpoint's pipeline it has "
                    f"{_display_name(name, told)}"
                )
    if len(taken.calls) > len(mine.calls):
        return f"the checkpoint's pipeline has one call more, of {taken.calls[len(mine.calls)][0]}"
    return "its outputs, or the numbers of its random operators, differ"


def _display_name(name: str, given: Mapping[str, str]) -> str:
    return f"{name}={given[name]}" if name in given else f"no {name}="


def _canonical(value: object, calls: Mapping[Call, int]) -> object:
    """Returns a value in the form of a saved pipeline, except that lists and tuples are alike and arrays are digests."""
    try:
        return _lists(to_plain(value, calls, pack=_digest))
    except ConfigTypeError:  # it cannot be saved; its type is all that is the same in another process
        return {KIND: "object", "type": type(value).__qualname__}


def _lists(plain: object) -> object:
    if isinstance(plain, list):
        return [_lists(entry) for entry in plain]
    if isinstance(plain, dict):
        if plain[KIND] == "tuple":
            return _lists(plain["entries"])
        return {name: _lists(entry) for name, entry in plain.items()}
    return plain


def _digest(array: np.ndarray) -> str:
    found = hashlib.sha256()
    # In chunks: a broadcast array may be large while it has little memory of its own.
    for start in range(0, array.size, _CHUNK):
        found.update(array.flat[start : start + _CHUNK].tobytes())
    return found.hexdigest()[:16]


def _shortened(plain: object, graph: Graph) -> str:
    """Returns a value as one line of ASCII, for people."""
    text = json.dumps(_readable(plain, graph))
    if len(text) > _LONGEST:
        digest = hashlib.sha256(text.encode()).hexdigest()
        text = f"{text[: _LONGEST - 13]}... #{digest[:8]}"
    return text


def _readable(plain: object, graph: Graph) -> object:
    if isinstance(plain, list):
        return [_readable(entry, graph) for entry in plain]
    if not isinstance(plain, dict):
        return plain
    if plain[KIND] == "node":
        call = graph.calls[plain["call"]]
        # Automatic names also count calls that are not used.
        return call.outputs[plain["output"]].name if call.named else f"call {plain['call']}, output {plain['output']}"
    if plain[KIND] in ("array", "scalar"):
        return f"{plain['dtype']}{plain['shape']} #{plain['data'][:8]}"
    rest = {name: _readable(entry, graph) for name, entry in plain.items() if name != KIND}
    return next(iter(rest.values())) if len(rest) == 1 else rest
