"""Functions of nodes, element by element; DALI's `math`. Of integers the result is FLOAT, but for `abs`, `min`, `max`,
`clamp` and `pow`, which keep them. Importing this loads no jax.
"""

from .missing import explain_missing
from .operators.functions import math_functions

_functions = math_functions()
globals().update(_functions)
__all__ = sorted(_functions)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.math", __all__)


def __dir__() -> list[str]:
    return __all__
