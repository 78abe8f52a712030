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

    def _kept(name: str) -> Any:  # type: ignore[misc]
        def method(self: Unread, *args: Any, **kwargs: Any) -> None:
            """Adds to the object."""
            getattr(object.__getattribute__(self, "_target"), name)(*args, **kwargs)

        return method

    append, appendleft, extend, insert = map(_kept, ("append", "appendleft", "extend", "insert"))
    add, update, discard = map(_kept, ("add", "update", "discard"))
    write, writelines, flush = map(_kept, ("write", "writelines", "flush"))

    def __iadd__(self, values: Any) -> Unread:
        object.__getattribute__(self, "_target").extend(values)
        return self

    def __ior__(self, values: Any) -> Unread:
        object.__getattribute__(self, "_target").update(values)
        return self
