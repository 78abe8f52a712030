"""Which steps there are, and which rows of their batches are samples."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..errors import ConfigError, check_integer
from ..source.parts import PartsSampler
from .state import check_step
from .streams import no_length

__all__ = ["StepCount"]


@dataclasses.dataclass(frozen=True)
class StepCount:
    """The steps of a Loader, by epochs.

    Attributes:
        sampler: of each of them.
        batch_size: of the global batch.
        epochs: None: without end.
        is_stream: nobody knows where an epoch ends.
    """

    sampler: PartsSampler
    batch_size: int
    epochs: int | None
    is_stream: bool

    @property
    def steps(self) -> int:
        """Of each epoch. Raises TypeError where nobody knows."""
        if self.is_stream:
            raise TypeError(no_length())
        return self.sampler.steps

    @property
    def all_steps(self) -> int:
        """Of all epochs. Raises TypeError where nobody knows, or there are infinitely many."""
        if self.epochs is None:
            raise TypeError("a Loader with epochs=None has no length; see steps_per_epoch")
        return self.epochs * self.steps

    @property
    def end(self) -> int | None:
        """Behind the last step; None: nobody knows where that is, or there is none."""
        return None if self.epochs is None or self.is_stream else self.all_steps

    def check_seek(self, step: int) -> int:
        """A step, or the end behind the last one. Raises ConfigError where there is no such."""
        return check_step(step, self.end)

    def check_step(self, step: int) -> int:
        """A step that there is. Raises ConfigError where there is no such."""
        return check_step(step, None if self.end is None else self.end - 1)

    def first_step(self, epoch: int) -> int:
        """Of an epoch. Raises ConfigError where there is no such epoch, or nobody knows where those of a stream end."""
        self._check_known()
        return check_integer("epoch", epoch, 0, None if self.epochs is None else self.epochs - 1) * self.steps

    def real_rows(self, step: int) -> np.ndarray:
        """`bool[batch_size]`: which rows of a step's batch are no padding. Raises ConfigError as `first_step`."""
        self._check_known()
        first = self.check_step(step) % self.steps * self.batch_size
        return np.arange(first, first + self.batch_size) < len(self.sampler.sampler)

    def _check_known(self) -> None:
        if self.is_stream:
            raise ConfigError(no_length())
