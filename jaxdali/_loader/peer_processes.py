"""What a Loader must know of the other processes of its program before it is made. This file loads jax."""

from __future__ import annotations

from typing import Any

import jax

from jaxdali._base.aliases import Device
from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import ConfigError
from .sample_spec import SampleSpec

__all__ = ["check_placed", "check_widths", "is_shared"]


def is_shared(sharding: Any, local: bool) -> bool:
    """Whether all processes of the program make the Loader together: if there are several, unless its devices are all of
    this one. A sharding that is none counts as shared, so that others learn of the mistake.
    """
    if jax.process_count() == 1:
        return False
    leaves = jax.tree.leaves(sharding)
    own = [isinstance(leaf, jax.sharding.Sharding) and leaf.is_fully_addressable for leaf in leaves]
    return local or not own or not all(own)


def check_placed(sharding: object, local: bool) -> None:
    """Checks that several processes do not read the same samples by mistake.

    Raises:
        ConfigError: nothing says what this process is to read.
    """
    if sharding is None and not local and jax.process_count() > 1:
        raise ConfigError(
            f"{jax.process_count()} processes of one JAX program make this Loader, and each would read the same samples. "
            "Pass sharding=, of the devices of all processes, which read its rows together (or of devices of this process, "
            "which then reads all samples by itself); or local_data=True, if each process has samples of its own"
        )


def check_widths(program: Any, sample_spec: SampleSpec, part: Any, rows: int, device: Device, local: bool) -> None:
    """Checks that arrays of all processes have the same shapes, however wide their ragged leaves are.

    Args:
        program: a `LoaderProgram`.
        part: the spec of what it returns for the first sample.
        local: each process has samples of its own, whose lengths no other one knows.

    Raises:
        ConfigError: they depend on the widths.
    """
    for leaves in sample_spec.other_widths():
        cause = None
        try:
            differs = jax.tree.leaves(program.element_spec(rows, device, leaves)) != jax.tree.leaves(part)
        except Exception as error:  # what augment raises for a width that it does not take
            if is_interruption(error):
                raise
            differs, cause = True, error
        if differs:
            raise ConfigError(
                "with several processes a Loader's arrays must not differ in shape, but they depend on the widths of "
                f"{', '.join(sample_spec.free)}: each process pads them to its own samples. Pad a ragged leaf with one "
                "axis to one width, ragged={'ids': 512}"
                + ("" if local else ", or to those of a source.BucketSampler, which knows the lengths of all samples")
                + "; or have augment cut its axes and return one shape, array[:, :512, :3] of one that has them"
            ) from cause
