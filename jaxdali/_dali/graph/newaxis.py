"""New axes in subscripts of nodes."""

from __future__ import annotations

from jaxdali.errors import ConfigError

__all__ = ["NewAxis", "newaxis"]


class NewAxis:
    """An axis of extent 1 in a subscript, as in NumPy; `newaxis("N")` names it in the layout."""

    def __init__(self, name: str = ""):
        if not isinstance(name, str) or len(name) > 1:
            raise ConfigError(f"the name of a new axis must be one letter, got {name!r}")
        self.name = name

    def __call__(self, name: str = "") -> NewAxis:
        return NewAxis(name)

    def __repr__(self) -> str:
        return f"newaxis({self.name!r})" if self.name else "newaxis"


newaxis = NewAxis()
