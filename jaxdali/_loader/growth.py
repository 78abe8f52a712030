"""Notices data whose number of samples changes while a Loader reads them."""

from __future__ import annotations

from typing import Any

from jaxdali._feed.source.access import View
from jaxdali.errors import StateError

__all__ = ["Lengths"]


# Up to so many lengths are looked at for each step, which takes a microsecond; more of them every so many steps.
_FEW, _SELDOM = 8, 64


class Lengths:
    """How many samples a user's own data have, also those inside of views.

    Args:
        data: of a Loader.
    """

    def __init__(self, data: Any):
        self._known = [(source, len(source)) for source in {id(own): own for own in _own_sources(data)}.values()]
        self._calls = 0

    def check(self) -> None:
        """Raises StateError if a length has changed. Called for each step; looks at many sources only now and then."""
        self._calls += 1
        if len(self._known) > _FEW and self._calls % _SELDOM != 1:
            return
        for source, length in self._known:
            if len(source) != length:
                raise StateError(
                    f"the data, {type(source).__name__}, had {length} samples when the Loader was made, and have "
                    f"{len(source)} now. Orders, epochs and what workers hold are those of {length} samples: make a new "
                    "Loader. Data that change all the time, such as a replay buffer, are a stream: "
                    "source.Iterable(function), with workers=0 and prefetch=1"
                )


def _own_sources(data: Any) -> list[Any]:
    if isinstance(data, View):
        return [own for source in data.inner for own in _own_sources(source)]
    # Those of this package, and arrays, have a fixed length.
    fixed = type(data).__module__.partition(".")[0] in ("jaxdali", "numpy") or type(data) is tuple
    return [] if fixed or not hasattr(type(data), "__len__") else [data]
