"""Batches of pipelines as dictionaries of `jax.Array`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

from jaxdali._run.executor.metrics import combined
from ..epochs.last_batch_policy import LastBatchPolicy
from ..pipeline.pipeline import Pipeline
from .batches import Batches
from .iterator_text import iterator_as_text

if TYPE_CHECKING:
    import jax
else:
    from jaxdali._run.lazy_jax import jax

__all__ = ["DALIGenericIterator"]


def _is_made(iterator: object) -> bool:
    return "_jaxdali" in vars(iterator)


def _not_made(iterator: object, what: str) -> AttributeError:
    return AttributeError(
        f"{type(iterator).__name__} has no {what} before DALIGenericIterator.__init__ was called: call "
        "super().__init__(pipelines, output_map, ...) in its __init__"
    )


class _Read:
    """A read-only property of an iterator. A derived class may set it before the constructor, which then overwrites it,
    as DALI's does; afterwards it is fixed.

    Args:
        ask: returns the value.
        meaning: the documentation.
    """

    def __init__(self, ask: Callable[[Batches], Any], meaning: str):
        self._ask = ask
        self.__doc__ = meaning

    def __set_name__(self, _owner: object, name: str) -> None:
        self._name = name

    def __get__(self, iterator: Any, _kind: object = None) -> Any:
        if iterator is None:
            return self
        if _is_made(iterator):
            return self._ask(iterator._jaxdali)
        if self._name not in vars(iterator):
            raise _not_made(iterator, self._name)
        return vars(iterator)[self._name]

    def __set__(self, iterator: Any, value: object) -> None:
        if _is_made(iterator):
            is_now = self._ask(iterator._jaxdali)
            if is_now != (list(value) if isinstance(value, tuple) else value):
                raise AttributeError(
                    f"{self._name} was set to {is_now!r} when the iterator was made, and cannot become {value!r:.80}: "
                    "make another one"
                )
        vars(iterator)[self._name] = value


class DALIGenericIterator:
    """Iterates over one pipeline or several: every step is `{name: jax.Array}`; DALI's class of the same name.

    With one pipeline, arrays are on its device, `[N, ...]`. Outputs that come directly from a source alias the slot
    where the worker wrote them; an array that was returned never changes. With several pipelines, one device each,
    every array is one global array: as `sharding` says, or without it `[pipelines, N, ...]` as `jax.pmap` takes it.

    `close`, or the end of a `with` block, ends the iterator. It does not close pipelines that were passed in, which may
    still be used; it closes those that `data_iterator` made. Images that keep the sizes of their files need a decoder
    with `canvas=` if there are several devices, and are then pairs of `[N, height, width, 3]` and `int32[N, 3]` shapes;
    with one device this is optional.

    If a source declares `__len__`, every batch is full all the same: in the last one FILL repeats the last sample, DROP
    leaves it out, and PARTIAL makes it smaller.

    A derived class may have attributes of any name that is not below, and its own `__next__` and `__len__`. Of what
    programs read in DALI's class there are the properties `size`, `batch_size` and `output_map`, and `_size`,
    `_num_gpus` (the number of pipelines), `_first_batch`, `_last_batch_policy`, `_counter`, `_pipes`, `_reader_name`,
    `_auto_reset`, `_last_batch_padded` and `_prepare_first_batch`. Values that a derived class sets before this
    constructor are overwritten; after it they do not change.

    Args:
        pipelines: one pipeline, or a list; each makes the rows of one part of the global batch.
        output_map: names of the outputs, in order; further outputs are left out, with a warning.
        size: samples per epoch, of all pipelines of this iterator: it ends after
            `ceil(size / (pipelines * batch_size))` batches (floor with DROP). As in DALI it is the sum of their shards,
            so with several processes that of this process's. -1, with one pipeline only: the source's `__len__` if it
            declares it; otherwise the epoch ends when it raises StopIteration.
        reader_name: the reader that determines the length of epochs; not together with `size` and `last_batch_padded`.
            Without `pad_last_batch`, FILL completes an epoch with samples of the next one, which then is shorter; with
            it, by repeating the last sample. DROP leaves out what is not a whole batch in every shard. PARTIAL begins
            each epoch with the shard's first sample, also without `pad_last_batch`.
        auto_reset: begin the next epoch automatically when one has ended. Otherwise `reset()` or `iter()` begins it.
        fill_last_batch: deprecated: True is FILL, False is PARTIAL.
        last_batch_padded: with `size`: the data of an epoch end with a full batch, as those of readers with
            `pad_last_batch` do. Otherwise the samples that FILL takes from continuing data (readers, `cycle="quiet"`,
            generators) count for the next epoch.
        last_batch_policy: FILL, DROP, or, with one pipeline, PARTIAL.
        prepare_first_batch: take the first batch now, so that the workers begin. If an image of it cannot be decoded,
            the first `next` raises the error, and the one after it gives the second batch. Other errors, such as those
            of a source, are raised at once.
        sharding: that of the global arrays: one `jax.sharding.Sharding` for all outputs, or a dictionary with one each.
            Rows are cut along the first axis; devices that hold the same rows are replicas, and get copies of one
            pipeline's rows. There is one pipeline for each distinct part on this process, placed on a device that holds
            it; pipelines that share a device (such as those of the CPU) make the parts in their order.
        pmap_compatible: whether several pipelines' batches are stacked, `[pipelines, N, ...]`, or concatenated,
            `[pipelines * N, ...]`. None: stacked, unless there is a `sharding`. True stacks a single pipeline's, too.
        on_error: how to treat files that cannot be decoded, unless their decoder says: "raise" or "zeros", see
            `fn.decoders.image`. None: as the pipeline says.

    Raises:
        ConfigError: names are not distinct, or an argument cannot be honoured; or, over several devices, an output of
            images of different sizes has no canvas.
        RuntimeError: prepare_first_batch finds no data in the pipeline.
    """

    # The only name of ours that a derived class cannot use.
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
        sharding: object = None,
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

        It does nothing before a batch was returned. Readers continue from their position, so their epoch must be
        finished first: before that, it only warns.

        Raises:
            StateError: the iterator is closed.
        """
        self._jaxdali.reset()

    def checkpoints(self) -> list[bytes]:
        """One record per pipeline, for its `checkpoint=`: an iterator over pipelines made from them continues after the
        last batch that this one returned.

        Raises:
            ConfigError: a pipeline was made without enable_checkpointing=True.
            StateError: `next` was interrupted and must be called again first; or the iterator is closed.
        """
        return self._jaxdali.checkpoints()

    def metrics(self) -> dict[str, float]:
        """Scalars since the last call, as `Pipeline.metrics` gives them, of all its pipelines together. The intervals of
        the pipelines end, too. Batches are the iterator's.
        """
        return combined([session.metrics.read(session) for session in self._jaxdali.sessions])

    def __repr__(self) -> str:
        return iterator_as_text(type(self).__name__, self._jaxdali) if _is_made(self) else object.__repr__(self)

    def close(self) -> None:
        """Releases batches taken ahead, and ends the workers of pipelines that `data_iterator` made. Pipelines that
        were passed in stay open; their next batch is the one after the last that the iterator had taken. Batches that
        were returned stay valid. Any thread may call it. A second call does nothing, or completes a first one that was
        interrupted. In a forked child it does nothing.
        """
        self._jaxdali.close()

    def __enter__(self) -> Self:
        self._jaxdali.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self._jaxdali.close()

    # WHAT PROGRAMS READ -----------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Samples per epoch as DALI counts them: `size=` as it was given; with `reader_name=` those of one shard,
        including those that fill its last batch. -1: the source decides.
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
        """The batch that `prepare_first_batch` took, as long as it waits. Setting it to None counts it as handed out."""
        return self._jaxdali.first

    @_first_batch.setter
    def _first_batch(self, value: None) -> None:
        if value is not None:
            raise AttributeError("_first_batch can only be set to None: the iterator takes its first batch itself")
        if _is_made(self):
            self._jaxdali.give_first()
