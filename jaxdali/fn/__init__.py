"""Operators as functions that define a pipeline's graph; DALI's `fn`. Importing them loads no jax.

Each call adds an operator to the pipeline that is being defined, if any, and returns its `DataNode`. The computations
are the pure functions of `jaxdali.image` and `jaxdali.random`, which can also be used in your own jit.
The stubs next to this file list all operators, for type checkers.
"""

from jaxdali._dali.operators.operator_functions import function_named, lazily, names_in
from . import decoders as decoders
from . import io as io
from . import noise as noise
from . import random as random
from . import readers as readers
from . import reductions as reductions
from . import segmentation as segmentation
from . import transforms as transforms

_mine = names_in("")
_ROOMS = ["decoders", "experimental", "io", "noise", "random", "readers", "reductions", "segmentation", "transforms"]
__all__ = sorted([*_mine, *_ROOMS])  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazily(__name__, function_named, _mine, __all__)


def __dir__() -> list[str]:
    return __all__
