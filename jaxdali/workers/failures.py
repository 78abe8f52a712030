"""From a worker's report to the exception that the consumer gets."""

from __future__ import annotations

from ..errors import JaxDaliError, SampleOrigin, SourceDataError, WorkerError
from .originals import make_source_error
from .protocol import Failure

__all__ = ["error_of"]


def error_of(failure: Failure, origin: SampleOrigin) -> JaxDaliError:
    """What to raise for a chunk that a worker could not produce."""
    if failure.kind == "raised":
        return make_source_error(
            failure,
            f"the source raised {failure.exception}: {failure.message}\n"
            f"Exception traceback received from worker:\n{failure.traceback}",
            origin,
        )
    kind: type[JaxDaliError] = SourceDataError if failure.kind == "data" else WorkerError
    return kind(failure.message, origin)
