"""The initial sizes of buffers: DALI's `bytes_per_sample_hint` and `bytes_per_sample`."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali._feed.ring.slot_use import slot_bytes
from jaxdali.errors import ConfigError, check_integer

__all__ = ["MOST_BYTES", "Hint", "check_hint", "sample_bytes"]

# A slot, which holds a whole batch, has no more address space.
MOST_BYTES = 16 << 30

# For all outputs together, or for each; None if not given.
Hint = int | tuple[int, ...] | None


def check_hint(value: object, outputs: int, name: str = "bytes_per_sample_hint") -> Hint:
    """Reads a hint: a number of bytes, or one for each output. 0, DALI's default, means not given.

    Raises:
        ConfigError: it is not an integer from 0 to 16 GiB, or one of these for each output.
    """
    if isinstance(value, list | tuple):
        if len(value) != outputs:
            raise ConfigError(
                f"{name} has {len(value)} values for {outputs} output(s); give one number, or one for each output"
            )
        return tuple(check_integer(f"each value of {name}", size, 0, MOST_BYTES) for size in value)
    return None if value is None else (check_integer(name, value, 0, MOST_BYTES) or None)


def sample_bytes(hint: Hint, every_output: int, outputs: int) -> int:
    """Returns the space in a slot for one sample of all outputs; 0 if unknown.

    Args:
        hint: the operator's hint.
        every_output: for each output of operators without a hint; 0 if not given.
    """
    if isinstance(hint, int):
        return slot_bytes([hint, *[1] * (outputs - 1)])
    sizes: Sequence[int] = (every_output,) * outputs if hint is None else hint
    return slot_bytes(sizes)
