"""What a Loader must know of the other processes of its program before it is made. This file loads jax."""

from __future__ import annotations

from typing import Any

import jax

from ..aliases import Device
from ..errors import ConfigError
from ..interruptions import is_interruption
from .layout import Layout

__all__ = ["are_several", "check_placed", "check_widths", "spans_processes"]


def are_several() -> bool:
    """Whether the program has several processes."""
    return jax.process_count() > 1


def spans_processes(sharding: Any) -> bool:
    """Whether any sharding of a pytree has devices of other processes."""
    leaves = jax.tree.leaves(sharding)
    return any(isinstance(leaf, jax.sharding.Sharding) and not leaf.is_fully_addressable for leaf in leaves)


def check_placed(sharding: object, local: bool) -> None:
    """Checks that several processes do not read the same samples by mistake.

    Raises:
        ConfigError: nothing says what this process is to read.
    """
    if sharding is None and not local and are_several():
        raise ConfigError(
            f"{jax.process_count()} processes of one JAX program make this Loader, and each would read the same samples. "
            "Pass sharding=, of the devices of all processes, which read its rows together (or of devices of this process, "
            "which then reads all samples by itself); or local_data=True, if each process has samples of its own"
        )


def check_widths(program: Any, layout: Layout, part: Any, rows: int, device: Device) -> None:
    """Checks that arrays of all processes have the same shapes, however wide their ragged leaves are.

    Args:
        program: a `LoaderProgram`.
        part: the spec of what it returns for the first sample.

    Raises:
        ConfigError: they depend on the widths.
    """
    for leaves in layout.other_widths():
        cause = None
        try:
            differs = jax.tree.leaves(program.element_spec(rows, device, leaves)) != jax.tree.leaves(part)
        except Exception as error:  # what augment raises for a width that it does not take
            if is_interruption(error):
                raise
            differs, cause = True, error
        if differs:
            raise ConfigError(
                f"with several processes a Loader's arrays must not differ in shape, but they depend on the widths of "
                f"{', '.join(layout.free)}: each process pads them to its own samples. Pad ragged leaves to one width, "
                "ragged={'ids': 512}, or to those of a source.BucketSampler, which knows the lengths of all samples; or "
                "have augment cut them to one shape"
            ) from cause
