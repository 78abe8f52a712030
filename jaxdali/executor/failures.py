"""Images that could not be decoded: an error, or counted."""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..batch import Status
from ..errors import ConfigError, DecodeError
from .host_stage import Step

__all__ = ["MEANING", "DecodeFailures", "Decoded", "check_on_error"]

MEANING = {
    Status.TRUNCATED: "the image is truncated: its data end early",
    Status.CORRUPT: "the image is corrupt, or no image at all",
    Status.TOO_LARGE: "the image has more pixels than max_image_pixels, or its canvas (canvas=) is smaller",
    Status.UNSUPPORTED: "the image has a format or a variant that no decoder here reads",
}


class Decoded(NamedTuple):
    """Whose status it is: of a column, by decoders that say the same of errors.

    Attributes:
        on_error: "raise", "zeros", or "" where the decoder does not say.
    """

    column: int
    on_error: str


def check_on_error(on_error: object) -> str:
    """Raises ConfigError where it is neither "raise" nor "zeros"."""
    if on_error not in ("raise", "zeros"):
        raise ConfigError(f"on_error must be 'raise' or 'zeros', got {on_error!r}")
    return str(on_error)


class DecodeFailures:
    """What a pipeline or a Loader does with them, and how many there were.

    Attributes:
        on_error: where a decoder does not say. "raise": the batch is not handed out. "zeros": it is, with zeros.
        counts: images of batches that were looked at, by the name of their `Status`.
    """

    def __init__(self, on_error: str = "raise"):
        self.on_error = on_error
        self.counts: collections.Counter[str] = collections.Counter()

    def check(self, step: Step, statuses: Mapping[Decoded, np.ndarray]) -> None:
        """Counts the failures of a batch. Those of padding, which repeats other rows, are left out.

        Args:
            statuses: `int32[N]` each.

        Raises:
            DecodeError: there is one that nobody wants to be zeros.
        """
        if statuses:
            mask = step.mask()
            statuses = {decoded: np.where(mask, status, 0) for decoded, status in statuses.items()}
        of_column: dict[int, np.ndarray] = {}
        for decoded, status in statuses.items():
            before = of_column.get(decoded.column, np.zeros_like(status))
            of_column[decoded.column] = np.where(before != 0, before, status)
        for status in of_column.values():
            self.counts.update(Status(int(code)).name for code in status[status != 0])
        for decoded, status in statuses.items():
            if (decoded.on_error or self.on_error) == "raise":
                _raise_first(status, step, decoded.column)


def _raise_first(status: np.ndarray, step: Step, column: int) -> None:
    bad = np.flatnonzero(status)
    if bad.size:
        row = int(bad[0])
        code = Status(int(status[row]))
        others = f" ({bad.size - 1} more in this batch)" if bad.size > 1 else ""
        raise DecodeError(
            f"{code.name}: {MEANING[code]}{others}", step.origin(step.columns[column].column.name, row), int(code)
        )
