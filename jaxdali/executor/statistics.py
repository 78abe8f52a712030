"""What became of batches, images and workers, and what was waited for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from .._ffi import queues
from .failures import DecodeFailures
from .prefetch import Executor, Waits

__all__ = ["EngineStatistics", "Statistics"]

# Of the consumer's time. Less is noise; more is worth a word.
_BOUND = 0.05
_TOO_FEW = 10


@dataclasses.dataclass(frozen=True)
class EngineStatistics:
    """Of the decode engine of one GPU, since the process began: all pipelines and Loaders of the process share it.

    Attributes:
        gpu, host, copied: images that were made before they were needed: by the GPU, by libjpeg-turbo on the host, and
            those that came as pixels.
        failed: images that could not be decoded.
        used: images that device functions found decoded.
        missed: images that they decoded themselves.
        read_back: calls that waited for the GPU to know which images they want: those of a user's own function on a batch
            that was permuted, or that it did not get from a pipeline or Loader's own program.
        given_up: batches for which there was no room in `decode_memory`.
        decode_memory, allocated: bytes on the device that it may have for images, and that it has.
        growths: how often it took more; a steady state has none, nor has one that was told how much its images need
            (`bytes_per_sample_hint` of the decoder).
        most_per_image: bytes of an image, on average in the batch where that was most.
        jobs: batches it knows now.
        waiting, decoded: their images.
        hardware_queues: that CUDA has for streams of this process, as far as can be known.
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
class Statistics:
    """Counted since the pipeline or the Loader was built.

    Attributes:
        batches, samples: handed out; the padding of a Loader's last batch is no sample.
        images_failed: images of batches that were computed and looked at, handed out or not, which could not be decoded:
            how many of each `jaxdali.batch.Status`, by its name. Of functions of the user's that decode, failures that
            they tell their own statuses of do not count.
        worker_deaths: worker processes that died, or were ended because they hung.
        chunks_redone: pieces of work that were begun again because of that.
        slot_growths: how often a slot of shared memory was given more; a steady state has none, nor has one whose
            `bytes_per_sample_hint` was right.
        slot_shrinks: how often a slot gave memory back to the system (`backend.SetHostBufferShrinkThreshold`).
        waits: what the consumer waited for since the first batch was handed out.
        engine: of the GPU that decodes ahead; None: none does.
    """

    batches: int
    samples: int
    images_failed: dict[str, int]
    worker_deaths: int
    chunks_redone: int
    slot_growths: int = 0
    slot_shrinks: int = 0
    waits: Waits = dataclasses.field(default_factory=Waits, compare=False)
    engine: EngineStatistics | None = dataclasses.field(default=None, compare=False)

    @classmethod
    def collect(cls, executor: Executor | None, failures: DecodeFailures, producers: Iterable[Any]) -> Statistics:
        """Puts together what its parts counted; `producers` may name one several times."""
        counters = [producer.counters for producer in dict.fromkeys(producers) if hasattr(producer, "counters")]
        counts = None if executor is None else executor.engine_counts
        rings = [] if executor is None else executor.rings
        return cls(
            batches=0 if executor is None else executor.batches,
            samples=0 if executor is None else executor.samples,
            images_failed=dict(failures.counts),
            worker_deaths=sum(counter.deaths for counter in counters),
            chunks_redone=sum(counter.redone for counter in counters),
            slot_growths=sum(ring.growths for ring in rings),
            slot_shrinks=sum(ring.shrinks for ring in rings),
            waits=Waits() if executor is None else executor.waits,
            engine=None if counts is None else EngineStatistics(**counts),
        )

    @property
    def samples_per_s(self) -> float:
        """Samples a second since the first batch was handed out; 0 before there were two."""
        return self.samples * (self.batches - 1) / self.batches / self.waits.seconds if self.batches > 1 else 0.0

    @property
    def advice(self) -> str:
        """A sentence: whether the consumer waits for its input, for which part of it, and what would help."""
        waits = self.waits
        if self.batches < _TOO_FEW or not waits.seconds:
            return f"{self.batches} batches are too few to tell what they wait for"
        share = (waits.source_s + waits.decoder_s + waits.device_s) / waits.seconds
        if share < _BOUND:
            return f"not input-bound: {share:.0%} of the time is spent waiting for batches"
        most, advice = max(
            (waits.source_s, "for sources: give it more workers, or a source that does less"),
            (waits.decoder_s, self._about_decoding()),
            (waits.device_s, "for the device function: it shares the device with what the batches are for"),
        )
        return f"input-bound: {share:.0%} of the time is spent waiting for batches, {most / waits.seconds:.0%} {advice}"

    def _about_decoding(self) -> str:
        if self.engine is not None and self.engine.given_up:
            return "for decoding: decode_memory is too small for what is to be decoded ahead"
        if self.engine is not None and self.engine.hardware_queues < queues.MOST:
            return (
                f"for decoding, whose streams stand behind others in the GPU's queues: import jaxdali before the GPU is "
                f"first used, or set {queues.VARIABLE}={queues.MOST}"
            )
        return 'for decoding: decoder="cuda" is the fastest, and decode_ahead= may be raised'
