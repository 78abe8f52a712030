"""How large buffers are to be from the beginning: DALI's `bytes_per_sample_hint` and `bytes_per_sample`."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import ConfigError, check_integer
from ..ring.slot_use import slot_bytes

__all__ = ["MOST_BYTES", "Hint", "check_hint", "sample_bytes"]

# A slot, which holds whole batches, has no more address space.
MOST_BYTES = 16 << 30

# Of all outputs together, or of each; None: nothing is said.
Hint = int | tuple[int, ...] | None


def check_hint(value: object, outputs: int, name: str = "bytes_per_sample_hint") -> Hint:
    """Reads a hint: a number of bytes, or several, one for each of so many outputs. 0, DALI's default, says nothing.

    Raises:
        ConfigError: no integer of 0 to 16 GiB, or as many as there are outputs.
    """
    if isinstance(value, list | tuple):
        if len(value) != outputs:
            raise ConfigError(
                f"{name} has {len(value)} values for {outputs} output(s); give one number, or one for each output"
            )
        return tuple(check_integer(f"each value of {name}", size, 0, MOST_BYTES) for size in value)
    return None if value is None else (check_integer(name, value, 0, MOST_BYTES) or None)


def sample_bytes(hint: Hint, every_output: int, outputs: int) -> int:
    """Room in a slot for one sample of all outputs; 0: it is not known.

    Args:
        hint: of the operator.
        every_output: of each output of all operators, where they do not say; 0: nothing is said.
    """
    if isinstance(hint, int):
        return slot_bytes([hint, *[1] * (outputs - 1)])
    sizes: Sequence[int] = (every_output,) * outputs if hint is None else hint
    return slot_bytes(sizes)
