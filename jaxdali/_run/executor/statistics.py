"""Statistics: what happened to batches, images and workers, and what the consumer waited for."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jaxdali._base.cpus import usable_cpus
from jaxdali._base.formats.format_names import NAMES, NATIVE
from jaxdali._device.ffi import queues
from jaxdali._feed.ring.feed import Feed
from .decode_failures import DecodeFailures
from .prefetch import Executor
from .waits import Waits

__all__ = ["EngineStatistics", "SourceProcesses", "Statistics"]

# Share of the consumer's time from which on a wait is reported; less is noise.
_BOUND = 0.05
# More actors than this allows for are not advised at once: the wait may be for something else.
_LEAST_SHARE = 0.25
_IDLE = 0.5
_TOO_FEW = 10
_TIMES = (
    ("source_s", "waited for sources"),
    ("decoder_s", "waited for decoding"),
    ("device_s", "waited for the device function"),
    ("dispatch_s", "started device functions"),
)
_LIBRARIES = {"videos": "FFmpeg", "packed videos": "the GPU, or FFmpeg", "sounds": "libsndfile", "frames": "Pillow"}


@dataclasses.dataclass(frozen=True)
class EngineStatistics:
    """Counts of the decode engine of one GPU since the process began; all pipelines and Loaders of the process share
    it.

    Attributes:
        gpu, host, copied: images that were ready before they were needed: decoded by the GPU, decoded by libjpeg-turbo
            on the host, and images that came as pixels.
        failed: images that could not be decoded.
        used: images that device functions found decoded.
        missed: images that device functions decoded themselves.
        read_back: calls that had to wait for the GPU to learn which images they need: those of a user's own function on
            a batch that was permuted, or that did not come from a pipeline's or Loader's own program.
        given_up: batches for which there was no room in `decode_memory`.
        decode_memory, allocated: bytes on the device that it may use for images, and that it has allocated.
        growths: how often it allocated more. A steady state has none, nor has an engine that was told how much its
            images need (`bytes_per_sample_hint` of the decoder).
        most_per_image: bytes per image, the average in the batch where it was largest.
        jobs: batches that it holds now.
        waiting, decoded: the images in these batches.
        hardware_queues: queues that CUDA has for streams of this process, as far as can be known.
    """

    gpu: int
    host: int
    copied: int
    failed: int
    used: int
    missed: int
    read_back: int
    given_up: int
    decode_memory: int
    allocated: int
    growths: int
    most_per_image: int
    jobs: int
    waiting: int
    decoded: int
    hardware_queues: int


@dataclasses.dataclass(frozen=True)
class SourceProcesses:
    """The processes that read the sources.

    Attributes:
        argument: the argument that sets their number: "py_num_workers" of a pipeline, "workers" of a Loader.
        count: number of worker processes, which grows when files have to be decoded; 0: the consumer's thread reads.
        divides: whether more of them would share the work; not if each source is an iterable, which one process runs.
        cpus: CPUs that this process may use.
        decodes: what they decode, such as "PNG files (native code)" or "videos (FFmpeg)".
        decoders: how many processes or threads do so.
        in_threads: threads of this process decode, not worker processes.
        actors: of a `jaxdali.remote.Ray`, whose machines read; `count` processes fetch from them. 0: there is none.
    """

    argument: str
    count: int
    divides: bool
    cpus: int
    decodes: tuple[str, ...] = ()
    decoders: int = 0
    in_threads: bool = False
    actors: int = 0


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Counts since the pipeline or the Loader was built.

    Attributes:
        batches, samples: numbers handed out; the padding of a Loader's last batch does not count as samples.
        images_failed: images that could not be decoded, in batches that were computed and checked, handed out or not:
            their number by the name of their `jaxdali.image.Status`. If a user's own functions decode and return
            statuses themselves, those failures do not count.
        worker_deaths: worker processes that died, or were ended because they hung.
        chunks_redone: pieces of work that were started again because of that.
        slot_growths: how often a slot of shared memory was enlarged. A steady state has none, nor has a run whose
            `bytes_per_sample_hint` was right.
        slot_shrinks: how often a slot gave memory back to the system (`backend.SetHostBufferShrinkThreshold`).
        waits: what the consumer waited for since the first batch was handed out.
        start: what it waited for before that, from its first request, or a Loader's `start`, until the first batch was
            handed out. Time in none of its parts went into starting jax and placing the batch.
        engine: counts of the GPU engine that decodes ahead; None if no engine does.
        processes: those that read the sources; None if they were never started.
    """

    batches: int
    samples: int
    images_failed: dict[str, int]
    worker_deaths: int
    chunks_redone: int
    slot_growths: int = 0
    slot_shrinks: int = 0
    waits: Waits = dataclasses.field(default_factory=Waits, compare=False)
    start: Waits = dataclasses.field(default_factory=Waits, compare=False)
    engine: EngineStatistics | None = dataclasses.field(default=None, compare=False)
    processes: SourceProcesses | None = dataclasses.field(default=None, compare=False)

    @classmethod
    def collect(
        cls, executor: Executor | None, failures: DecodeFailures, feeds: Iterable[Feed], argument: str
    ) -> Statistics:
        """Collects what the parts counted. `argument` is the one that sets the number of workers."""
        feeds = list(feeds)
        distinct = list(dict.fromkeys(feed.producer for feed in feeds))
        every: dict[Any, None] = dict.fromkeys(producer for feed in feeds for producer in feed.producers)
        counters = [producer.counters for producer in every if hasattr(producer, "counters")]
        counts = None if executor is None else executor.engine_counts
        rings = [] if executor is None else executor.rings
        return cls(
            batches=0 if executor is None else executor.batches,
            samples=0 if executor is None else executor.handed_out.samples,
            images_failed=dict(failures.counts),
            worker_deaths=sum(counter.deaths for counter in counters),
            chunks_redone=sum(counter.redone for counter in counters),
            slot_growths=sum(ring.growths for ring in rings),
            slot_shrinks=sum(ring.shrinks for ring in rings),
            waits=Waits() if executor is None else executor.waits,
            start=Waits() if executor is None else executor.start,
            engine=None if counts is None else EngineStatistics(**counts),
            processes=_processes(distinct, argument) if distinct else None,
        )

    def __repr__(self) -> str:
        return _as_table(self)

    @property
    def samples_per_s(self) -> float:
        """Samples per second since the first batch was handed out; 0 before there were two batches."""
        return self.samples * (self.batches - 1) / self.batches / self.waits.seconds if self.batches > 1 else 0.0

    @property
    def advice(self) -> str:
        """A sentence: whether the consumer waits for its input, for which part of it, and what would help."""
        waits = self.waits
        if self.batches < _TOO_FEW or not waits.seconds:
            return f"{self.batches} batches are too few to tell what they wait for"
        share = (waits.source_s + waits.decoder_s + waits.device_s) / waits.seconds
        inside = waits.next_s / waits.seconds
        if share < _BOUND and inside > _IDLE:
            return (
                f"nothing waits for batches ({share:.0%} of the time), but {inside:.0%} of it is spent in `next`, "
                f"{waits.dispatch_s / waits.seconds:.0%} starting device functions, and little on using the batches: "
                "measure with a training step, or make batches larger"
            )
        if share < _BOUND:
            return f"not input-bound: {share:.0%} of the time is spent waiting for batches"
        most, advice = max(
            (waits.source_s, f"for sources: {self._about_sources()}"),
            (waits.decoder_s, self._about_decoding()),
            (waits.device_s, "for the device function: it shares the device with the code that uses the batches"),
        )
        return f"input-bound: {share:.0%} of the time is spent waiting for batches, {most / waits.seconds:.0%} {advice}"

    def _about_sources(self) -> str:
        share, read = self.waits.source_s / self.waits.seconds, self.processes
        if read is None:
            return "give it more workers, or a source that does less"
        if read.actors:
            wanted = max(math.ceil(read.actors / max(1 - share, _LEAST_SHARE)), read.actors + 1)
            return f"set num_workers={wanted} of the jaxdali.remote.Ray; it is {read.actors} now"
        if read.decodes:
            return self._about_files(read)
        parallel = "external_source(parallel=True) and " if read.argument == "py_num_workers" else ""
        if not read.divides and not read.count:
            return f"this thread reads them; {parallel}{read.argument}=1 has another process do it"
        if not read.divides and read.argument == "workers":
            return (
                "one process reads a stream; make the stream do less, or give data with __len__ and __getitem__, "
                "which workers= processes share"
            )
        if not read.divides:
            return (
                "each is an iterable, which one process runs; a function of the index, or one of (worker_id, "
                f"num_workers) that returns each worker's part, is shared by {read.argument}= processes"
            )
        # The work that workers do in all the time must fit into the rest of it. This thread does it in a part of the
        # time.
        work = read.count / max(1 - share, 1 / read.cpus) if read.count else share / max(1 - share, 1 / read.cpus)
        wanted = min(math.ceil(work), read.cpus)
        if not read.count:
            return f"this thread reads them; {parallel}{read.argument}={max(wanted, 1)} has other processes do it"
        if read.count < read.cpus:
            return f"set {read.argument}={max(wanted, read.count + 1)}; it is {read.count} now, of {read.cpus} CPUs"
        return (
            f"{read.argument}={read.count} uses all {read.cpus} CPUs; make the source do less or, if it waits for a "
            f"disk or a network, set {read.argument}={2 * read.count}"
        )

    @staticmethod
    def _about_files(read: SourceProcesses) -> str:
        alone = not read.count and read.decoders == 1
        if read.in_threads:
            who = f"{read.decoders} threads of this process"
        else:
            who = "this process" if alone else f"{read.decoders} process{'es' if read.decoders > 1 else ''}"
        how = f"{' and '.join(read.decodes)} are decoded by {who}"
        if read.decoders < read.cpus:
            argument = "num_threads" if read.argument == "py_num_workers" else read.argument
            more = " (and py_num_workers above 0)" if alone and argument == "num_threads" else ""
            return f"{how}; set {argument}={read.cpus}, the number of CPUs{more}"
        return f"{how}, on {read.cpus} CPUs; smaller ones take less, or JPEG files, which the device function decodes"

    @property
    def _share_of_host(self) -> float:
        """Share of the images decoded ahead that libjpeg-turbo decoded."""
        engine = self.engine
        return 0.0 if engine is None else engine.host / max(engine.gpu + engine.host, 1)

    def _about_decoding(self) -> str:
        if self.engine is None:
            return (
                "for decoding videos: the GPU's video engines decode as many frames as they can; clips take less whose "
                "frames are nearer to each other, and to the key frame before them"
            )
        if self.engine is not None and self.engine.given_up:
            return "for decoding: decode_memory is too small for what is to be decoded ahead"
        if self.engine is not None and self._share_of_host > _BOUND:
            return (
                f"for decoding, which the host's CPUs do for {self._share_of_host:.0%} of the images: those that the "
                'decoder leaves to them. decoder="cuda" leaves them only files that are damaged, incomplete, or '
                "neither baseline nor progressive in gray, YCbCr or RGB; have such files written anew, or use more CPUs"
            )
        if self.engine is not None and self.engine.hardware_queues < queues.MOST:
            return (
                "for decoding, whose streams wait behind others in the GPU's queues: import jaxdali before the GPU is "
                f"first used, or set {queues.VARIABLE}={queues.MOST}"
            )
        return 'for decoding: decoder="cuda" is the fastest, and decode_ahead= may be raised'


