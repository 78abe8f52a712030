"""Turns a worker's report into the exception that the consumer gets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from jaxdali.errors import JaxDaliError, SampleOrigin, SourceDataError, WorkerError
from .. import _host
from .columns import Column
from .failure_report import Failure
from .host_batch import HostBatch
from .originals import make_source_error

__all__ = ["damage_error", "error_of"]


def damage_error(error: _host.RingDamaged, batch: HostBatch, columns: Sequence[Column]) -> WorkerError:
    """Returns the error to raise when the ring's memory holds what its code cannot have written.

    Args:
        batch: the batch concerned.
        columns: the ring's outputs.
    """
    name = ", ".join(column.name for column in columns) if error.output is None else columns[error.output].name
    if error.sample is None and len({chunk[2:] for chunk in batch.workers}) > 1:
        batch = dataclasses.replace(batch, workers=[])  # any of several workers may have done it
    return WorkerError(
        f"a worker damaged the ring's memory: {error}. Native code that a source calls may write where it must not",
        batch.origin(name, error.sample),
    )


def error_of(failure: Failure, origin: SampleOrigin) -> JaxDaliError:
    """Returns the exception to raise for a chunk that a worker could not produce."""
    if failure.kind == "raised":
        return make_source_error(
            failure,
            f"the source raised {failure.exception}: {failure.message}\n"
            f"Exception traceback received from worker:\n{failure.traceback}",
            origin,
        )
    kind: type[JaxDaliError] = SourceDataError if failure.kind == "data" else WorkerError
    return kind(failure.message, origin)
