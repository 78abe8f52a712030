"""What a reader of `fn.readers` was asked to do."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...readers import Indexed, IndexedReader, ReaderMeta, ShardOrder
from ...source.kinds import Source
from ..size_hints import Hint

__all__ = ["ReaderSpec"]

# The order of `shuffle_after_epoch` without a seed of its own: every process has the same.
_FIXED_SEED = 0


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReaderSpec:
    """A checked reader.

    Attributes:
        data: what it reads.
        outputs: values of a sample.
        layouts: of each output, where the reader knows one; empty: of none.
        spoken: as the user wrote it, "fn.readers.file".
        sharding: arguments of `ShardOrder` that the user gave.
        seed: of the reader itself; None: the pipeline's.
        shuffle_after_epoch_seed: None: a fixed one.
        prefetch_queue_depth: batches that are read beyond those of the pipeline.
        bytes_per_sample_hint: see `check_hint`.
        root: folder that the names of samples are told relative to; empty: they are told in full.
    """

    data: Indexed
    outputs: int
    layouts: tuple[str, ...] = ()
    spoken: str
    sharding: dict[str, Any]
    seed: int | None = None
    shuffle_after_epoch_seed: int | None = None
    prefetch_queue_depth: int = 1
    bytes_per_sample_hint: Hint = None
    root: str = ""

    def copied(self, _owner: object) -> ReaderSpec:
        """For a pipeline, each of which reads the files for itself."""
        return self

    def order(self, batch_size: int, pipeline_seed: int = 0) -> ShardOrder:
        """The order of its samples.

        Raises:
            ConfigError: the arguments do not go together.
        """
        seed = pipeline_seed if self.seed is None else self.seed
        if self.sharding.get("shuffle_after_epoch"):
            seed = _FIXED_SEED if self.shuffle_after_epoch_seed is None else self.shuffle_after_epoch_seed
        return ShardOrder(
            length=len(self.data), batch_size=batch_size, seed=seed, bounds=self.data.bounds, **self.sharding
        )

    @property
    def meta(self) -> ReaderMeta:
        """What `Pipeline.reader_meta` tells of it."""
        return self.order(1).meta

    # To use but some of a reader's outputs is usual: there is no argument that leaves the others out.
    all_wanted = False
    # Nor is it fed.
    fed = None

    def is_parallel(self, workers: int) -> bool:
        """Whether worker processes run it: those that there are."""
        return workers > 0

    def declared(self, output: int) -> tuple[None, None, str]:
        """Element type, number of dimensions and layout of an output's samples: what it gives is known to be right."""
        return None, None, self.layouts[output] if self.layouts else ""

    def make_source(self, seed: int, batch_size: int, _part: object = None) -> Source:
        """What reads the data; `seed`, below 2**64, is the pipeline's."""
        return IndexedReader(self.data, self.order(batch_size, seed), self.outputs, self.spoken, self.root)
