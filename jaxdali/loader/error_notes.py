"""What a Loader says of steps that fail."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DecodeError, SourceError
from ..source.parts import PartsSampler

__all__ = ["explain_step"]


def explain_step(error: BaseException, step: int, sampler: PartsSampler, program: Any) -> None:
    """Adds to what a step raises which sample of the data it is about, or what in `augment` JAX does not take.

    Args:
        program: a `LoaderProgram`; None: there is no `augment`.
    """
    if isinstance(error, DecodeError | SourceError):
        if error.sample_index is not None and error.epoch is not None:
            index = int(sampler.indices(error.epoch, np.asarray([error.sample_index]))[0])
            note = f"step {step}; the sample is data[{index}]"
            # An error that is raised again has it already.
            if note not in getattr(error, "__notes__", ()):
                error.add_note(note)
    elif isinstance(error, Exception) and program is not None:
        program.explain(error)
