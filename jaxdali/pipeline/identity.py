"""What makes a pipeline another one: the calls that drew its graph, its sources and readers, and the options that change
what comes out. It is the same in every process: there is nothing in it of closures, addresses or ids.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ConfigTypeError
from .node import Operator, spoken
from .options import PipelineOptions
from .plain import KIND, to_plain
from .reader_spec import ReaderSpec
from .recording import Call, recorded_functions
from .source_spec import SourceSpec
from .trace import Graph

__all__ = ["Identity", "describe_difference", "identify"]

# Of a pipeline's options those that change its batches; where it runs, how far ahead and on how many threads does not.
_OPTIONS = ("batch_size", "on_error", "max_image_pixels")

# Arguments of calls that change nothing.
_WITHOUT_EFFECT = {"bytes_per_sample_hint", "preserve"}

# What a checkpoint need not say of sources and readers.
_SOURCE_DEFAULTS = {
    **dict.fromkeys(("name", "cycle", "num_outputs", "dtype", "ndim", "layout")),
    "device": "cpu",
}
_READER_DEFAULTS = {
    **{"name": None, "device": "cpu", "shard_id": 0, "num_shards": 1, "seed": None, "shuffle_after_epoch_seed": None},
    **dict.fromkeys(("stick_to_shard", "pad_last_batch", "random_shuffle", "shuffle_after_epoch"), False),
}

_LONGEST = 40  # letters of an argument in a checkpoint
_CHUNK = 1 << 20


@dataclasses.dataclass(frozen=True)
class Identity:
    """What a checkpoint keeps of the pipeline that it was taken of.

    Attributes:
        digest: of everything; another pipeline has another one.
        options: of the pipeline, those that count.
        calls: of each call the name of its function, and what was given to it, shortened: enough to say what differs.
    """

    digest: str
    options: Mapping[str, Any]
    calls: Sequence[tuple[str, Mapping[str, str]]]


def identify(graph: Graph, options: PipelineOptions) -> Identity:
    """Reads a graph. A source that is Python is known by its kind; the user's functions are not looked into."""
    counted = {name: getattr(options, name) for name in _OPTIONS}
    parts: list[Any] = [counted]
    short = []
    for call, made in calls_of(graph):
        given, defaults = _arguments(call, made, graph)
        parts.append([call.function, given, [[op.kind, op.name, op.random_index] for op in made]])
        told = {name: value for name, value in given.items() if value != defaults.get(name, ...)}
        short.append((_called(call, made), {name: _shortened(value, graph) for name, value in told.items()}))
    # What no recorded call has drawn.
    parts.append([[op.kind, op.name, op.random_index, [node.name for node in op.inputs]] for op in graph.operators])
    parts.append([node.name for node in graph.outputs or ()])
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
    return Identity(digest, counted, short)


def calls_of(graph: Graph) -> Iterator[tuple[Call, list[Operator]]]:
    """The recorded calls, and the operators that each has drawn."""
    done = 0
    for call in graph.calls:
        yield call, graph.operators[done : done + call.operators]
        done += call.operators


def describe_difference(mine: Identity, taken: Identity, graph: Graph) -> str:
    """Says what is the first to differ: here, and where the checkpoint was taken."""
    for name, value in mine.options.items():
        if taken.options.get(name) != value:
            return f"{name}={value!r} is given, and the checkpoint's has {name}={taken.options.get(name)!r}"
    sites = [made[0].site if made else "" for _, made in calls_of(graph)]
    for number, ((function, given), site) in enumerate(zip(mine.calls, sites, strict=True)):
        place = f"{function}, defined at {site}," if site else function
        if number == len(taken.calls):
            return f"{place} is a call more than the checkpoint's has"
        other, told = taken.calls[number]
        if other != function:
            return f"call {number} is {place} and the checkpoint's is {other}"
        for name in [*given, *told]:
            if given.get(name) != told.get(name):
                return f"{place} has {_spoken(name, given)}, and the checkpoint's has {_spoken(name, told)}"
    if len(taken.calls) > len(mine.calls):
        return f"the checkpoint's has a call more, of {taken.calls[len(mine.calls)][0]}"
    return "its outputs, or what this version of jaxdali does by default"


def _spoken(name: str, given: Mapping[str, str]) -> str:
    return f"{name}={given[name]}" if name in given else f"no {name}="


