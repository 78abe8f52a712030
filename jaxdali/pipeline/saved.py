"""A pipeline as a file: its options, and the calls that drew its graph, to be called again."""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ConfigError, ConfigTypeError, GraphError, check_integer
from ..source.fed import FedSource
from .definition import Definition
from .document import MOST_CALLS, check_size, parse
from .identity import calls_of
from .node import DataNode, Operator, spoken
from .options import PipelineOptions
from .outputs import Declared
from .plain import from_plain, to_plain
from .recording import recorded_functions
from .session import Session
from .source_spec import SourceSpec
from .trace import Graph

__all__ = ["load", "redraw", "save"]

_VERSION = 1

# A saved pipeline has no Python in it, so nothing that would have to be pickled; and where it goes on is a checkpoint's.
_NOT_SAVED = ("py_callback_pickler", "checkpoint", "seed")


def save(session: Session) -> bytes:
    """See `Pipeline.serialize`.

    Raises:
        GraphError: the graph has Python in it; or the pipeline makes a part of larger batches.
    """
    hooks = session.definition.hooks
    if hooks.sets_up:
        raise GraphError(
            f"iter_setup of {type(hooks.owner).__name__} is Python, which cannot be saved; call it yourself"
        )
    if session.part is not None:
        raise GraphError("the pipeline makes a part of an iterator's batches, which is not saved; save one of your own")
    return _dump(session.definition.graph(), session.options, session.seed)


def redraw(definition: Definition, fields: Mapping[str, Any]) -> None:
    """Draws what `load` read."""
    with definition.drawing() as graph:
        outputs = _replay(fields, graph)
    definition.set_outputs(*outputs)


def _dump(graph: Graph, options: PipelineOptions, seed: int) -> bytes:
    if graph.outputs is None:
        raise GraphError("the pipeline has no outputs yet; call set_outputs")
    calls = []
    for call, made in calls_of(graph):
        for operator in made:
            _check(operator)
        try:
            values = [to_plain(value, graph) for value in call.arguments]
            named = {name: to_plain(value, graph) for name, value in call.keywords.items()}
        except ConfigTypeError as error:
            raise GraphError(f"an argument of {_place(made)} cannot be saved: {error}") from error
        sites = [operator.site for operator in made]
        calls.append({"function": call.function, "arguments": values, "keywords": named, "sites": sites})
    done = sum(call.operators for call in graph.calls)
    if done != len(graph.operators):
        raise GraphError(f"not all operators were drawn by functions of jaxdali: {_place(graph.operators[done:])}")
    if len(calls) > MOST_CALLS:
        raise GraphError(f"a graph of {len(calls)} calls cannot be saved, at most {MOST_CALLS} can")
    fields = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    record = {
        "format": "jaxdali.pipeline",
        "version": _VERSION,
        "options": {name: to_plain(value, graph) for name, value in fields.items() if name not in _NOT_SAVED},
        "seed": seed,
        "calls": calls,
        "outputs": [to_plain(node, graph) for node in graph.outputs],
        "sinks": [to_plain(node, graph) for node in graph.sinks],
    }
    document = json.dumps(record).encode()
    try:
        check_size(document)
    except ValueError as error:
        raise GraphError(
            f"the pipeline is too large to be saved: {error}. Leave long lists and large arrays to files, such as the "
            "file_list= of fn.readers.file"
        ) from error
    return document


def _check(operator: Operator) -> None:
    spec = operator.settings
    if isinstance(spec, SourceSpec) and not isinstance(spec.source, FedSource):
        raise GraphError(
            f"the external_source {operator.name!r}, defined at {operator.site}, has a source, which is Python and is "
            "not saved: leave source= out, give it a name=, and hand batches to feed_input; or read files with "
            "fn.readers.file"
        )


def _place(operators: list[Operator]) -> str:
    return f"{spoken(operators[0].kind)} at {operators[0].site}" if operators else "a call that drew nothing"


# What a document can make the code that reads it raise. MemoryError and interrupts are not the document's.
_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


def load(record: bytes | str | None) -> dict[str, Any]:
    """What was saved: `options`, `seed`, and what `redraw` draws.

    Raises:
        ConfigError: it is no saved pipeline, or one of another version.
    """
    try:
        fields = parse(record or "")
        name, version = fields["format"], fields["version"]
    except _ERRORS as error:
        raise _broken(record, error) from error
    if name != "jaxdali.pipeline" or type(version) is not int or version != _VERSION:
        raise ConfigError(
            f"Error parsing serialized pipeline: it is of format {name!r:.40}, version {version!r:.40}; this jaxdali reads "
            f"'jaxdali.pipeline', version {_VERSION}"
        )
    try:
        empty = Graph()
        fields["options"] = {key: from_plain(value, empty) for key, value in fields["options"].items()}
        check_integer("seed", fields["seed"], 0, (1 << 64) - 1)
        Declared.of(PipelineOptions.from_arguments(fields["options"]))
        if len(fields["calls"]) > MOST_CALLS:
            raise ValueError(f"{len(fields['calls'])} calls, expected at most {MOST_CALLS}")
        return {name: fields[name] for name in ("options", "seed", "calls", "outputs", "sinks")}
    except ConfigError:
        raise  # of an option
    except _ERRORS as error:
        raise _broken(record, error) from error


def _broken(record: Any, error: Exception) -> ConfigError:
    got = record[:80] if isinstance(record, bytes | bytearray | str) else record
    return ConfigError(
        f"Error parsing serialized pipeline: expected what Pipeline.serialize() returned, got {got!r:.80} "
        f"({type(error).__name__}: {error!s:.300})"
    )


def _functions() -> Mapping[str, Callable[..., Any]]:
    # The functions of `fn` enter the table when they are imported; fn stands above this file and may not be written here.
    importlib.import_module("jaxdali.fn")
    return recorded_functions()


def _replay(fields: Mapping[str, Any], graph: Graph) -> list[Any]:
    """Draws what was saved; returns the outputs."""
    functions = _functions()
    part: Any = None
    try:
        for part in fields["calls"]:
            before = len(graph.operators)
            if part["function"] not in functions:
                raise ValueError(f"there is no function {part['function']!r:.80}")
            values = [from_plain(value, graph) for value in part["arguments"]]
            named = {name: from_plain(value, graph) for name, value in part["keywords"].items()}
            functions[part["function"]](*values, **named)
            for operator, site in zip(graph.operators[before:], part["sites"], strict=True):
                _check(operator)
                operator.site = str(site)
        for part in fields["sinks"]:
            graph.add_sink(from_plain(part, graph))
        outputs = []
        for part in fields["outputs"]:
            outputs.append(from_plain(part, graph))
            if not isinstance(outputs[-1], DataNode):
                raise TypeError(f"an output that is a {type(outputs[-1]).__name__}")
        return outputs
    except ConfigError:
        raise  # a function's own, such as of a folder that is empty now
    except _ERRORS as error:
        raise _broken(part, error) from error
