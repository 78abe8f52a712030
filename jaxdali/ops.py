"""DALI's class forms of operators.

They are kept out on purpose until they can be complete: `jaxdali.fn` has the same operators as functions.
"""

from __future__ import annotations

from typing import Any, NoReturn

__all__: list[str] = []


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(
        f"jaxdali.ops has no {name!r}: operators are functions here. Use jaxdali.fn, e.g. fn.external_source(...) in place "
        "of ops.ExternalSource(...)(...)"
    )


def __dir__() -> list[Any]:
    return []
