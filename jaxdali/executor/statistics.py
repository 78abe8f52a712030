"""What became of batches, images and workers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from .failures import DecodeFailures
from .prefetch import Executor

__all__ = ["Statistics"]


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Counted since the pipeline or the Loader was built.

    Attributes:
        batches, samples: handed out.
        images_failed: images of batches that were computed and looked at, handed out or not, which could not be decoded:
            how many of each `jaxdali.batch.Status`, by its name. Of functions of the user's that decode, failures that
            they tell their own statuses of do not count.
        worker_deaths: worker processes that died, or were ended because they hung.
        chunks_redone: pieces of work that were begun again because of that.
    """

    batches: int
    samples: int
    images_failed: dict[str, int]
    worker_deaths: int
    chunks_redone: int

    @classmethod
    def collect(cls, executor: Executor | None, failures: DecodeFailures, producers: Iterable[Any]) -> Statistics:
        """Puts together what its parts counted; `producers` may name one several times."""
        counters = [producer.counters for producer in dict.fromkeys(producers) if hasattr(producer, "counters")]
        return cls(
            batches=0 if executor is None else executor.batches,
            samples=0 if executor is None else executor.samples,
            images_failed=dict(failures.counts),
            worker_deaths=sum(counter.deaths for counter in counters),
            chunks_redone=sum(counter.redone for counter in counters),
        )
