"""Takes apart objects of classes that are registered with JAX as pytrees, in workers, which do not load jax."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import SourceDataError

__all__ = ["Registered", "static_parts"]


@dataclasses.dataclass(frozen=True, eq=False)
class Registered:
    """How objects of one class come apart, and together again.

    Attributes:
        cls: the class.
        names: what its parts are called: attributes, or indices of what `tree_flatten` returns.
        static: what else the first sample's object holds; batches have the same.
        make: makes an object of the parts that a batch has; only the process that made this has it.
    """

    cls: type
    names: tuple[Any, ...]
    static: Any
    make: Callable[[Sequence[object]], object] | None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "make": None}

    def parts(self, value: Any) -> list[Any]:
        """Returns the parts of an object of the class, in the order of `names`."""
        if not self.names or isinstance(self.names[0], int):
            return list(value.tree_flatten()[0]) if self.names else []
        return [getattr(value, name) for name in self.names]

    def checked_parts(self, value: object, where: str) -> list[Any]:
        """Returns the parts of a later sample's object.

        Args:
            where: its place in the sample, for errors.

        Raises:
            SourceDataError: it is of another class, or differs in more than its parts.
        """
        kind = self.cls.__name__
        if type(value) is not self.cls:
            raise SourceDataError(
                f"sample{where} is a {type(value).__name__}, but the first sample of the source had a {kind} there; every "
                "sample must be nested in the same way"
            )
        parts = self.parts(value)
        if len(parts) != len(self.names):
            raise SourceDataError(
                f"sample{where}, a {kind}, has {len(parts)} parts, but {len(self.names)} in the first sample of the source"
            )
        if not _are_equal(static := static_parts(value, self.names), self.static):
            raise SourceDataError(
                f"sample{where}, a {kind}, has the static part {static!r:.200}, but the first sample of the source "
                f"{self.static!r:.200}, and a batch has one for all: have samples agree in it, or register what differs as "
                "data"
            )
        return parts

    def rebuild(self, parts: Sequence[object]) -> object:
        """Returns an object of the class, with the first sample's static part."""
        assert self.make is not None
        return self.make(parts)


def static_parts(value: Any, names: Sequence[object]) -> Any:
    """Returns what an object holds besides its parts, as far as its class says."""
    if dataclasses.is_dataclass(value):
        return {
            field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.name not in names
        }
    return value.tree_flatten()[1] if hasattr(value, "tree_flatten") else None


def _are_equal(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception as error:  # of several numbers: JAX cannot compare them either
        if is_interruption(error):
            raise
        return False
