"""Saves a pipeline, its options and its graph, as bytes, and loads it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from jaxdali._base.documentation import page_url
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError, check_integer
from ..graph.document import check_size, parse
from ..graph.graph import Graph
from ..graph.json_values import from_plain, to_plain
from ..graph.save import dump_graph, load_graph
from ..planner.options import PipelineOptions
from .outputs import Declared
from .session import Session

__all__ = ["load", "load_saved_graph", "save"]

# Version 1 stored the calls of functions that defined the graph.
_VERSION = 2

# A saved pipeline contains no Python, so there is nothing to pickle; its position belongs to a checkpoint; and options
# without effect are not stored.
_NOT_SAVED = ("py_callback_pickler", "checkpoint", "seed", "stream_policy", "concurrency")


def save(session: Session) -> bytes:
    """See `Pipeline.serialize`.

    Raises:
        GraphError: the graph contains Python code, or the pipeline makes a part of larger batches.
    """
    hooks = session.definition.hooks
    if hooks.sets_up:
        raise GraphError(
            f"iter_setup of {type(hooks.owner).__name__} is Python code, which cannot be saved; call it yourself"
        )
    if session.part is not None:
        raise GraphError("the pipeline makes a part of an iterator's batches and cannot be saved; save one of your own")
    return _dump(session.definition.graph(), session.options, session.seed)


def _dump(graph: Graph, options: PipelineOptions, seed: int) -> bytes:
    fields = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    fields["py_num_workers"] = options.worker_count  # a cluster is not part of the pipeline
    record = {
        "format": "jaxdali.pipeline",
        "version": _VERSION,
        "options": {name: to_plain(value, {}) for name, value in fields.items() if name not in _NOT_SAVED},
        "seed": seed,
        "graph": dump_graph(graph),
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


# Errors that a document can cause in the code that reads it. MemoryError and interrupts are not the document's fault.
_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


def load(record: bytes | str | None) -> dict[str, Any]:
    """Returns what was saved: `options`, `seed`, and the `graph` that `load_saved_graph` reads.

    Raises:
        ConfigTypeError: it is neither bytes nor text.
        ConfigError: it is not a saved pipeline, or one of another version.
    """
    try:
        fields = parse(record or "")
        name, version = fields["format"], fields["version"]
    except _ERRORS as error:
        raise _broken(record, error) from error
    if name != "jaxdali.pipeline" or type(version) is not int or version != _VERSION:
        raise ConfigError(
            f"Error parsing serialized pipeline: it is of format {name!r:.40}, version {version!r:.40}; this jaxdali reads "
            f"'jaxdali.pipeline', version {_VERSION}: save it with this one ({page_url('versions', 'what-is-saved')})"
        )
    try:
        fields["options"] = {key: from_plain(value, []) for key, value in fields["options"].items()}
        check_integer("seed", fields["seed"], 0, (1 << 64) - 1)
        Declared.of(PipelineOptions.from_arguments(fields["options"]))
        return {name: fields[name] for name in ("options", "seed", "graph")}
    except ConfigError:
        raise  # about an option
    except _ERRORS as error:
        raise _broken(record, error) from error


def _broken(record: object, error: Exception) -> ConfigError:
    text = isinstance(record, bytes | bytearray | str)
    got = record[:80] if text else record  # type: ignore[index]
    kind = ConfigError if text or record is None else ConfigTypeError
    return kind(
        f"Error parsing serialized pipeline: expected what Pipeline.serialize() returned, got {got!r:.80} "
        f"({type(error).__name__}: {error!s:.300})"
    )


def load_saved_graph(fields: Mapping[str, Any]) -> Graph:
    """Returns the graph in what `load` returned.

    Raises:
        ConfigError: it is not a graph, or cannot be made any more, for example because a folder is empty now.
    """
    try:
        return load_graph(fields["graph"])
    except ConfigError:
        raise
    except _ERRORS as error:
        raise _broken(None if not isinstance(fields["graph"], dict) else "its graph", error) from error