def _named(kind: str) -> str:
    """Returns what to call files of a kind, with what decodes them."""
    if kind in NAMES:
        return f"{NAMES[kind]} files ({'native code' if kind in NATIVE else 'Pillow'})"
    return f"{kind} ({_LIBRARIES[kind]})"


def _processes(producers: Sequence[Any], argument: str) -> SourceProcesses:
    pools = [producer for producer in producers if producer.waits]
    return SourceProcesses(
        argument,
        count=sum(pool.decoding.processes for pool in pools),
        divides=any(producer.divides for producer in pools or producers),
        cpus=usable_cpus(),
        decodes=tuple(sorted({_named(kind) for producer in producers for kind in producer.decoding.kinds})),
        decoders=max((producer.decoding.at_once for producer in producers if producer.decoding.kinds), default=0),
        in_threads=any(producer.decoding.threads > 1 for producer in producers),
        actors=sum(pool.decoding.actors for pool in pools),
    )


def _as_table(stats: Statistics) -> str:
    """Returns a table, a line for each thing that can be known."""
    rows = [*_rows(stats)]
    width = max(len(name) for name, _ in rows)
    head = f"Statistics: {stats.batches} batches, {stats.samples} samples"
    return "\n".join([head, *(f"  {name:<{width}}  {value}" for name, value in rows)])