def _called(call: Call, made: Sequence[Operator]) -> str:
    return spoken(made[0].kind) if made else call.function


def _arguments(call: Call, made: Sequence[Operator], graph: Graph) -> tuple[dict[str, Any], dict[str, Any]]:
    """All arguments of a call, as JSON has them, and those that it has by default.

    Sources and readers are known by what they give, not by how they were written.
    """
    specs = [operator.settings for operator in made]
    sources = [spec for spec in specs if isinstance(spec, SourceSpec)]
    given: dict[str, Any] = {"name": call.keywords.get("name"), "device": call.keywords.get("device", "cpu")}
    if sources:
        return given | _describe_sources(sources), _SOURCE_DEFAULTS
    if specs and isinstance(specs[0], ReaderSpec):
        return given | _describe_reader(specs[0]), _READER_DEFAULTS
    signature = inspect.signature(recorded_functions()[call.function])
    bound = signature.bind(*call.arguments, **call.keywords)
    bound.apply_defaults()
    given, defaults = {}, {}
    for name, parameter in signature.parameters.items():
        # The arguments in **dali have one value that is accepted, which is the usual one.
        if parameter.kind is not parameter.VAR_KEYWORD and name not in _WITHOUT_EFFECT:
            given[name] = _canonical(bound.arguments[name], graph)
            if parameter.default is not parameter.empty:
                defaults[name] = _canonical(parameter.default, graph)
    return given, defaults


def _describe_sources(specs: Sequence[SourceSpec]) -> dict[str, Any]:
    """Of one call; what is fed has a specification for each output."""
    first = specs[0]
    return {
        "source": first.kind.name,
        "batch": first.batch,
        "cycle": None if first.cycle is None else str(first.cycle),
        "num_outputs": first.num_outputs,
        "dtype": _several([dtype and dtype.name for spec in specs for dtype in spec.dtype]),
        "ndim": _several([ndim for spec in specs for ndim in spec.ndim]),
        "layout": _several([layout for spec in specs for layout in spec.layout]),
    }


def _several(values: list[Any]) -> list[Any] | None:
    return None if all(value is None for value in values) else values


def _describe_reader(spec: ReaderSpec) -> dict[str, Any]:
    return {
        "epoch_size": len(spec.files),
        **spec.sharding,
        "seed": spec.seed,
        "shuffle_after_epoch_seed": spec.shuffle_after_epoch_seed,
        "files": spec.files.digest()[:16],
    }


def _canonical(value: Any, graph: Graph) -> Any:
    """A value as a saved pipeline has it, but lists and tuples alike, and arrays by their digest."""
    try:
        return _lists(to_plain(value, graph, pack=_digest))
    except ConfigTypeError:  # nobody could save it; so much of it is the same in another process
        return {KIND: "object", "type": type(value).__qualname__}


def _lists(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_lists(entry) for entry in plain]
    if isinstance(plain, dict):
        if plain[KIND] == "tuple":
            return _lists(plain["entries"])
        return {name: _lists(entry) for name, entry in plain.items()}
    return plain


def _digest(array: np.ndarray) -> str:
    found = hashlib.sha256()
    # Part by part: one number may fill a large array, which has no memory of its own then.
    for start in range(0, array.size, _CHUNK):
        found.update(array.flat[start : start + _CHUNK].tobytes())
    return found.hexdigest()[:16]


def _shortened(plain: Any, graph: Graph) -> str:
    """For people, in one line of ASCII."""
    text = json.dumps(_readable(plain, graph))
    if len(text) > _LONGEST:
        digest = hashlib.sha256(text.encode()).hexdigest()
        text = f"{text[: _LONGEST - 13]}... #{digest[:8]}"
    return text


def _readable(plain: Any, graph: Graph) -> Any:
    if isinstance(plain, list):
        return [_readable(entry, graph) for entry in plain]
    if not isinstance(plain, dict):
        return plain
    if plain[KIND] == "node":
        return graph.operators[plain["operator"]].outputs[plain["output"]].name
    if plain[KIND] in ("array", "scalar"):
        return f"{plain['dtype']}{plain['shape']} #{plain['data'][:8]}"
    rest = {name: _readable(entry, graph) for name, entry in plain.items() if name != KIND}
    return next(iter(rest.values())) if len(rest) == 1 else rest
