"""Pure functions on batches of arrays of any rank, for anyone's jit.

A batch is an array `[N, ...]`; if samples differ in shape, each is in the corner of its row, and `shapes`,
`int32[N, ndim]`, gives the extents of each sample.
"""

from jaxdali._device.numeric.array_windows import pad as pad
from jaxdali._device.numeric.array_windows import window as window
from jaxdali._device.numeric.concatenation import concatenate as concatenate
from jaxdali._device.numeric.ragged import inside as inside
from jaxdali._device.numeric.ragged import outside_filled as outside_filled
from jaxdali._device.numeric.ragged import reshape_ragged as reshape_ragged

__all__ = ["concatenate", "inside", "outside_filled", "pad", "reshape_ragged", "window"]


def __dir__() -> list[str]:
    return __all__
