"""The stages of a batch in JAX's profiler: what the consumer's thread does for its input, and what it waits for.

jaxdali.source    waits for sources
jaxdali.prepare   describes images, and gives them to a decoder
jaxdali.decoder   waits for a decoder
jaxdali.dispatch  puts operands on the device and starts the device function; if that is new, traces and compiles it
jaxdali.device    waits for what is only known after the device function has run
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["stage", "staged"]

T = TypeVar("T")

_NOTHING = contextlib.nullcontext()


def stage(name: str, step: Any = None) -> contextlib.AbstractContextManager[object]:
    """Returns a context that shows as a named block in traces of `jax.profiler`; without a trace it costs under 1 us.

    Args:
        name: of the stage, without "jaxdali.".
        step: a `Step`, whose epoch and iteration the trace shows.
    """
    # If nobody has imported jax.profiler, nobody is tracing.
    annotation = getattr(sys.modules.get("jax.profiler"), "TraceAnnotation", None)
    if annotation is None or not annotation.is_enabled():
        return _NOTHING
    return _named(annotation, name, step)


def staged(name: str, work: Callable[..., T], *arguments: Any) -> T:
    """Calls `work` within `stage`, which costs every batch less than `with` does.

    Args:
        arguments: those of `work`; the first one, if there is any, is a `Step`.
    """
    annotation = getattr(sys.modules.get("jax.profiler"), "TraceAnnotation", None)
    if annotation is None or not annotation.is_enabled():
        return work(*arguments)
    with _named(annotation, name, *arguments[:1]):
        return work(*arguments)


def _named(annotation: Any, name: str, step: Any = None) -> contextlib.AbstractContextManager[object]:
    if step is None:
        return annotation(f"jaxdali.{name}")
    return annotation(f"jaxdali.{name}", epoch=step.epoch, iteration=step.iteration)
