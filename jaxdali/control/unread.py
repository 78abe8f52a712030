"""An object that the branches of an `if` on a node leave with contents that cannot be selected sample by sample."""

from __future__ import annotations

from typing import Any

from ..graph.unset import Unset

__all__ = ["Unread"]


class Unread(Unset):
    """Stands for such an object until the pipeline is defined: it may be added to, as a record of what happened is, and
    whatever reads it raises an error that explains why it has no value.

    Args:
        reason: what the branches leave, and where they are.
        target: the object.
    """

    __slots__ = ("_target",)

    def __init__(self, reason: str, target: Any):
        super().__init__(reason)
        object.__setattr__(self, "_target", target)

    def append(self, value: object) -> None:
        object.__getattribute__(self, "_target").append(value)

    def extend(self, values: Any) -> None:
        object.__getattribute__(self, "_target").extend(values)

    def add(self, value: object) -> None:
        object.__getattribute__(self, "_target").add(value)

    def write(self, text: Any) -> Any:
        return object.__getattribute__(self, "_target").write(text)
