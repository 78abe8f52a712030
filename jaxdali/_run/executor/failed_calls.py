"""Raises what made a device function fail: an image, of which XLA passes on a text only, or something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import jax

from jaxdali._base.batch import Status
from jaxdali._device.ffi.error_texts import failed_row
from jaxdali.errors import DecodeError
from .decode_failures import DecodeFailures, meaning
from .step import Step

__all__ = ["CALL_FAILURES", "raise_late", "raise_named"]

_WINDOW = "the window is not within the image"

# JAX raises ValueError for the same status when it computes on the calling thread.
CALL_FAILURES = (jax.errors.JaxRuntimeError, ValueError)


def raise_named(
    error: Exception, step: Step, failures: DecodeFailures, parts: int = 1, stacked: Mapping[int, int] | None = None
) -> NoReturn:
    """Raises a failure of the device function. If an image was the reason, it is counted, and raised as a DecodeError
    that names the sample. With several parts it is unknown which part had the image.

    Args:
        stacked: see `DeviceProgram`.
    """
    found = failed_row(error)
    if found is None or found.status not in Status.__members__:
        raise error
    row, _, reason, count = found
    names = _all_names(step)
    for first, files in (stacked or {}).items():
        if count == step.samples // parts * files:
            row, file = divmod(row, files)
            names = step.columns[first + file].column.name
            break
    if parts > 1:
        rows = ", ".join(str(step.first_sample + row + part * (step.samples // parts)) for part in range(parts))
        reason = "; ".join(
            filter(None, [reason, f"one of the samples {rows}: decode with the Loader's on_error= to know which"])
        )
    raise _decode_error(step, failures, names, row if parts == 1 else None, Status[found.status], reason) from error


def raise_late(late: tuple[int, int], step: Step, failures: DecodeFailures) -> NoReturn:
    """Raises a failure that was known only after the program had run, of (row, status), as a DecodeError."""
    row, code = late
    raise _decode_error(step, failures, _all_names(step), row, Status(code), _WINDOW)


def _decode_error(
    step: Step, failures: DecodeFailures, names: str, row: int | None, code: Status, reason: str | None
) -> DecodeError:
    failures.counts[code.name] += 1
    words = meaning(code, step.columns, row) + (f" ({reason})" if reason else "")
    if code is Status.TOO_LARGE and "the window" not in words:
        words += "; give jaxdali.image.decode a larger canvas=, or the Loader a larger max_image_pixels="
    if failures.on_error == "zeros":
        words += (
            '; it was decoded with on_error="raise", or in a batch that augment made itself: select the images with '
            "batch.take(indices) instead, and failures become zeros"
        )
    origin = step.batches[0].origin(names, None) if row is None else step.origin(names, row)
    return DecodeError(f"{code.name}: {words}", origin, int(code))


def _all_names(step: Step) -> str:
    return ", ".join(column.column.name for column in step.columns if column.column.encoded)
