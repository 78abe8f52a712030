"""Random numbers, one a sample: functions of (seed, operator, epoch, index of the sample in its epoch)."""

from ..missing import explain_missing
from ..operators.functions import functions_in

_functions = functions_in("random")
globals().update(_functions)
__all__ = sorted(_functions)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = explain_missing("jaxdali.fn.random", __all__)


def __dir__() -> list[str]:
    return __all__
