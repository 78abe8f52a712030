"""Element-wise functions of nodes, like DALI's `math`. Importing this loads no jax.

For integers the result is FLOAT, except for `abs`, `min`, `max`, `clamp` and `pow`, which keep integer types.
"""

from jaxdali._base.missing import explain_missing
from jaxdali._dali.operators.operator_functions import math_functions

_functions = math_functions()
globals().update(_functions)
__all__ = sorted(_functions)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.math", __all__)


def __dir__() -> list[str]:
    return __all__
