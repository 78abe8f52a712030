"""Which steps exist, and which rows of their batches are samples."""

from __future__ import annotations

import dataclasses

import numpy as np

from jaxdali._feed.source.local_rows import LocalRows
from jaxdali._feed.source.parts import PartsSampler
from jaxdali.errors import ConfigError, check_integer
from .state import check_step
from .stream_data import no_length

__all__ = ["StepCount"]


@dataclasses.dataclass(frozen=True)
class StepCount:
    """The steps of a Loader, by epochs.

    Attributes:
        sampler: gives the samples of each step.
        epochs: number of epochs; None: no end.
        is_stream: it is unknown where an epoch ends.
    """

    sampler: PartsSampler | LocalRows
    epochs: int | None
    is_stream: bool

    @property
    def is_local(self) -> bool:
        """Whether each process has samples of its own."""
        return isinstance(self.sampler, LocalRows)

    @property
    def steps(self) -> int:
        """Steps per epoch. Raises TypeError if unknown."""
        if self.is_stream:
            raise TypeError(no_length())
        return self.sampler.steps

    @property
    def all_steps(self) -> int:
        """Steps of all epochs. Raises TypeError if that is unknown or infinite."""
        if self.epochs is None:
            raise TypeError("a Loader with epochs=None has no length; see steps_per_epoch")
        return self.epochs * self.steps

    @property
    def end(self) -> int | None:
        """The step after the last one; None if unknown, or if there is no last one."""
        return None if self.epochs is None or self.is_stream else self.all_steps

    def check_seek(self, step: int) -> int:
        """Returns a step, which may be the end after the last one. Raises ConfigError if it does not exist."""
        return check_step(step, self.end)

    def check_step(self, step: int) -> int:
        """Returns an existing step. Raises ConfigError if it does not exist."""
        return check_step(step, None if self.end is None else self.end - 1)

    def first_step(self, epoch: int) -> int:
        """Returns an epoch's first step. Raises ConfigError if it does not exist, or for a stream without length."""
        self._check_known()
        return check_integer("epoch", epoch, 0, None if self.epochs is None else self.epochs - 1) * self.steps

    def real_rows(self, step: int) -> np.ndarray:
        """Returns `bool[batch_size]`: which rows of a batch are not padding. Raises ConfigError as `first_step`."""
        self._check_known()
        return self.sampler.real_rows(self.check_step(step) % self.steps)

    def _check_known(self) -> None:
        if self.is_stream:
            raise ConfigError(no_length())
