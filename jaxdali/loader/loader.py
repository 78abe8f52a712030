"""Batches of a map-style source, augmented by the user's own pure function."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..batch import DEFAULT_MAX_IMAGE_PIXELS
from ..errors import ConfigError, check_integer
from ..executor.failures import DecodeFailures
from ..executor.statistics import Statistics
from ..source.parts import PartsSampler
from ..source.sampler import SequentialSampler, ShuffleSampler
from .arguments import check_arguments, check_debug_rows, check_parts, takes_mask
from .builder import Builder
from .course import Course
from .default_workers import default_workers
from .keywords import ForeignNames, explains_keywords
from .layout import first_sample, read_layout
from .state import check_record, check_step, identity_of, make_record
from .steps import EpochSteps, Steps, exhausted
from .streams import UNKNOWN, as_stream, check_samples, hidden_columns, make_source, no_length, position_of

if TYPE_CHECKING:
    import jax

__all__ = ["Loader"]


class Loader(ForeignNames):
    """An endless or finite stream of batches, each a function of (seed, step), over all epochs or epoch by epoch:

        for step, batch in loader.enumerate(): ...
        for epoch in range(90):
            for batch in loader.epoch(epoch): ...

    Workers read samples into shared memory, `augment` runs on the device, a few batches ahead of the consumer. Steps
    count through all epochs. Every batch is full: where the samples of an epoch do not fill the last one, it is completed
    by padding, and a mask says which rows are real, see `last_batch`.

    Args:
        data: a stream, see `jaxdali.source.Iterable`, which what is only iterated over is made into; or anything with
            `__len__` and `__getitem__(int)`, or `__getitem__(int, rng)`: with a parameter of the name `rng`
            it is given a `numpy.random.Generator`, a function of (seed, epoch, index of the sample in the epoch).
            `jaxdali.source` joins, mixes, filters and maps such data. It is copied for the workers by value, once: they
            share the memory of arrays from 1 MiB on, until one of them writes into it. Of a `np.memmap`, or a view of one,
            only the place travels: workers open its file read-only, and share its pages. (One of mode "c", or whose file
            was deleted, is copied.)
            A sample is any nesting of dicts, lists and tuples. Its `bytes` leaves are files of images; strings and
            `pathlib` paths stay on the host, see `host`; all others are arrays or numbers, also of ml_dtypes (bfloat16).
            What has 64 bits, Python's int and float among it, is narrowed as JAX does: to int32 and float32 unless
            `jax_enable_x64` is set; an integer that does not fit is an error. If `data` has a method `source_info(index)`,
            errors call a sample what that returns, such as a path.
        augment: `augment(batch, keys)`, pure, traced by JAX. `batch` is nested like a sample: for `bytes` leaves there are
            `jaxdali.image.EncodedBatch`, for `ragged` ones pairs, for all others arrays `[batch_size, ...]`. `keys` are
            typed keys `[batch_size]`, functions of (seed, epoch, index of the sample in the epoch); two draws from the same
            keys are the same numbers, so `jaxdali.random.split(keys, n)` makes keys for n draws. If it has a parameter of
            the name `mask`, it is given that, too: `bool[batch_size]`, which rows are real. It returns any nesting of
            arrays `[batch_size, ...]`, a row a sample; without `sharding` also of arrays with several, and of numbers. A
            row must be a function of its own sample and key: with `sharding` each device sees its own rows only, so what
            mixes them (mixup, batch statistics) would depend on the number of devices, and with one row a device do
            nothing. None: batches are handed out as they are.
        batch_size: samples of a batch.
        last_batch: what becomes of samples that do not fill the last batch of an epoch. "mask": it is completed by padding,
            which repeats the batch's own rows, from the first one on, with the same keys. So every epoch has each sample
            exactly once under the mask, which `augment` takes and `mask` gives, in `ceil(len(data) / batch_size)` steps;
            failures of padding are neither raised nor counted. A loss or metric that does not weight rows by the mask counts
            some samples twice or more. "drop": they are left out, and the mask is true everywhere.
        ragged: the leaves whose shapes differ from sample to sample, each by its key or index, e.g. `("ids",)` or `(0, 2)`;
            where samples are nested deeper by a tuple of them, e.g. `[("text", "ids")]`; `[()]` is a sample that is one
            array. Such a leaf is a pair in every batch: an array `[batch_size, ...]` that is zero outside of the samples,
            and their shapes, `int32[batch_size, ndim]`. The array's extents vary: an axis in which the samples of a batch
            agree has that extent, others are rounded up to one of few. Of all other leaves, a sample that differs in shape
            from the first one of the data makes its step a SourceDataError, and the next one follows.
            As a dict of leaves it also says what the first axis of a sample is padded to: `{"ids": 512}`, or the smallest of
            several that holds the batch, `{"ids": (64, 128, 512)}`, so that so many programs are compiled; None: as above. A
            sample that is longer makes its step a SourceDataError. Of several processes each sees its own samples only:
            there it is one width, or those of a `jaxdali.source.BucketSampler`, which knows all lengths.
        host: further leaves that stay on the host, named as in `ragged`: Python objects of any type that can be pickled,
            such as ids of type `bytes`, or None. In the batch such a leaf is a NumPy array `object[batch_size]`, with
            several processes of this one's rows. `augment` is given what stands for it, and may return that at any place.
        indexed: leaves of files, named as in `ragged`, whose palettes are not looked up: an image with one, such as a PNG
            of classes, is gray, and its levels are the indices. Open it with `color="GRAY"`, resize with `filter="nearest"`.
        shuffle: every epoch in another order, a keyed permutation that takes no memory.
        sampler: another order: an object with `__len__`, the samples of an epoch, and `indices(epoch, positions)`, from
            `int64[n]` places in the epoch to `int64[n]` samples of `data`, a function of its arguments alone, such as a
            `jaxdali.source.WeightedSampler`. It is copied to the workers.
        seed: of the order and of `keys`; not negative.
        epochs: None: without end.
        workers: fresh processes that read samples; 0: the consumer's thread reads them, for a debugger. None: as many as
            this process has CPUs, at most 8, but 0 for a `jaxdali.source.Arrays` in memory whose batches have at most 1 MiB.
        prefetch: batches that are dispatched ahead, the one handed out included.
        worker_restarts: how often the same piece of work may be begun again because its worker died; once more is a
            WorkerError that names the sample.
        worker_timeout_s: seconds after which a worker that is still at the same sample is ended, as if it had died. It has
            as long to load `data`, but at least 20 s, not counting its interpreter's own start. None: never.
        device: a `jax.Device`; None: the first GPU, else the first device of JAX's own platform. `augment` runs on it, or
            on the CPU where files cannot be decoded on it, such as on a TPU; what it returns is put on the device then,
            and with `sharding` cut there. `mix` runs on the device always.
        sharding: in place of `device`: of the global arrays that are handed out, one `jax.sharding.Sharding` or a pytree of
            them that is a prefix of the batch. The first axis is cut, by any axes of a mesh; each device computes its own
            rows, and devices that hold the same rows get copies. With several processes every one makes the same Loader,
            and reads its own rows only. `batch_size` is that of the global batch, `augment` sees one part of it, and the
            samples, their order and their `keys` are the same under any sharding.
        devices: in place of `sharding`: several of this process that share each batch. Arrays are `[devices, N, ...]`, as
            `jax.pmap` takes them.
        mix: `mix(batch, key)`, pure: what becomes of the global batch that `augment` returns, such as
            `jaxdali.random.mixup(key, batch["x"], batch["y"])`. It sees all rows, on any number of devices and processes;
            `key` is a typed key, a function of (seed, epoch, index of the batch in the epoch). It returns any nesting of
            arrays `[batch_size, ...]`.
        max_image_pixels: larger images are an error (TOO_LARGE).
        on_error: what becomes of images that cannot be decoded, where `augment` does not tell `jaxdali.image.decode` or
            `decode_resample`. "raise": the step is a DecodeError, and the next one follows. "zeros": what they return of
            the image is zeros, `stats` counts it, and warnings of the logger "jaxdali" name the first ten.
        debug_rows: before the first batch is handed out, see whether `augment` mixes rows: it is read once more, in this
            thread, and computed 2 log2(rows) + 1 times by one more program, with other rows in place of some. A ConfigError
            names the leaf that changed. What only mixes rows of later batches is not seen.
        decode_ahead, decode_memory: on a GPU, how many images are decoded before `augment` wants them, and the bytes of
            its memory for that; as of `Pipeline`. What `augment` decodes with is seen from what it does.

    Raises:
        ConfigError: an argument cannot be honoured, or there is no batch in the data.
        Exception: what `augment` raises when it is traced with the shapes of the first sample.
    """

    @explains_keywords
    def __init__(
        self,
        data: Any,
        augment: Callable[..., Any] | None = None,
        *,
        batch_size: int,
        last_batch: str = "mask",
        ragged: Collection[Any] = (),
        host: Collection[Any] = (),
        indexed: Collection[Any] = (),
        shuffle: bool = False,
        sampler: Any = None,
        seed: int = 0,
        epochs: int | None = None,
        workers: int | None = None,
        prefetch: int = 2,
        worker_restarts: int = 3,
        worker_timeout_s: float | None = None,
        device: Any = None,
        sharding: Any = None,
        max_image_pixels: int = DEFAULT_MAX_IMAGE_PIXELS,
        on_error: str = "raise",
        decode_ahead: int | None = None,
        decode_memory: int | None = None,
        debug_rows: bool = False,
        mix: Callable[..., Any] | None = None,
        devices: Sequence[Any] | None = None,
    ):
        batch_size = check_integer("batch_size", batch_size, 1)
        check_arguments(
            augment,
            on_error,
            worker_timeout_s,
            prefetch=prefetch,
            worker_restarts=worker_restarts,
            seed=seed,
            max_image_pixels=max_image_pixels,
            decode_ahead=decode_ahead,
            decode_memory=decode_memory,
            epochs=epochs,
            workers=workers,
        )
        data = as_stream(data)
        length, pads = check_samples(data, sampler, shuffle, epochs, batch_size, last_batch)
        self.batch_size = batch_size
        self.epochs = epochs
        self._is_endless = length == UNKNOWN
        layout = read_layout(first_sample(data, seed), max_image_pixels, ragged, host, indexed).sampled_by(sampler)
        if sampler is None:
            sampler = ShuffleSampler(length, seed) if shuffle else SequentialSampler(length)
        from .finish import Finish, sharding_of  # loads jax
        from .host_leaves import described
        from .output_sharding import Spread
        from .program import LoaderProgram

        sharding = sharding_of(devices, sharding, device, mix)
        self._spread = Spread(sharding, device, layout.is_agreed)
        rows = check_parts(batch_size, self._spread.count)
        if debug_rows:
            check_debug_rows(augment, rows)
        self._sampler = PartsSampler(sampler, batch_size, self._spread.count, self._spread.parts, pads)
        self._identity = identity_of(self._sampler, int(seed), not self._is_endless)
        # A call that fails on one of several devices does not say on which.
        notes = on_error == "zeros" or self._spread.count > 1
        program = LoaderProgram(augment, layout, seed, notes, takes_mask(augment))
        part = program.element_spec(rows, self._spread.devices[0])
        stacked = None if devices is None else len(devices)
        self._finish = Finish(mix, int(seed), sharding, self._spread.device, stacked, batch_size)
        host_shape = self._finish.rows_of(np.empty(self._sampler.local_batch_size)).shape
        self._element_spec = described(self._finish.spec(self._spread.spread_spec(part, rows)), host_shape)
        self._spread.check_agreement(self._identity | {"element_spec": self._element_spec, "epochs": epochs})
        builder = Builder(
            source=make_source(data, self._sampler, layout.structure, seed, epochs),
            sampler=self._sampler,
            columns=layout.columns + hidden_columns(data),
            spread=self._spread,
            finish=self._finish,
            program=program if augment is not None else None,
            failures=DecodeFailures(on_error),
            steps=self._last_step,
            decode_ahead=decode_ahead,
            decode_memory=decode_memory,
            restarts=worker_restarts,
            timeout_s=worker_timeout_s,
        )
        processes = default_workers(builder.source) if workers is None else workers
        self._course = Course(builder, processes, prefetch, debug_rows)

    @property
    def element_spec(self) -> Any:
        """The shapes and dtypes of a batch: what `augment` returns, as `jax.ShapeDtypeStruct`. Needs no data.

        Its structure is that of every batch. Extents that depend on the batch (of `EncodedBatch.bytes`, of the padded
        array of a `ragged` leaf, and what `augment` makes of them) are those of the first sample.
        """
        return self._element_spec

    @property
    def _last_step(self) -> int | None:
        """The end, exclusive; None: nobody knows where that is, or there is none."""
        return None if self.epochs is None or self._is_endless else len(self)

    def __len__(self) -> int:
        """Steps of all epochs.

        Raises:
            TypeError: there are infinitely many, or it is a stream of which nobody knows.
        """
        if self.epochs is None:
            raise TypeError("a Loader with epochs=None has no length; see steps_per_epoch")
        return self.epochs * self.steps_per_epoch

    @property
    def steps_per_epoch(self) -> int:
        """Steps of each epoch: `ceil(len(data) / batch_size)`, or with `last_batch="drop"` `len(data) // batch_size`. Step
        `s` is step `s % steps_per_epoch` of epoch `s // steps_per_epoch`.

        Raises:
            TypeError: it is a stream, and nobody said how long that is.
        """
        if self._is_endless:
            raise TypeError(no_length())
        return self._sampler.steps

    def seek(self, step: int) -> None:
        """Continues at `step`, counted through all epochs; no sample before it is read again.

        A batch is a function of the step: `seek(0)` gives the same batches in the same order once more. Other orders are
        those of other epochs, see `epoch`.

        Raises:
            ConfigError: there is no such step.
            StateError: the loader is closed.
        """
        self._course.seek(check_step(step, self._last_step))

    def get_state(self) -> dict[str, Any]:
        """The position as a record of JSON's types: of the step that comes next, and of what the order follows from. Whoever
        saves it with the model resumes where it was, on any number of devices, processes and workers. It is the same in all
        processes; with Orbax it is an item `ocp.args.JsonSave(loader.get_state())`, restored by `ocp.args.JsonRestore()`.
        """
        position = self._course.stream_position
        return make_record(self.step, **self._identity) | ({} if position is None else {"stream": position})

    def set_state(self, record: Mapping[str, Any]) -> None:
        """Continues where a record was taken. As fast at any step; no sample before it is read again.

        Raises:
            ConfigError: it is a record of data of another length, another order or another batch size. Which data those
                are, and what `augment` does, is not in it.
            StateError: the loader is closed.
        """
        step = check_step(check_record(record, **self._identity), self._last_step)
        self._course.seek(step, position_of(record))

    @property
    def step(self) -> int:
        """The step that comes next. One whose image was bad was a step too."""
        return self._course.step

    def enumerate(self) -> Iterator[tuple[int, Any]]:
        """Iterates over `(step, batch)` from the current step on, where `seek` can bring it back to.

        Its `next` raises:
            SourceError: the source raised, or returned no sample, or not with the first one's types; again until `seek`.
            SourceDataError: a sample differs from the first one in shape in a leaf that is not `ragged`, or holds integers
                that do not fit; the `next` after it gives the next step.
            DecodeError: `augment` decodes, and an image of the batch is bad and is not to be zeros; the `next` after it
                gives the next step.
            WorkerError: a worker died.
            StateError: the loader is closed; or another thread is in it, or this process is a fork of the one that started
                it. Nothing is lost.

        Raises:
            StateError: it was iterated to its end. Where `seek` or `set_state` brought it there, nothing is left, and
                that is no error.
        """
        if not self._course.turn.closed and self._course.moved and (self._course.ended or self.step == self._last_step):
            raise exhausted(self.step, self.epochs)
        return Steps(self._course.next)

    def epoch(self, number: int) -> EpochSteps:
        """Iterates over the batches of one epoch, from its first step on, wherever the Loader stood. Epochs that follow each
        other are read ahead across their border. After the last one the Loader stands at the first step of the next.

        Whoever resumes in the middle of an epoch goes on with `enumerate`.

        Args:
            number: from 0.

        Returns:
            An iterator whose `next` raises what that of `enumerate` does, and StateError if something else brought the
            Loader out of this epoch, or another one iterates over it. Its length is `steps_per_epoch`.

        Raises:
            ConfigError: there is no such epoch, or nobody knows where those of a stream end.
            StateError: the loader is closed.
        """
        if self._is_endless:
            raise ConfigError(no_length())
        number = check_integer("epoch", number, 0, None if self.epochs is None else self.epochs - 1)
        first = number * self.steps_per_epoch
        self._course.turn.check_open()
        if not self._course.stands_at(first):
            self._course.go_to(first)  # else the executor has the epoch's first batches already
        return EpochSteps(self._course, first, first + self.steps_per_epoch)

    def __next__(self) -> NoReturn:
        raise TypeError(
            "a Loader is no iterator: use batches = iter(loader) and next(batches), or `for batch in loader`"
        )

    def __iter__(self) -> Iterator[Any]:
        return map(operator.itemgetter(1), self.enumerate())

    def start(self) -> None:
        """Starts the workers and asks for the first batches now rather than at the first step, e.g. while the training
        step compiles. A second call does nothing.

        Raises:
            ConfigError: the data cannot be sent to worker processes.
            StateError: the loader is closed.
        """
        self._course.start()

    def at(self, step: int) -> Any:
        """The batch of any step, made once more, in this thread; the position stays where it is.

        Raises:
            ConfigError: there is no such step.
            StateError: the loader is closed.
            Exception: as `next` of `enumerate`.
        """
        step = check_step(step, None if self._last_step is None else self._last_step - 1)
        return self._course.read(step)

    def mask(self, step: int) -> jax.Array:
        """`bool[batch_size]`: which rows of a step's batch are samples of its epoch; the others are padding, which only the
        last step of an epoch may have. It is where the batch is: on its device, or cut like the first axis of the leaf
        that is cut finest. Reads nothing, and holds on a closed loader, too.

        Raises:
            ConfigError: there is no such step, or it is a stream without a length; or a sharding other than NamedSharding is
                not one for a single axis.
        """
        if self._is_endless:
            raise ConfigError(no_length())
        check_step(step, None if self._last_step is None else self._last_step - 1)
        first = step % self.steps_per_epoch * self.batch_size
        mask = self._spread.put_mask(np.arange(first, first + self.batch_size) < len(self._sampler.sampler))
        return self._finish.stack(mask)

    def stats(self) -> Statistics:
        """What was counted since the loader was made; of a closed one, until then."""
        return self._course.stats()

    def close(self) -> None:
        """Ends the workers. Batches that were handed out stay valid. Any thread may call it, see `Pipeline.close`."""
        self._course.close()

    def __repr__(self) -> str:
        steps = None if self._is_endless else self.steps_per_epoch
        return f"Loader(batch_size={self.batch_size}, steps_per_epoch={steps}, epochs={self.epochs})"

    def __enter__(self) -> Loader:
        self._course.turn.check_open()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
