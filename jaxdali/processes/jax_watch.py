"""Notices in a worker that a source brought jax along, and says so in the parent.

Nothing in a worker needs jax. It costs each of them most of a second and hundreds of megabytes, and what computes with
it there competes with the pipeline; mostly it came by accident, with a module that the source happens to live in.
"""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

__all__ = ["JaxWarnings", "JaxWatch"]

_JAX = ("jax", "jaxlib")


class JaxWatch:
    """Asks now and then whether jax has been imported since it was made."""

    def __init__(self) -> None:
        self._seen = "jax" in sys.modules

    def message(self, source: str) -> dict[str, Any] | None:
        """What to tell the parent when jax is new here, else None. Told once.

        Args:
            source: description of the source that just did something.
        """
        if self._seen or "jax" not in sys.modules:
            return None
        self._seen = True
        return {"type": "jax", "source": source, "module": _importer()}


def _importer() -> str | None:
    """The outermost module whose globals hold jax or something of it, and who has it from that one's package: first the one
    that began it all. None where the source itself refers to jax.
    """
    # In the order in which imports ended: the one that began it all is the last.
    modules = [(name, module) for name, module in reversed(list(sys.modules.items())) if _root(name) not in _JAX]
    chain: list[str] = []
    roots: set[str] = set(_JAX)
    held = roots
    while True:
        name = next((name for name, module in modules if _root(name) not in roots and _holds(module, held)), None)
        if name is None:
            return ", which imports ".join(reversed(chain)) or None
        chain.append(name)
        # Only who was done later can have begun it.
        modules = modules[: [known for known, _ in modules].index(name)]
        held = {_root(name)}
        roots = roots | held


def _root(name: str) -> str:
    return name.partition(".")[0]


def _holds(module: object, roots: set[str]) -> bool:
    """Whether a module's globals hold a module, class or function of some packages."""
    if not isinstance(module, types.ModuleType):
        return False
    # As it stands: asking a module for an attribute may make it import more.
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
    """The parent's side: warns once a source, though every worker says it."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._due: list[dict[str, Any]] = []

    def add(self, message: dict[str, Any]) -> None:
        """Takes a message of a `JaxWatch`."""
        if message["source"] not in self._known:
            self._known.add(message["source"])
            self._due.append(message)

    def warn(self) -> None:
        """Warns of what was added. The filters may turn that into an exception; the next call goes on with the rest."""
        while self._due:
            _warn(self._due.pop(0))


def _warn(message: dict[str, object]) -> None:
    """Warns of a message of `JaxWatch`, at the line of the user's that runs the pipeline."""
    module = message["module"]
    how = f"through the module {module}" if module else "itself"
    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "jaxdali":
        level, frame = level + 1, frame.f_back
    warnings.warn(
        f"{message['source']} imports jax into the worker processes, {how}: each of them pays for its import "
        "and its memory. Move the source to a module that does not import jax, or import jax inside the functions that "
        "need it. If the source means to compute with jax, ignore this warning: workers only see the CPU.",
        UserWarning,
        stacklevel=level,
    )
