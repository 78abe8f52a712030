"""DALI's name for the module of tensor classes (see `jaxdali.tensors`), and for how buffers grow and shrink.

What is set holds in the whole process, for all pipelines and Loaders, from their next batch on. Until then variables of the
environment hold, which are read when they are first needed: `DALI_HOST_BUFFER_SHRINK_THRESHOLD`,
`DALI_HOST_BUFFER_GROWTH_FACTOR`, `DALI_DEVICE_BUFFER_GROWTH_FACTOR`, and for both factors `DALI_BUFFER_GROWTH_FACTOR`.
Whatever a program of XLA's computes has its exact size before it runs; none of this is for that.
"""

from typing import Any, SupportsFloat, SupportsIndex

from ._ffi.cuda import apply_growth_factor
from .buffers import DEVICE_GROWTH, HOST_GROWTH, HOST_SHRINK
from .missing import explain_missing
from .ring.buffers import apply_host_settings
from .tensors import TensorCPU as TensorCPU
from .tensors import TensorGPU as TensorGPU
from .tensors import TensorListCPU as TensorListCPU
from .tensors import TensorListGPU as TensorListGPU

__all__ = [
    "GetDeviceBufferGrowthFactor",
    "GetHostBufferGrowthFactor",
    "GetHostBufferShrinkThreshold",
    "SetBufferGrowthFactor",
    "SetDeviceBufferGrowthFactor",
    "SetHostBufferGrowthFactor",
    "SetHostBufferShrinkThreshold",
    "TensorCPU",
    "TensorGPU",
    "TensorListCPU",
    "TensorListGPU",
]

_Number = SupportsFloat | SupportsIndex


def GetHostBufferShrinkThreshold() -> float:
    """What `SetHostBufferShrinkThreshold` or `DALI_HOST_BUFFER_SHRINK_THRESHOLD` said, from 0 to 1; 0.9 by default."""
    return HOST_SHRINK.get()


def SetHostBufferShrinkThreshold(threshold: _Number, /) -> None:
    """When the slots of shared memory, into which sources and readers write, give memory back to the system.

    A slot shrinks to what its batches need where that is less than `threshold` of what it has: looked at for every 64
    batches of a slot, and half as often each time that it had to grow again, so that a steady state costs nothing. It
    keeps 1 MiB, and what it was presized to (`bytes_per_sample_hint`, `bytes_per_sample`). Page-locked slots, those whose
    batches go to a GPU, never shrink.

    Args:
        threshold: from 0, never, to 1, whenever anything is left over.

    Raises:
        ConfigError: a ValueError; not from 0 to 1.
        TypeError: no number.
    """
    HOST_SHRINK.set(threshold)
    apply_host_settings()


def GetHostBufferGrowthFactor() -> float:
    """What `SetHostBufferGrowthFactor`, `SetBufferGrowthFactor` or the environment said, from 1 to 4; 1 by default."""
    return HOST_GROWTH.get()


def SetHostBufferGrowthFactor(factor: _Number, /) -> None:
    """How much more than a batch needs a slot of shared memory gets where it is too small: `factor` times as much, rounded
    up to a power of two, for the size of a slot is the shape of an operand, and each new one is a compilation.

    Args:
        factor: from 1 to 4.

    Raises:
        ConfigError: a ValueError; not from 1 to 4.
        TypeError: no number.
    """
    HOST_GROWTH.set(factor)
    apply_host_settings()


def GetDeviceBufferGrowthFactor() -> float:
    """What `SetDeviceBufferGrowthFactor`, `SetBufferGrowthFactor` or the environment said, from 1 to 4; 1.1 by default."""
    return DEVICE_GROWTH.get()


def SetDeviceBufferGrowthFactor(factor: _Number, /) -> None:
    """How much more than a batch needs the decode engine of a GPU takes for images that are decoded ahead, where none of
    its blocks is large enough: `factor` times as much, rounded up to 2 MiB, within `decode_memory`. These never shrink.
    Without a GPU there is no engine, and it has nothing to act on.

    Args:
        factor: from 1 to 4.

    Raises:
        ConfigError: a ValueError; not from 1 to 4.
        TypeError: no number.
    """
    DEVICE_GROWTH.set(factor)
    apply_growth_factor()


def SetBufferGrowthFactor(factor: _Number, /) -> None:
    """`SetHostBufferGrowthFactor` and `SetDeviceBufferGrowthFactor` in one; raises as they do."""
    SetHostBufferGrowthFactor(factor)
    SetDeviceBufferGrowthFactor(factor)


def __getattr__(name: str) -> Any:
    return explain_missing(__name__, __all__)(name)
