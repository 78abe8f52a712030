"""Builds what runs a Loader's steps: workers or the consumer's thread, a ring, the device's part, and an executor.

In come the parts of a Loader, as fields. `make_executor` makes a feed, filled by a pool or by the consumer's thread,
starts it, makes the stage once, and joins them in an `Executor`; with other processes, `together` wraps both. `deliver`
takes what the executor has ready, assembles the global array, mixes its rows, and fills in the leaves of the host. It
relies on `OutputSharding` for devices, and on the sampler for rows and steps.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from jaxdali._base.aliases import PyTree
from jaxdali._base.batch import DECODERS, DEFAULT_DECODER
from jaxdali._base.cpus import decode_processes
from jaxdali._feed.processes.pool import WorkerPool
from jaxdali._feed.remote.courier_pool import make_remote_pool
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.decoder_tasks import connect_decoders
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.feed_options import FeedOptions
from jaxdali._feed.ring.inline import InlineProducer
from jaxdali._feed.source.access import TOGETHER, reads_several
from jaxdali._feed.source.local_rows import LocalRows
from jaxdali._feed.source.map_source import MapSource
from jaxdali._feed.source.parts import PartsSampler
from jaxdali._feed.source.stream_source import StreamPosition, StreamSource
from jaxdali._run.executor.decode_ahead.decode_depth import CLIPS_AHEAD, steps_ahead
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali._run.executor.host_stage import HostStage
from jaxdali._run.executor.prefetch import Executor
from jaxdali.errors import DecodeError, SourceError
from .absent_files import warn_of_missing
from .error_notes import explain_step
from .stream_data import read_position

if TYPE_CHECKING:
    from .packed_clips import PackedClips

__all__ = ["Builder"]

# Batches that workers prepare beyond those that are dispatched.
_AHEAD = 1
# Batches that a consumer may keep; further ones are copied out of the ring.
_KEPT = 2


@dataclasses.dataclass(eq=False)
class Builder:
    """Makes executors for one source and one device function, which is compiled once for all of them.

    Attributes:
        source: uses `sampler`. A stream is read by at most one worker.
        columns: its outputs.
        stacked: which columns are lists of files, see `SampleSpec.stacked`.
        output_sharding: where batches are, an `OutputSharding`.
        mixer: for the rows of the global batch, a `Mixer`.
        program: the device function, a `LoaderProgram`; None: columns are handed out as they are.
        steps: over all epochs; None: no end.
        decode_ahead, decode_memory, restarts, timeout_s: as for `Loader`, where the last two are called
            `worker_restarts` and `worker_timeout_s`.
        most_workers: how many processes read samples once these have to be decoded; 0: as many as before.
        unasked: columns of files that `augment` decodes, and does not ask which there are; nothing once it was warned.
        position: where a stream stands after the batch delivered last (`streams.read_position`).
    """

    source: MapSource | StreamSource
    sampler: PartsSampler | LocalRows
    columns: Sequence[Column]
    stacked: Mapping[int, int]
    output_sharding: Any
    mixer: Any
    program: Any
    failures: DecodeFailures
    steps: int | None
    decode_ahead: int | None
    decode_memory: int | None
    restarts: int
    timeout_s: float | None
    most_workers: int = dataclasses.field(default=0, init=False)
    unasked: Sequence[int] = dataclasses.field(default=(), init=False)
    position: Any = dataclasses.field(default=None, init=False)
    _stage: Any = dataclasses.field(default=None, init=False)
    _has_host: bool = dataclasses.field(default=False, init=False)

    def __post_init__(self) -> None:
        self._has_host = any(column.host for column in self.columns)

    def make_executor(
        self, workers: int | Ray, prefetch: int, together: Any, check: Callable[[], None]
    ) -> tuple[Executor, Feed]:
        """Makes an executor for all steps, and the feed it takes them from, whose workers it starts.

        Args:
            together: a `Together`, if the other processes have a part of its batches; else None.
            check: raises if the data are not what they were.

        Raises:
            ConfigError: the data cannot be sent to worker processes.
        """
        if self.is_stream:
            workers = workers if isinstance(workers, Ray) else min(workers, 1)
        ahead = self._ahead_decoder()
        per_device = self.sampler.local_batch_size // len(self.output_sharding.devices)
        steps = steps_ahead(self.decode_ahead, per_device, self.decoders) if ahead is not None else 0
        packed = self._packed_clips(workers)
        if packed is not None:
            steps = max(steps, CLIPS_AHEAD)
        feed = self._make_feed(workers, prefetch + steps, packed)
        feed.producer.start()
        self._stage = self._stage or self._make_stage(ahead)
        if together is None:
            return Executor(HostStage(*self._host_arguments(feed)), self._stage, prefetch, steps), feed
        host = together.make_host(self.explain, check, *self._host_arguments(feed))
        stage = together.make_stage(self._stage, self.explain, self.sampler.steps)
        return Executor(host, stage, prefetch, steps), feed

    def explain(self, error: BaseException, step: int) -> None:
        """Adds notes to the error of a step."""
        explain_step(error, step, self.sampler, self.program)

    @property
    def is_stream(self) -> bool:
        """Whether steps can only be had one after the other."""
        return isinstance(self.source, StreamSource)

    def begin_at(self, position: Any) -> None:
        """Makes later executors begin a stream at a position, see `streams.position_of`."""
        if isinstance(self.source, StreamSource):
            self.position = position
            source = self.source
            self.source = StreamSource(
                source.data,
                source.sampler,
                source.structure,
                source.turns,
                None if position is None else StreamPosition(**position),
            )

    @property
    def decoders(self) -> Collection[str]:
        """The decoders that the function uses, as far as its trace showed; else the default one."""
        return {DECODERS[decoder] for decoder, _ in self._decodings} or {DEFAULT_DECODER}

    @property
    def _decodings(self) -> Sequence[tuple[int, bool]]:
        return () if self.program is None else self.program.decodings

    def make_single(self) -> Executor:
        """Makes an executor for a single step, which is read in the calling thread."""
        self._stage = self._stage or self._make_stage(self._ahead_decoder())
        return Executor(HostStage(*self._host_arguments(self._make_feed(0, 1))), self._stage, 1)

    def deliver(self, ready: Any, step: int) -> PyTree:
        """Returns what is handed out for a step that the executor has ready: a global batch on all devices."""
        outputs = self.output_sharding.assemble(ready.outputs)
        outputs = self.mixer(outputs, ready.epoch, ready.iteration, ready.number)
        if self.unasked and warn_of_missing(ready, self.unasked):
            self.unasked = ()
        if not self._has_host:
            return outputs
        from .host_leaves import filled  # loads jax

        if isinstance(self.source, StreamSource):
            self.position = read_position(ready.columns)
        return filled(outputs, ready.columns, self.mixer.rows_of)

    def check_neighbours(self, step: int) -> bool:
        """Computes a step once more, in this thread, to check whether its rows depend on each other.

        Returns:
            False if it cannot be computed; whoever takes the step will get the error.

        Raises:
            ConfigError: they do depend on each other.
        """
        from jaxdali._run.executor.device_stage import DeviceStage
        from .batch_neighbours import NeighbourProgram, check_neighbours

        program = NeighbourProgram(self.program)
        stage = DeviceStage(program, self.output_sharding.placement, None, DecodeFailures(self.failures.on_error))
        executor = Executor(HostStage(*self._host_arguments(self._make_feed(0, 1))), stage, 1)
        try:
            executor.restart(0, step)
            alone = executor.next(lambda ready: ready.outputs)
        except (DecodeError, SourceError):
            return False
        finally:
            executor.close()
        check_neighbours(alone)
        return True

    def _make_feed(self, workers: int | Ray, held: int, packed: PackedClips | None = None) -> Feed:
        rows = self.sampler.local_batch_size
        remote = workers if isinstance(workers, Ray) else None
        count = remote.num_workers if remote else max(cast(int, workers), self.most_workers) if workers else 1
        size = FeedOptions(
            batch_size=rows,
            ahead=remote.batches_ahead if remote else _AHEAD if workers else 0,
            max_leased=held + _KEPT,
            chunks=min(count, rows),
        )
        source, columns = (self.source, self.columns) if packed is None else packed
        if not workers:
            threads = decode_processes()
            columns = [dataclasses.replace(one, threads=threads) if one.encoded else one for one in columns]
        elif isinstance(self.source, StreamSource):  # one process reads it, but more decode its files
            columns = [dataclasses.replace(column, decoders=decode_processes()) for column in columns]
        feed = Feed(source, columns, size)
        if not workers:
            feed.producer = InlineProducer(feed.served)
            return feed
        several = not isinstance(self.source, StreamSource) and reads_several(self.source.data)
        timeout_s = None if self.timeout_s is None else self.timeout_s * (TOGETHER if several else 1)
        options: dict[str, Any] = {"restarts": self.restarts, "timeout_s": timeout_s}
        if remote:
            feed.producer = make_remote_pool([feed.served], remote, **options)
            return feed
        most = self.most_workers
        feed.producer = WorkerPool(
            [feed.served], workers=cast(int, workers), most=most, start_method="spawn", **options
        )
        connect_decoders([feed], functools.partial(WorkerPool, workers=1, start_method="forkserver", **options))
        return feed

    def _host_arguments(self, feed: Feed) -> tuple[Any, ...]:
        sampler = self.sampler
        longest = None
        if isinstance(sampler, PartsSampler) and any(column.by_sampler for column in self.columns):
            longest = sampler.longest
        rows, steps = sampler.local_batch_size, sampler.steps
        return [feed], rows, steps, self.steps, sampler.numbers, sampler.mask, longest

    def _packed_clips(self, workers: int | Ray) -> PackedClips | None:
        if isinstance(workers, Ray) or self.decode_ahead == 0 or not isinstance(self.source, MapSource):
            return None
        from .packed_clips import packed_clips  # loads jax

        return packed_clips(self.source, self.columns, self.output_sharding.placement)

    def _make_stage(self, ahead: Any) -> Any:
        from jaxdali._run.executor.device_stage import DeviceStage, TransferStage
        from .host_leaves import all_values

        if self.program is not None:
            alone = self.output_sharding.count == 1 or self.program.logs_failures
            noting = None if alone else self.program.with_log()
            return DeviceStage(self.program, self.output_sharding.placement, None, self.failures, ahead, noting=noting)
        unflatten, columns = self.source.structure.unflatten, self.columns
        assemble = lambda values: unflatten(all_values(values, columns))  # noqa: E731
        return TransferStage(assemble, self.output_sharding.placement, ahead, self.stacked)

    def _ahead_decoder(self) -> Any:
        from .decode_ahead import make_ahead_decoder

        # Those that a program reads together have their first one's settings.
        inputs = range(len(self.columns)) if self.program is None else self.program.inputs
        encoded = [index for index in inputs if self.columns[index].encoded]
        return make_ahead_decoder(
            self.output_sharding.devices, encoded, self._decodings, self.decode_ahead, self.decode_memory
        )
