"""Notes that a Loader adds to the errors of failed steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali._feed.source.local_rows import LocalRows
from jaxdali._feed.source.parts import PartsSampler
from jaxdali.errors import DecodeError, PeerError, SourceError

__all__ = ["explain_step"]


def explain_step(error: BaseException, step: int, sampler: PartsSampler | LocalRows, program: Any) -> None:
    """Adds a note to a step's error: which sample of the data it concerns, or what JAX does not accept in `augment`.

    Args:
        program: a `LoaderProgram`; None if there is no `augment`.
    """
    if isinstance(error, PeerError):
        return
    if isinstance(error, DecodeError | SourceError):
        if error.process is not None:
            return  # another process, which knows its samples, has added its notes
        if error.sample_index is not None and error.epoch is not None:
            index = int(sampler.indices(error.epoch, np.asarray([error.sample_index]))[0])
            note = f"step {step}; the sample is data[{index}]"
            # If the error is raised again, it already has the note.
            if note not in getattr(error, "__notes__", ()):
                error.add_note(note)
    elif isinstance(error, Exception) and program is not None:
        program.explain(error)
