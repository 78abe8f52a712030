"""The value of a variable that the branches of an `if` on a node leave without one value per sample."""

from __future__ import annotations

import collections
from typing import Any, NoReturn

from jaxdali.errors import GraphError

__all__ = ["Unset", "check_set", "check_whole"]


class Unset:
    """Stands for such a variable: using it raises an error that explains why it has no value.

    Args:
        reason: what the branches leave, and where they are.
    """

    __slots__ = ("_reason",)

    def __init__(self, reason: str):
        object.__setattr__(self, "_reason", reason)

    def __repr__(self) -> str:
        return object.__getattribute__(self, "_reason")

    def _raise(self, *_: object, **__: object) -> NoReturn:
        raise GraphError(f"{self!r}")

    __getattr__ = __getitem__ = __setitem__ = __iter__ = __len__ = __bool__ = __call__ = __contains__ = _raise
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _raise
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _raise
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = _raise
    __rshift__ = __rrshift__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _raise  # type: ignore[assignment]
    __neg__ = __pos__ = __invert__ = __abs__ = __int__ = __float__ = __index__ = __array__ = _raise
    __setattr__ = __enter__ = __exit__ = __reduce__ = _raise
    __hash__ = __str__ = __format__ = _raise  # type: ignore[assignment]


def check_set(value: Any) -> Any:
    """Returns a value.

    Raises:
        GraphError: it stands for one that samples do not have.
    """
    if isinstance(value, Unset):
        value._raise()
    return value


def check_whole(value: Any) -> Any:
    """Returns an object.

    Raises:
        GraphError: it stands for a value that samples do not have, or is a dictionary with such entries, so that samples
            have different ones.
    """
    if isinstance(value, collections.UserDict):
        check_whole(value.data)
    elif isinstance(value, collections.ChainMap):
        for one in value.maps:
            check_whole(one)
    elif isinstance(value, dict):
        for entry in dict.values(value):
            check_set(entry)
    return check_set(value)
