"""Notices in a worker that a source imported jax, and warns about it in the parent.

Workers do not need jax. Importing it costs each of them most of a second and hundreds of megabytes, and computing with
it there competes with the pipeline. Usually it comes in by accident, with the module in which the source is defined.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from jaxdali._base.user_warnings import warn_user

__all__ = ["JaxWarnings", "JaxWatch"]

_JAX = ("jax", "jaxlib")


class JaxWatch:
    """Checks on request whether jax has been imported since this object was made."""

    def __init__(self) -> None:
        self._seen = "jax" in sys.modules

    def message(self, source: str) -> dict[str, Any] | None:
        """Returns the message for the parent if jax was newly imported, else None. Reports it only once.

        Args:
            source: description of the source that just ran.
        """
        if self._seen or "jax" not in sys.modules:
            return None
        self._seen = True
        return {"type": "jax", "source": source, "module": _importer()}


def _importer() -> str | None:
    """Returns the outermost module whose globals hold jax or something from it, followed by the modules that import
    that one's package: the module that started the chain comes first. None if the source itself refers to jax.
    """
    # sys.modules is in the order in which imports ended, so the module that started the chain is the last.
    modules = [(name, module) for name, module in reversed(list(sys.modules.items())) if _root(name) not in _JAX]
    chain: list[str] = []
    roots: set[str] = set(_JAX)
    held = roots
    while True:
        name = next((name for name, module in modules if _root(name) not in roots and _holds(module, held)), None)
        if name is None:
            return ", which imports ".join(reversed(chain)) or None
        chain.append(name)
        # Only a module whose import ended later can have started this one.
        modules = modules[: [known for known, _ in modules].index(name)]
        held = {_root(name)}
        roots = roots | held


def _root(name: str) -> str:
    return name.partition(".")[0]


def _holds(module: object, roots: set[str]) -> bool:
    """Whether a module's globals hold a module, class or function from one of the packages in `roots`."""
    if not isinstance(module, types.ModuleType):
        return False
    # Bypasses the module's own __getattr__, which may import more.
    values = types.ModuleType.__getattribute__(module, "__dict__").values()
    return any(_package_of(value) in roots for value in list(values))


def _package_of(value: object) -> str | None:
    if isinstance(value, types.ModuleType):
        origin = value.__name__
    elif isinstance(value, type | types.FunctionType):
        origin = value.__module__
    else:
        return None
    return _root(origin) if isinstance(origin, str) else None


class JaxWarnings:
    """The parent's side: warns once per source, even if every worker reports it."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._due: list[dict[str, Any]] = []

    def add(self, message: dict[str, Any]) -> None:
        """Takes a message of a `JaxWatch`."""
        if message["source"] not in self._known:
            self._known.add(message["source"])
            self._due.append(message)

    def warn(self) -> None:
        """Issues the pending warnings. If a filter makes one an exception, the next call continues."""
        while self._due:
            _warn(self._due.pop(0))


def _warn(message: dict[str, object]) -> None:
    """Warns about a message of `JaxWatch`, at the line of user code that runs the pipeline."""
    module = message["module"]
    how = f"through the module {module}" if module else "itself"
    warn_user(
        f"{message['source']} imports jax into the worker processes, {how}: each of them pays for its import "
        "and its memory. Move the source to a module that does not import jax, or import jax inside the functions that "
        "need it. If the source means to compute with jax, ignore this warning: workers only see the CPU.",
        UserWarning,
    )