def _rows(stats: Statistics) -> Iterator[tuple[str, str]]:
    if stats.batches > 1:
        yield "rate", f"{stats.samples_per_s:.1f} samples/s in {stats.waits.seconds:.2f} s since the first batch"
    yield from _times(stats.waits)
    if stats.waits.seconds:
        yield "the loop's own", _time(stats.waits.seconds - stats.waits.next_s, stats.waits.seconds)
    if stats.start.seconds:
        yield "until the first batch", f"{stats.start.seconds:.2f} s"
    failed = ", ".join(f"{count} {name}" for name, count in stats.images_failed.items())
    yield "failed images", failed or "0"
    if (read := stats.processes) is not None:
        elsewhere = f"{read.actors} actors, and {read.count} couriers" if read.actors else ""
        yield "worker processes", elsewhere or f"{read.count} ({read.argument}=), of {read.cpus} CPUs"
        if read.decodes:
            yield "decoded by workers", ", ".join(read.decodes)
    if stats.worker_deaths:
        yield "died", f"{stats.worker_deaths} workers; {stats.chunks_redone} pieces of work were done again"
    yield "slots", f"grew {stats.slot_growths} times, shrank {stats.slot_shrinks} times"
    if (engine := stats.engine) is not None:
        yield "decoded ahead", f"{engine.gpu} on the GPU, {engine.host} on the host, {engine.missed} too late"
    yield "advice", stats.advice


def _times(waits: Waits) -> Iterator[tuple[str, str]]:
    if waits.seconds:
        for field, name in _TIMES:
            yield name, _time(getattr(waits, field), waits.seconds)


def _time(part: float, whole: float) -> str:
    return f"{part:.3f} s, {part / whole:.0%}"
