"""What a module says when it is asked for a name of DALI's that is not here."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import NoReturn

__all__ = ["explain_missing"]

_HINTS = {
    "experimental": "nothing here is experimental in that sense",
}


def explain_missing(module: str, names: Sequence[str]) -> Callable[[str], NoReturn]:
    """A module's `__getattr__`: an AttributeError that says what there is.

    Args:
        module: as the user writes it, e.g. "jaxdali.fn".
        names: what it has.
    """

    def __getattr__(name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        close = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean {close[0]}? " if close else ""
        advice = _HINTS.get(name, "do the rest in the source, or in a jitted function of your own (jaxdali.Loader)")
        raise AttributeError(f"{module} has no {name!r}: {hint}It has {', '.join(names)}; {advice}")

    return __getattr__
