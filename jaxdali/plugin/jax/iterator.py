"""Batches of a pipeline as dictionaries of `jax.Array`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...errors import ConfigError, check_integer
from ...pipeline import Pipeline
from ..base_iterator import LastBatchPolicy

if TYPE_CHECKING:
    import jax

__all__ = ["DALIGenericIterator"]


class DALIGenericIterator:
    """Iterates over a pipeline: every step is `{name: jax.Array}`; DALI's class of the same name.

    Where a source declares `__len__`, every batch is full all the same: of the last one FILL repeats the last sample, and
    DROP leaves it out. A source that returns batches of different sizes is given through as it is.

    Arrays lie on the pipeline's device. Outputs that come straight from a source alias the slot where the worker wrote
    them; an array that was handed out never changes.

    Args:
        pipelines: one pipeline, or a list of one.
        output_map: names of the outputs, in order; further outputs are left out.
        size: samples of an epoch: it ends after `ceil(size / batch_size)` batches (floor with DROP). -1: those of the
            source where it declares `__len__`, else the epoch ends when it raises StopIteration.
        auto_reset: the next epoch begins by itself when one has ended. Without it `reset()` or `iter()` begins it.
        last_batch_policy: FILL or DROP.
        prepare_first_batch: take the first batch now, so that the workers begin.
        on_error: what becomes of files that cannot be decoded, where their decoder does not say: "raise" or "zeros", see
            `fn.decoders.image`. None: as the pipeline says.

    Raises:
        ConfigError: names that are not distinct, or an argument that cannot be honoured.
        RuntimeError: prepare_first_batch finds no data in the pipeline.
    """

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        output_map: Sequence[str],
        size: int = -1,
        reader_name: str | None = None,
        auto_reset: bool | str | None = False,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
        sharding: Any = None,
        on_error: str | None = None,
    ):
        pipeline = pipelines[0] if isinstance(pipelines, Sequence) and len(pipelines) == 1 else pipelines
        if not isinstance(pipeline, Pipeline):
            raise ConfigError(f"DALIGenericIterator wants one Pipeline, got {pipelines!r}")
        if isinstance(output_map, str):
            raise ConfigError(f"output_map wants a list of names, got {output_map!r}")
        if len(set(output_map)) != len(output_map) or not output_map:
            raise ConfigError(f"output_map names should be distinct, got {list(output_map)}")
        if reader_name is not None or last_batch_padded:
            raise ConfigError("reader_name and last_batch_padded belong to readers; give size= for an external source")
        if sharding is not None:
            raise ConfigError("sharding= is not supported: jax.device_put the arrays to it")
        if last_batch_policy is LastBatchPolicy.PARTIAL:
            raise ConfigError("JAX does not support partial last batch policy: shapes are static. Use FILL or DROP")
        if not isinstance(last_batch_policy, LastBatchPolicy):
            raise ConfigError(f"last_batch_policy must be LastBatchPolicy.FILL or DROP, got {last_batch_policy!r}")
        if size == 0:
            raise ConfigError("Size cannot be 0; it must be positive, or -1 for the source's own end")
        size = check_integer("size", size, -1)
        if on_error is not None:
            pipeline.on_error = on_error
        self._reset_at_end = _is_yes(auto_reset)
        self._pipeline = pipeline
        self._names = list(output_map)
        self._fills = False
        if size == -1 and pipeline.samples_per_epoch is not None:
            size, self._fills = pipeline.samples_per_epoch, last_batch_policy is LastBatchPolicy.FILL
        whole, rest = divmod(size, pipeline.max_batch_size)
        fill = rest > 0 and last_batch_policy is LastBatchPolicy.FILL
        self._batches = None if size == -1 else whole + fill
        if self._batches == 0 and size:
            raise ConfigError(
                f"size={size} is less than one batch of {pipeline.max_batch_size}, and DROP leaves it out; use FILL, or a "
                "smaller batch_size"
            )
        self._given = 0
        self._at_end = False
        self._first: dict[str, jax.Array] | None = None
        if prepare_first_batch:
            try:
                self._first = self._take()
            except StopIteration:
                raise RuntimeError(
                    "there is no data in the pipeline; its source raised StopIteration at once"
                ) from None

    def __iter__(self) -> DALIGenericIterator:
        if self._at_end:
            self.reset()
        return self

    def __len__(self) -> int:
        """Batches of an epoch.

        Raises:
            TypeError: not known; give size=.
        """
        if self._batches is None:
            raise TypeError("the length of the iterator is not known: give it size=, the samples of an epoch")
        return self._batches

    def __next__(self) -> dict[str, jax.Array]:
        """The next batch.

        Raises:
            StopIteration: the epoch is over.
            Exception: as `Pipeline.run`.
        """
        if self._at_end:
            raise StopIteration
        first, self._first = self._first, None
        try:
            if self._batches is not None and self._given >= self._batches:
                raise StopIteration
            batch = first if first is not None else self._take()
        except StopIteration:
            self._at_end = True
            if self._reset_at_end:
                self.reset()
            raise
        self._given += 1
        return batch

    next = __next__

    def reset(self) -> None:
        """Begins the next epoch. Does nothing while the batch that was prepared is the only one that was taken."""
        if self._first is not None:
            return
        self._pipeline.reset()
        self._given = 0
        self._at_end = False

    def _take(self) -> dict[str, jax.Array]:
        arrays = self._pipeline.run_arrays(len(self._names))
        if self._fills and (missing := self._pipeline.max_batch_size - len(arrays[0])):
            from ...executor.transfer import repeat_last

            arrays = [repeat_last(array, missing) for array in arrays]
        return dict(zip(self._names, arrays, strict=True))


def _is_yes(value: bool | str | None) -> bool:
    if value in (True, "yes"):
        return True
    if value in (False, None, "no"):
        return False
    raise ConfigError(f"auto_reset must be True, False, 'yes' or 'no', got {value!r}")
