"""Batches of a map-style source, augmented by the user's own pure function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jaxdali._base.aliases import Device, PyTree
from jaxdali._base.batch import DEFAULT_MAX_IMAGE_PIXELS
from jaxdali._base.user_warnings import warn_user
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._run.executor.statistics import Statistics
from .keywords import ForeignNames, explains_keywords
from .loader_text import data_as_text, loader_as_text, order_as_text
from .making import make
from .state import check_record, make_record
from .steps import EpochSteps, batches_of, exhausted, steps_to
from .stream_data import position_of

if TYPE_CHECKING:
    import jax
else:
    from jaxdali._run.lazy_jax import jax

__all__ = ["Loader"]


class Loader(ForeignNames):
    """A stream of batches, endless or finite. Iterate over all epochs at once, or epoch by epoch:

        for step, batch in loader.enumerate(): ...
        for epoch in range(90):
            for batch in loader.epoch(epoch): ...

    Workers read samples into shared memory; `augment` runs on the device, a few batches ahead of the consumer. A batch
    is a function of (seed, step), and steps count through all epochs. Every batch is full: if the samples of an epoch
    do not fill the last one, padding completes it, and a mask says which rows are real, see `last_batch`.

    Args:
        data: anything with `__len__` and `__getitem__(int)`, or `__getitem__(int, rng)`: a parameter named `rng` receives a
            `numpy.random.Generator` whose draws depend on (seed, epoch, index of the sample in the epoch) only; one named
            `epoch` receives the epoch's number, an int. `__getitems__(list)`, where data have it as in torch, reads up to 16
            samples at once. Or anything that can be iterated over, see `jaxdali.source.Iterable`. `jaxdali.source`
            concatenates, mixes, filters and maps such data.
            The data are copied to the workers once, by value: workers share the memory of arrays from 1 MiB on, until one of
            them writes into it. Of a `np.memmap`, or a view of one, only the file's name and the offset are copied: workers
            open it read-only, and share its pages. (If its mode is "c", or its file was deleted, the contents are copied.) A
            sample is any nesting of dicts, lists, tuples and objects of classes registered with JAX; a list of Python
            numbers is an array. Its `bytes` leaves are image files, and so are dicts of `bytes` and `path`, as Hugging
            Face's datasets have them; `None` in place of a file is an image that is missing. Strings and `pathlib` paths
            stay on the host, see `host`; all others are arrays or numbers, including ml_dtypes (bfloat16). 64-bit numbers
            are narrowed as JAX does: to int32 and float32 unless `jax_enable_x64` is set; an integer that does not fit is an
            error. If `data` has a method `source_info(index)`, errors name a sample by what that returns, such as a path.
        augment: `augment(batch, keys)`, pure, traced by JAX. `batch` is nested like a sample: a `bytes` leaf becomes an
            `jaxdali.image.EncodedBatch`, a `ragged` leaf a pair, and any other leaf an array `[batch_size, ...]`.
            `keys` are typed keys `[batch_size]`, functions of (seed, epoch, index of the sample in the epoch). Equal
            keys draw equal numbers; `jaxdali.random.split(keys, n)` makes keys for n draws. A parameter named `mask`
            receives `bool[batch_size]`, which rows are real; ones named `step` and `epoch` receive `uint32[]`, modulo
            2**32: the position, counted through all epochs as by `enumerate`, and the epoch's number. They are passed if the
            signature shows them and no `functools.partial` has bound them, whatever their defaults.
            It returns any nesting of arrays `[batch_size, ...]`, one row per sample;
            without `sharding` also arrays with several rows per sample, and numbers. A row must depend
            on its own sample and key only: with `sharding`, each device sees only its own rows, so a mixture of rows
            (mixup, batch statistics) would depend on the number of devices, and with one row per device nothing would
            be mixed. None: batches are returned as they were read.
        batch_size: samples per batch.
        last_batch: how to treat samples that do not fill the last batch of an epoch. "mask": padding completes it, by
            repeating the batch's own rows, from the first one on, with the same keys. Under the mask (given to
            `augment`, and by `mask`) an epoch then contains each sample exactly once, in `ceil(len(data) / batch_size)`
            steps; failures of padding are neither raised nor counted. A loss or metric that does not weight rows by the
            mask counts some samples twice or more. "drop": they are left out, and the mask is true everywhere. None: as
            "mask", with a warning if such a batch was handed out and nobody had asked for its mask.
        ragged: the leaves whose shapes differ from sample to sample, each named by its key, index or field, e.g. `("ids",)`
            or `(0, 2)`; leaves that are nested deeper by a tuple of them, e.g. `[("text", "ids")]`. A name with leaves below
            it stands for all of them that can differ; `[()]` for the whole sample. In every batch such a leaf is a pair: an
            array `[batch_size, ...]` that is zero outside of the samples, and their shapes, `int32[batch_size, ndim]`. The
            array's extents vary: an axis in which a batch's samples agree has their extent, others are rounded up to one of
            few values. In any other leaf, a sample whose shape differs from that of the data's first sample makes its step a
            SourceDataError, and the next step follows. A dict of leaves also gives the extents that a sample's first axis is
            padded to: `{"ids": 512}`; or the smallest of several that holds the batch, `{"ids": (64, 128, 512)}`, for which
            as many programs are compiled; or None, as above. A longer sample makes its step a SourceDataError. With several
            processes, each of which sees only its own samples, give one extent, or use a `jaxdali.source.BucketSampler`,
            which knows all lengths; or have `augment` cut all widths to one shape.
        host: further leaves that stay on the host, named as in `ragged`: Python objects of any type that can be
            pickled, such as ids of type `bytes`, or None. In a batch such a leaf is a NumPy array `object[batch_size]`;
            with several processes, of this one's rows. `augment` receives a stand-in for it, which it may return.
        indexed: image leaves, named as in `ragged`, whose palettes are not applied: an image with a palette, such as a
            PNG of classes, becomes gray, its indices levels. Open with `color="GRAY"`, resize with `filter="nearest"`.
        optional: image leaves, named as in `ragged`, that may be None even in all of the first samples. What the first
            sample lacks is otherwise taken from the next 64, and there is a warning if images are missing and `augment` asks
            neither for their `present` nor for statuses.
        shuffle: read every epoch in another order, a keyed permutation that takes no memory.
        sampler: another order: an object with `__len__`, the samples per epoch, and `indices(epoch, positions)`, which
            maps `int64[n]` positions in the epoch to `int64[n]` indices of `data` and depends on its arguments only,
            such as a `jaxdali.source.WeightedSampler`. It is copied to the workers.
        seed: that of the order and of `keys`; not negative.
        epochs: the number of epochs. None: without end.
        workers: the number of processes that read samples; 0: the consumer's thread reads them, e.g. for a debugger.
            None: one per CPU, at most 8, 8 for each GPU, or 16 once they decode videos, sounds or files other than
            JPEG; but 0 for `jaxdali.source.Arrays` in memory, or a subset, and batches up to 1 MiB. Or a `remote.Ray`.
        prefetch: batches that are dispatched ahead, including the one being returned.
        worker_restarts: how many times the same work may start again because its worker died, before a WorkerError.
        worker_timeout_s: a worker that spends more seconds than this on one sample is ended, as if it had died. (On one
            call of `__getitems__`, 16 times as many.) Loading `data` may take as long, but at least 20 s, not counting
            the interpreter's start. The first sample, which is read in this process when the Loader is made, is then
            read in a thread of its own, and a SourceError if it takes longer; but not with `workers=0`. So what only one
            thread may use, such as a connection of SQLite, must be opened anew in each. None: no limit. Waits
            of five seconds are warned of in any case, by the logger "jaxdali".
        device: a `jax.Device`; None: the first GPU, else the first device of JAX's default platform. `augment` runs on
            it, or on the CPU if files cannot be decoded on it, such as on a TPU; its results are then placed on the
            device, and with `sharding` cut there. `mix` always runs on the device.
        sharding: instead of `device`: a `jax.sharding.Sharding` of the global arrays, or a pytree of them that is a
            prefix of the batch. The first axis is cut, by any axes of a mesh; each device computes its own rows, and
            devices that hold the same rows get copies. With several processes, each makes the same Loader, and reads
            only its own rows, see also `local_data` and `agree`. `batch_size` is that of the global batch, `augment` sees
            one part of it, and the samples,
            their order and their `keys` are the same under any sharding.
        devices: instead of `sharding`: several devices of this process that share each batch. Arrays are
            `[devices, N, ...]`, as `jax.pmap` takes them.
        mix: `mix(batch, key)`, pure, applied to the global batch that `augment` returns, such as
            `jaxdali.random.mixup(key, batch["x"], batch["y"])`. It sees all rows, on any number of devices and
            processes; `key` is a typed key, a function of (seed, epoch, index of the batch in the epoch). Parameters named
            `step` and `epoch` are as in `augment`. It returns
            any nesting of arrays `[batch_size, ...]`.
        max_image_pixels: larger images are an error (TOO_LARGE).
        on_error: how to treat images that cannot be decoded, unless `augment` passes `on_error` to
            `jaxdali.image.decode` or `decode_resample`. "raise": the step is a DecodeError, and the next one follows.
            "zeros": its result is zeros, `stats` counts it, and warnings of the logger "jaxdali" name the first ten.
        debug_rows: before the first batch is returned, check whether `augment` mixes rows: the batch is read once more,
            in this thread, and computed 2 log2(rows) + 1 times by one more program, with some rows replaced. A
            ConfigError names the leaf that changed. A mixture that only occurs in later batches is not seen.
        decode_ahead: on a GPU, how many images are decoded before `augment` needs them; see `Pipeline`. The calls that
            `augment` makes say by which decoder. 0: FFmpeg, and not the GPU, decodes clips of `source.VideoClips`, too.
        decode_memory: the bytes of GPU memory for that.
        local_data: for several processes (of `jax.distributed`) with different data, such as files of their own. Each makes
            a Loader of its data, with the same arguments otherwise; its rows of a global batch come from its data, which
            are shuffled by themselves. Lengths may differ: with `last_batch="mask"` an epoch lasts until the longest data
            end, and the others are padded; with "drop" until the shortest end. With `devices` or `device`, each process has
            batches of its own, of `batch_size` samples. A state resumes on the same number of processes.
        agree: for several processes. False: an error of one process ends the Loader in all of them, for good, within
            seconds. True: an error of a step in one process is one of that step in all, as if they were one process, and
            what follows is the same in all. Outcomes travel while the batch before is used; with `prefetch=1`, every step
            waits for them, a millisecond or two.

    Raises:
        ConfigError: an argument cannot be honoured, or the data have no batch; or the Loader of another process differs, or
            could not be made.
        SourceError: the first sample was not there within `worker_timeout_s`.
        Exception: what `augment` raises when it is traced with the shapes of the first sample.

    Example:
        >>> import numpy as np
        >>> from jaxdali import Loader, source
        >>> data = source.Arrays(x=np.arange(5))
        >>> with Loader(data, lambda batch, keys: batch["x"] * 10, batch_size=2, epochs=1, workers=0) as loader:
        ...     [(batch.tolist(), loader.mask(step).tolist()) for step, batch in loader.enumerate()]
        [([0, 10], [True, True]), ([20, 30], [True, True]), ([40, 40], [True, False])]
    """

    @explains_keywords
    def __init__(
        self,
        data: object,
        augment: Callable[..., object] | None = None,
        *,
        batch_size: int,
        last_batch: str | None = None,
        ragged: Collection[object] = (),
        host: Collection[object] = (),
        indexed: Collection[object] = (),
        optional: Collection[object] = (),
        shuffle: bool = False,
        sampler: Any = None,
        seed: int = 0,
        epochs: int | None = None,
        workers: int | Ray | None = None,
        prefetch: int = 2,
        worker_restarts: int = 3,
        worker_timeout_s: float | None = None,
        device: object = None,
        sharding: object = None,
        max_image_pixels: int = DEFAULT_MAX_IMAGE_PIXELS,
        on_error: str = "raise",
        decode_ahead: int | None = None,
        decode_memory: int | None = None,
        debug_rows: bool = False,
        mix: Callable[..., object] | None = None,
        devices: Sequence[Device] | None = None,
        local_data: bool = False,
        agree: bool = False,
    ):
        given = {name: value for name, value in locals().items() if name != "self"}
        made = make(given)
        self.batch_size = int(batch_size)
        self.epochs, self._resumed_at = epochs, -1
        self._told = data_as_text(data), order_as_text(given)
        self._step_runner, self._count, self._identity = made.step_runner, made.count, made.identity
        self._output_sharding, self._mixer, self._element_spec = made.output_sharding, made.mixer, made.element_spec

    @property
    def element_spec(self) -> PyTree:
        """The structure, shapes and dtypes of every batch, as `jax.ShapeDtypeStruct`s. Reads no data.

        Extents that depend on the batch (of `EncodedBatch.bytes`, of the padded array of a `ragged` leaf, and what
        `augment` makes of them) are those of the first sample.
        """
        return self._element_spec

    def __len__(self) -> int:
        """Steps of all epochs.

        Raises:
            TypeError: there is no end, or the data are a stream of unknown length.
        """
        return self._count.all_steps

    @property
    def steps_per_epoch(self) -> int:
        """Steps of each epoch: `ceil(len(data) / batch_size)`, or with `last_batch="drop"` `len(data) // batch_size`.
        Step `s` is step `s % steps_per_epoch` of epoch `s // steps_per_epoch`.

        Raises:
            TypeError: the data are a stream of unknown length.
        """
        return self._count.steps

    def seek(self, step: int) -> None:
        """Continues at `step`, counted through all epochs; no sample before it is read again.

        A batch is a function of the step: `seek(0)` gives the same batches in the same order once more. Other orders are
        those of other epochs, see `epoch`.

        Raises:
            ConfigError: there is no such step.
            StateError: the loader is closed.
        """
        self._step_runner.seek(self._count.check_seek(step))

    def get_state(self, step: int | None = None) -> dict[str, object]:
        """The position as a record of JSON's types: the step that comes next, and what the order depends on. Save it
        with the model to resume there, on any number of devices, processes and workers. It is the same in all
        processes. With Orbax it is an item `ocp.args.JsonSave(loader.get_state())`, restored by
        `ocp.args.JsonRestore()`.

        Args:
            step: the step that is to come next; None: the Loader's. `get_state(step + 1)` is the state of batch `step`, also
                if something that prefetches has taken later ones.

        Raises:
            ConfigError: there is no such step, or it is a stream's, which remembers 64 steps, and longer ago.
        """
        number = self.step if step is None else self._count.check_seek(step)
        # Streams that differ between processes stand elsewhere in each, and a state is the same in all.
        position = None if self._count.is_local else self._step_runner.positions.before(number)
        return make_record(number, **self._identity()) | ({} if position is None else {"stream": position})

    def set_state(self, record: Mapping[str, object], *, ignore: Collection[str] = ()) -> None:
        """Continues where a record was taken. It is as fast at any step; no earlier sample is read again.

        Args:
            ignore: names of the record's fields that may differ from this Loader's, such as ("data",), if you know better.

        Raises:
            ConfigError: the record was taken with another order: it says in what data, sampler, mixture, batch size, seed or
                length differ. What samples contain, and what `augment` does, is not noticed.
            StateError: the loader is closed.
        """
        own = self._count.sampler.sampler
        step = self._count.check_seek(check_record(record, own, ignore, **self._identity()))
        self._step_runner.seek(step, position_of(record, step))
        self._resumed_at = step

    @property
    def step(self) -> int:
        """The step that comes next. A step whose image was bad counts, too."""
        return self._step_runner.step

    def enumerate(self) -> Iterator[tuple[int, Any]]:
        """Iterates over `(step, batch)` from the current step on; `seek(step)` comes back to one. The iterator has a length,
        the steps from here to the end, if there is one.

        Its `next` raises:
            SourceError: the source raised. So does every `next` until `seek`.
            SourceDataError: a file is damaged, or a sample is not like the first one, or holds numbers that do not fit. The
                following `next` gives the next step; of a stream, and with several processes, the same error until `seek`.
            DecodeError: `augment` decodes, and an image of the batch is bad and is not to be zeros; likewise.
            WorkerError: a worker died.
            PeerError: another process failed in another way, or has closed its Loader, if they `agree` on steps; or the
                processes take different steps. The errors above, too, may be those of other processes, which they name.
                What follows is a StateError, unless `agree`.
            StateError: the loader is closed, another thread is using it, JAX is tracing the function that calls it, or this
                process is a fork of the one that started it. Nothing is lost. Or the data have changed their length.

        Raises:
            StateError: the loader was iterated to its end. If `seek` or `set_state` brought it there, nothing is left,
                and that is not an error.
        """
        if (
            not self._step_runner.exclusive.closed
            and self._step_runner.moved
            and (self._step_runner.ended or self.step == self._count.end)
        ):
            raise exhausted(self.step, self.epochs)
        return steps_to(self._count.end, self._step_runner)

    def epoch(self, number: int) -> EpochSteps:
        """Iterates over the batches of one epoch, from its first step on; or from where `set_state` or `seek` put the
        Loader, if that is in this epoch and no step was taken since. Consecutive epochs are read ahead across their
        border. After it the Loader is at the next epoch's first step.

        To resume: `for number in range(loader.step // loader.steps_per_epoch, epochs)`.

        Args:
            number: from 0.

        Returns:
            An iterator whose length is the number of its batches. Its `next` raises what that of `enumerate` does, and
            StateError if something else moved the Loader out of this epoch, or another iterator is iterating over it.

        Raises:
            ConfigError: there is no such epoch, or the data are a stream of unknown length.
            StateError: the loader is closed.
        """
        first, step_runner = self._count.first_step(number), self._step_runner
        last = first + self.steps_per_epoch
        step_runner.exclusive.check_open()
        if step_runner.put_at is not None and first < step_runner.put_at < last:
            first = step_runner.put_at
        elif step_runner.put_at is not None and step_runner.put_at == self._resumed_at >= last:
            warn_user(
                f"set_state put this Loader at step {step_runner.put_at}, and epoch({number}) goes back to step {first}: to "
                "resume, begin with epoch(loader.step // loader.steps_per_epoch)",
                UserWarning,
            )
        if not step_runner.stands_at(first):
            step_runner.go_to(first)  # else the executor has the epoch's first batches already
        return EpochSteps(step_runner, first, last)

    def __iter__(self) -> Iterator[Any]:
        return batches_of(self.enumerate())

    def start(self) -> None:
        """Starts the workers and requests the first batches now instead of at the first step, e.g. while the training
        step compiles. A second call does nothing.

        Raises:
            ConfigError: the data cannot be sent to worker processes.
            StateError: the loader is closed.
        """
        self._step_runner.start()

    def at(self, step: int) -> PyTree:
        """The batch of any step, computed once more, in this thread; the position does not change.

        Raises:
            ConfigError: there is no such step.
            StateError: the loader is closed.
            Exception: as `next` of `enumerate`.
        """
        return self._step_runner.read(self._count.check_step(step))

    def mask(self, step: int) -> jax.Array:
        """`bool[batch_size]`: which rows of a step's batch are samples of its epoch. The others are padding, which only
        the last step of an epoch may have. The mask is placed where the batch is: on its device, or cut like the first
        axis of the leaf that is cut finest. This reads nothing, and works on a closed loader, too.

        Raises:
            ConfigError: there is no such step, or the data are a stream of unknown length; or a sharding other than
                NamedSharding does not fit a single axis.
        """
        self._step_runner.asks_for_mask = False
        return self._mixer.stack(self._output_sharding.put_mask(self._count.real_rows(step)))

    def stats(self) -> Statistics:
        """Statistics since the loader was made, or for a closed one, until it was closed."""
        return self._step_runner.stats()

    def metrics(self) -> dict[str, float]:
        """Scalars for TensorBoard and the like: samples per second, waits by stage, failed images, workers, the depth of the
        queue. The page on metrics lists them, with programs that write them. A call takes microseconds; any thread may call.

        Returns:
            A number for each of the same names: for what happened since the last call, or since the first batch was
            requested. Once the Loader is closed, the next call gives what was left, and later ones zeros.
        """
        return self._step_runner.metrics.read(self._step_runner)

    def close(self) -> None:
        """Ends the workers. Batches that were returned stay valid. Any thread may call it, see `Pipeline.close`."""
        self._step_runner.close()

    def __repr__(self) -> str:
        return loader_as_text(*self._told, self._count, self.step, self.element_spec)

    def __enter__(self) -> Loader:
        self._step_runner.exclusive.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
