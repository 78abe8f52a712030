"""Operators as functions, which write a pipeline's graph; DALI's `fn`. Importing them loads no jax.

Each call adds an operator to the pipeline that is being defined, if one is, and returns its `DataNode`. The computations are
the pure functions of `jaxdali.image` and `jaxdali.random`, which serve just as well in your own jit. Which operators there
are is written in `jaxdali.operators`, and for type checkers in the stubs beside this file.
"""

from ..missing import explain_missing
from ..operators.functions import functions_in
from . import decoders as decoders
from . import random as random
from . import readers as readers

_functions = functions_in("")
globals().update(_functions)
__all__ = sorted([*_functions, "decoders", "random", "readers"])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.fn", __all__)


def __dir__() -> list[str]:
    return __all__
