"""Batches of pipelines as dictionaries of `jax.Array`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...iterator.policy import LastBatchPolicy
from ...pipeline import Pipeline
from .batches import Batches

if TYPE_CHECKING:
    from typing import Self

    import jax

__all__ = ["DALIGenericIterator"]


def _is_made(iterator: Any) -> bool:
    return "_jaxdali" in vars(iterator)


def _not_made(iterator: Any, what: str) -> AttributeError:
    return AttributeError(
        f"{type(iterator).__name__} has no {what} before DALIGenericIterator.__init__ was called: call "
        "super().__init__(pipelines, output_map, ...) in its __init__"
    )


class _Read:
    """What programs read in an iterator. A class made of it may set it before the constructor, which writes over it as
    DALI's does; behind that it is what it is.

    Args:
        ask: says what it is.
        meaning: for the documentation.
    """

    def __init__(self, ask: Callable[[Batches], Any], meaning: str):
        self._ask = ask
        self.__doc__ = meaning

    def __set_name__(self, _owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, iterator: Any, _kind: Any = None) -> Any:
        if iterator is None:
            return self
        if _is_made(iterator):
            return self._ask(iterator._jaxdali)
        if self._name not in vars(iterator):
            raise _not_made(iterator, self._name)
        return vars(iterator)[self._name]

    def __set__(self, iterator: Any, value: Any) -> None:
        if _is_made(iterator):
            is_now = self._ask(iterator._jaxdali)
            if is_now != (list(value) if isinstance(value, tuple) else value):
                raise AttributeError(
                    f"{self._name} is {is_now!r}, as the iterator was made, and cannot be {value!r:.80}: make another one"
                )
        vars(iterator)[self._name] = value


class DALIGenericIterator:
    """Iterates over one pipeline or several: every step is `{name: jax.Array}`; DALI's class of the same name.

    Of one pipeline, arrays are on its device, `[N, ...]`. Outputs that come straight from a source alias the slot where the
    worker wrote them; an array that was handed out never changes. Of several pipelines, with one device each, every array
    is one global array: with `sharding` as that says, else `[pipelines, N, ...]` as `jax.pmap` takes it.

    `close`, or the end of a `with` block, ends it. Pipelines that were handed in are not closed with it, as they may be used
    further; those that `data_iterator` made are.
    Images that keep the sizes of their files need a decoder with `canvas=` where there are several devices, and are pairs
    then, of `[N, height, width, 3]` and `int32[N, 3]` shapes; of one device that is a choice.

    Where a source declares `__len__`, every batch is full all the same: of the last one FILL repeats the last sample, DROP
    leaves it out, and PARTIAL makes it smaller.

    A class may be derived from it, with attributes of any name that is not below, and its own `__next__` and `__len__`.
    Of what programs read in DALI's there are the properties `size`, `batch_size` and `output_map`, and `_size`,
    `_num_gpus` (the number of pipelines), `_first_batch`, `_last_batch_policy`, `_counter`, `_pipes`, `_reader_name`,
    `_auto_reset`, `_last_batch_padded` and `_prepare_first_batch`. What it sets of these before this constructor is written
    over; behind it they do not change.

    Args:
        pipelines: one pipeline, or a list; each makes the rows of one part of the global batch.
        output_map: names of the outputs, in order; further outputs are left out.
        size: samples of an epoch, of all pipelines of this iterator: it ends after `ceil(size / (pipelines * batch_size))`
            batches (floor with DROP). As in DALI it is the sum of their shards, so with several processes that of this
            process's. -1, of one pipeline only: those of the source where it declares `__len__`, else the epoch ends when
            it raises StopIteration.
        reader_name: the reader that says how long epochs are; not together with `size` and `last_batch_padded`. Without
            `pad_last_batch` FILL completes an epoch with samples of the next one, which then is shorter; with it by
            repeating the last sample. DROP leaves out what is not a whole batch in every shard.
        auto_reset: the next epoch begins by itself when one has ended. Without it `reset()` or `iter()` begins it.
        fill_last_batch: deprecated: True is FILL, False is PARTIAL.
        last_batch_padded: with `size`: the data of an epoch end with a full batch, as of readers with `pad_last_batch`.
            Else what FILL takes too much of data that go on (readers, `cycle="quiet"`, generators) counts for the next
            epoch.
        last_batch_policy: FILL, DROP, or, of one pipeline, PARTIAL.
        prepare_first_batch: take the first batch now, so that the workers begin. An image of it that cannot be decoded is a
            matter of that batch: the first `next` raises it, and the one after it gives the second batch. What else is
            wrong, such as what a source raises, is raised at once.
        sharding: of the global arrays: one `jax.sharding.Sharding` for all outputs, or a dictionary with one each. Rows are
            cut along the first axis; devices that hold the same rows are replicas, and get copies of what one pipeline made.
            There is one pipeline for each distinct part on this process, placed on a device that holds it; pipelines
            that share a device (such as those of the CPU) make the parts in their order.
        pmap_compatible: whether several pipelines' batches are stacked, `[pipelines, N, ...]`, or follow each other,
            `[pipelines * N, ...]`. None: they are, without `sharding`. True stacks a single pipeline's, too.
        on_error: what becomes of files that cannot be decoded, where their decoder does not say: "raise" or "zeros", see
            `fn.decoders.image`. None: as the pipeline says.

    Raises:
        ConfigError: names that are not distinct, or an argument that cannot be honoured; over several devices, an output
            of images of different sizes without a canvas.
        RuntimeError: prepare_first_batch finds no data in the pipeline.
    """

    # What it is made of: the only name of ours that a class made of it finds taken.
    _jaxdali: Batches
    _jaxdali_made_of = Batches

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
        pmap_compatible: bool | None = None,
        *,
        fill_last_batch: bool | None = None,
        on_error: str | None = None,
    ):
        self._jaxdali = self._jaxdali_made_of(
            pipelines,
            output_map,
            size,
            reader_name,
            auto_reset,
            last_batch_padded,
            last_batch_policy,
            prepare_first_batch,
            sharding,
            pmap_compatible,
            fill_last_batch=fill_last_batch,
            on_error=on_error,
        )

    def __getattr__(self, name: str) -> Any:
        if _is_made(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise _not_made(self, "batches" if name == "_jaxdali" else name)

    def __iter__(self) -> Self:
        self._jaxdali.begin()
        return self

    def __len__(self) -> int:
        """Batches of this epoch.

        Raises:
            TypeError: not known; give size=.
        """
        return self._jaxdali.count()

    def __next__(self) -> dict[str, jax.Array]:
        """The next batch.

        Raises:
            StopIteration: the epoch is over.
            StateError: the iterator is closed; or another thread is in it, or this process is a fork of the one that made
                it. Nothing is lost.
            SourceError: with several processes, the source of this one ended before `size`, which the others go on to.
            Exception: as `Pipeline.run`. The batch counts as one of the epoch.
        """
        return self._jaxdali.next()

    def next(self) -> dict[str, jax.Array]:
        """The next batch, as `next(iterator)`."""
        return self.__next__()

    def reset(self) -> None:
        """Begins the next epoch.

        Does nothing before a batch was handed out. Readers go on where they are, so their epoch is to be finished first:
        before, it is warned and nothing happens.

        Raises:
            StateError: the iterator is closed.
        """
        self._jaxdali.reset()

    def checkpoints(self) -> list[bytes]:
        """One record a pipeline, for their `checkpoint=`: an iterator over pipelines that were made from them goes on behind
        the last batch that this one handed out.

        Raises:
            StateError: a pipeline was made without enable_checkpointing=True, or `next` was interrupted and is to be called
                again first; or the iterator is closed.
        """
        return self._jaxdali.checkpoints()

    def close(self) -> None:
        """Lets go of what was taken ahead, and ends the workers of pipelines that `data_iterator` made. Pipelines that were
        handed in stay open; their next batch is the one behind the last that the iterator had taken. Batches that were
        handed out stay valid. Any thread may call it, and a second call does nothing, or what an interrupt kept the first
        one from. In a forked child it does nothing.
        """
        self._jaxdali.close()

    def __enter__(self) -> Self:
        self._jaxdali.check_open()
        return self

    def __exit__(self, *_: Any) -> None:
        self._jaxdali.close()

    # WHAT PROGRAMS READ -----------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Samples of an epoch as DALI counts them: `size=` as it was given; with `reader_name=` those of one shard, also
        those that are added to fill its last batch. -1: the source says.
        """
        return self._jaxdali.size

    batch_size = _Read(
        lambda batches: batches.sessions[0].options.batch_size, "Samples of a full batch of one pipeline."
    )
    output_map = _Read(lambda batches: list(batches.names), "The names of the outputs.")
    _size = _Read(lambda batches: batches.size, "`size`.")
    _num_gpus = _Read(lambda batches: len(batches.sessions), "How many pipelines there are.")
    _pipes = _Read(lambda batches: batches.pipelines, "The pipelines.")
    _counter = _Read(lambda batches: batches.counter, "Samples of this epoch that were taken.")
    _last_batch_policy = _Read(lambda batches: batches.policy, "The argument.")
    _reader_name = _Read(lambda batches: batches.given["reader_name"], "The argument.")
    _auto_reset = _Read(lambda batches: "yes" if batches.resets else "no", "The argument, in one form.")
    _last_batch_padded = _Read(
        lambda batches: batches.given["last_batch_padded"], "The argument, or as the reader says."
    )
    _prepare_first_batch = _Read(lambda batches: batches.given["prepare_first_batch"], "The argument.")

    @property
    def _first_batch(self) -> dict[str, jax.Array] | None:
        """The batch that `prepare_first_batch` took, as long as it waits. None in its place counts it as handed out."""
        return self._jaxdali.first

    @_first_batch.setter
    def _first_batch(self, value: None) -> None:
        if value is not None:
            raise AttributeError("_first_batch can be set to None only: the iterator takes its first batch itself")
        if _is_made(self):
            self._jaxdali.give_first()
