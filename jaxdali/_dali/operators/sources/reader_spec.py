"""The checked arguments of a reader of `fn.readers`."""

from __future__ import annotations

import dataclasses
from typing import Any

from jaxdali._feed.source.source_kinds import Source
from ...readers.indexed import Indexed, IndexedReader
from ...readers.shard_order import ReaderMeta, ShardOrder
from ..size_hints import Hint

__all__ = ["ReaderSpec"]

# The seed of `shuffle_after_epoch` if none is given: the same order in every process.
_FIXED_SEED = 0


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReaderSpec:
    """A checked reader.

    Attributes:
        data: what it reads.
        outputs: the number of values of a sample.
        layouts: that of each output, if the reader knows them; empty if it knows none.
        display_name: how the user writes it, "fn.readers.file".
        sharding: arguments of `ShardOrder` that the user gave.
        seed: the reader's own; None for the pipeline's.
        shuffle_after_epoch_seed: None for a fixed one.
        prefetch_queue_depth: the number of batches that are read ahead, beyond those of the pipeline.
        bytes_per_sample_hint: see `check_hint`.
        root: the folder to which the names of samples are relative; empty for full names.
    """

    data: Indexed
    outputs: int
    layouts: tuple[str, ...] = ()
    display_name: str
    sharding: dict[str, Any]
    seed: int | None = None
    shuffle_after_epoch_seed: int | None = None
    prefetch_queue_depth: int = 1
    bytes_per_sample_hint: Hint = None
    root: str = ""

    def copied(self, _owner: object) -> ReaderSpec:
        """Returns the spec for a pipeline; each pipeline reads the files for itself."""
        return self

    def order(self, batch_size: int, pipeline_seed: int = 0) -> ShardOrder:
        """Returns the order of its samples.

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
        """What `Pipeline.reader_meta` returns for it."""
        return self.order(1).meta

    # Often only some of a reader's outputs are used, and no argument leaves the others out; so no warning.
    all_wanted = False
    # A reader is not fed.
    fed = None

    def is_parallel(self, workers: int) -> bool:
        """Whether worker processes run it, which they do if there are any."""
        return workers > 0

    def declared(self, output: int) -> tuple[None, None, str]:
        """Returns element type, number of dimensions and layout of an output's samples; what a reader gives needs no
        check.
        """
        return None, None, self.layouts[output] if self.layouts else ""

    def make_source(self, seed: int, batch_size: int, _part: object = None) -> Source:
        """Makes the source that reads the data; `seed`, below 2**64, is the pipeline's."""
        return IndexedReader(self.data, self.order(batch_size, seed), self.outputs, self.display_name, self.root)
