"""Copies of lists and dictionaries that are merged sample by sample, and cannot be changed."""

from __future__ import annotations

from typing import Any, NoReturn

from jaxdali.errors import GraphError

__all__ = ["FixedDict", "FixedList"]


def _refuse(self: Any, *_: object, **__: object) -> NoReturn:
    raise GraphError(
        f"this {type(self).__mro__[1].__name__} was one of two older ones, which the branches of an `if` on a node chose "
        "between: a change of it would be one of either for some samples. Copy it first, or change it in the branches"
    )


class FixedList(list[Any]):
    """A list that raises when it is changed."""

    append = extend = insert = pop = remove = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse  # type: ignore[assignment]


class FixedDict(dict[Any, Any]):
    """A dictionary that raises when it is changed."""

    pop = popitem = clear = update = setdefault = _refuse  # type: ignore[assignment]
    __setitem__ = __delitem__ = __ior__ = _refuse  # type: ignore[assignment]
