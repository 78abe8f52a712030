"""What happens to images that could not be decoded: they raise an error, or are counted."""

from __future__ import annotations

import collections
import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jaxdali._base.batch import Status
from jaxdali._base.formats.reasons import why_unsupported
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali.errors import ConfigError, DecodeError
from .step import Step

__all__ = ["DecodeFailures", "Decoded", "check_on_error", "meaning"]

logger = logging.getLogger("jaxdali")

# At most this many images that became zeros are named in the log.
_NAMED = 10

_MEANING = {
    Status.TRUNCATED: "the image is truncated: its data end early",
    Status.CORRUPT: "the image is corrupt, or not an image at all",
    Status.TOO_LARGE: "the image has more pixels than max_image_pixels, or is larger than its canvas (canvas=)",
    Status.UNSUPPORTED: "the image has a format or a variant that no decoder here reads",
}


def meaning(code: Status, columns: Sequence[HostColumn], row: int | None) -> str:
    """Returns what a status means for the image in a row, which is in one of the columns; in general if it is None."""
    if code is Status.UNSUPPORTED and row is not None:
        for column in columns:
            if column.column.encoded and column.status[row] == code and (reason := why_unsupported(column.at(row))):
                return reason
    return _MEANING[code]


class Decoded(NamedTuple):
    """The key by which statuses are collected: the column, and how its decoder treats errors.

    Attributes:
        on_error: "raise", "zeros", or "" if the decoder does not say.
    """

    column: int
    on_error: str


def check_on_error(on_error: object) -> str:
    """Raises ConfigError if it is neither "raise" nor "zeros"."""
    if on_error not in ("raise", "zeros"):
        raise ConfigError(f"on_error must be 'raise' or 'zeros', got {on_error!r}")
    return str(on_error)


class DecodeFailures:
    """How a pipeline or a Loader treats decode failures, and how many there were.

    Args:
        is_silent: whether to name no image in the log.

    Attributes:
        on_error: applies if a decoder does not say. "raise": the batch is not handed out. "zeros": it is, with zeros,
            and warnings of the logger "jaxdali" name the first ten such images.
        counts: number of failed images in the batches that were checked, by the name of their `Status`.
    """

    def __init__(self, on_error: str = "raise", is_silent: bool = False):
        self.on_error = on_error
        self.counts: collections.Counter[str] = collections.Counter()
        self._named = _NAMED if is_silent else 0

    def check(self, step: Step, statuses: Mapping[Decoded, np.ndarray]) -> None:
        """Counts the failures of a batch. Leaves out padding, which repeats other rows, and images that are missing.

        Args:
            statuses: `int32[N]` each.

        Raises:
            DecodeError: an image failed and is not to become zeros.
        """
        if not any(status.any() for status in statuses.values()):
            return  # nearly always; what follows takes twenty times as long
        mask = step.mask()
        # That a sample has no image is no failure.
        failed = {decoded: mask & (status != Status.MISSING) for decoded, status in statuses.items()}
        statuses = {decoded: np.where(failed[decoded], status, 0) for decoded, status in statuses.items()}
        of_column: dict[int, np.ndarray] = {}
        for decoded, status in statuses.items():
            before = of_column.get(decoded.column, np.zeros_like(status))
            of_column[decoded.column] = np.where(before != 0, before, status)
        for status in of_column.values():
            self.counts.update(Status(int(code)).name for code in status[status != 0])
        for decoded, status in statuses.items():
            if (decoded.on_error or self.on_error) == "raise":
                _raise_first(status, step, decoded.column)
        for column, status in of_column.items():
            self._name(status, step, column)

    def _name(self, status: np.ndarray, step: Step, column: int) -> None:
        for row in np.flatnonzero(status)[: _NAMED - self._named].tolist():
            self._named += 1
            code, of = Status(int(status[row])), step.columns[column]
            end = "; further ones are only counted, see stats()" if self._named == _NAMED else ""
            text = f"{code.name}: {meaning(code, [of], row)} [{step.origin(of.column.name, row)}]"
            logger.warning("an image was replaced by zeros: %s%s", text, end)


def _raise_first(status: np.ndarray, step: Step, column: int) -> None:
    bad = np.flatnonzero(status)
    if bad.size:
        row = int(bad[0])
        code = Status(int(status[row]))
        others = f" ({bad.size - 1} more in this batch)" if bad.size > 1 else ""
        raise DecodeError(
            f"{code.name}: {meaning(code, [step.columns[column]], row)}{others}",
            step.origin(step.columns[column].column.name, row),
            int(code),
        )
