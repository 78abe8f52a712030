"""Settings for how buffers grow and shrink."""

from typing import SupportsFloat, SupportsIndex

from jaxdali._base.buffer_growth import DEVICE_GROWTH, HOST_GROWTH, HOST_SHRINK
from jaxdali._device.ffi.cuda import apply_growth_factor
from jaxdali._feed.ring.slot_growth import apply_host_settings

__all__ = [
    "GetDeviceBufferGrowthFactor",
    "GetHostBufferGrowthFactor",
    "GetHostBufferShrinkThreshold",
    "SetBufferGrowthFactor",
    "SetDeviceBufferGrowthFactor",
    "SetHostBufferGrowthFactor",
    "SetHostBufferShrinkThreshold",
]

_Number = SupportsFloat | SupportsIndex


def GetHostBufferShrinkThreshold() -> float:
    """The value of `SetHostBufferShrinkThreshold` or `DALI_HOST_BUFFER_SHRINK_THRESHOLD`, 0 to 1; default 0.9."""
    return HOST_SHRINK.get()


def SetHostBufferShrinkThreshold(threshold: _Number, /) -> None:
    """Sets when slots of shared memory, which sources and readers write to, give memory back to the system.

    A slot shrinks to what its batches need if that is less than `threshold` of what it has. This is checked every 64
    batches of a slot, and half as often after each time that it had to grow again, so that a steady state costs
    nothing. A slot keeps 1 MiB, and what it was presized to (`bytes_per_sample_hint`, `bytes_per_sample`). Page-locked
    slots, those whose batches go to a GPU, never shrink.

    Args:
        threshold: from 0 (never) to 1 (whenever anything is left over).

    Raises:
        ConfigError: a ValueError; not from 0 to 1.
        TypeError: not a number.
    """
    HOST_SHRINK.set(threshold)
    apply_host_settings()


def GetHostBufferGrowthFactor() -> float:
    """The value of `SetHostBufferGrowthFactor`, `SetBufferGrowthFactor` or the environment, 1 to 4; default 1."""
    return HOST_GROWTH.get()


def SetHostBufferGrowthFactor(factor: _Number, /) -> None:
    """Sets how much memory a slot of shared memory gets when it is too small: `factor` times what the batch needs,
    rounded up to a power of two, because a slot's size is the shape of an operand, and each new shape needs a
    compilation.

    Args:
        factor: from 1 to 4.

    Raises:
        ConfigError: a ValueError; not from 1 to 4.
        TypeError: not a number.
    """
    HOST_GROWTH.set(factor)
    apply_host_settings()


def GetDeviceBufferGrowthFactor() -> float:
    """The value of `SetDeviceBufferGrowthFactor`, `SetBufferGrowthFactor` or the environment, 1 to 4; default 1.1."""
    return DEVICE_GROWTH.get()


def SetDeviceBufferGrowthFactor(factor: _Number, /) -> None:
    """Sets how much memory a GPU's decode engine takes for images that are decoded ahead, when none of its blocks is
    large enough: `factor` times what the batch needs, rounded up to 2 MiB, within `decode_memory`. These blocks never
    shrink. Without a GPU there is no engine, and this has no effect.

    Args:
        factor: from 1 to 4.

    Raises:
        ConfigError: a ValueError; not from 1 to 4.
        TypeError: not a number.
    """
    DEVICE_GROWTH.set(factor)
    apply_growth_factor()


def SetBufferGrowthFactor(factor: _Number, /) -> None:
    """`SetHostBufferGrowthFactor` and `SetDeviceBufferGrowthFactor` in one; raises as they do."""
    SetHostBufferGrowthFactor(factor)
    SetDeviceBufferGrowthFactor(factor)
