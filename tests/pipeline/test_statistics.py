"""What statistics advise, and how far ahead an engine is asked to decode."""

from __future__ import annotations

import dataclasses
import re
import time

import numpy as np
import pytest

import jaxdali as dali
from jaxdali import fn
from jaxdali._run.executor import statistics as module
from jaxdali._run.executor.decode_ahead.decode_depth import steps_ahead
from jaxdali._run.executor.statistics import EngineStatistics, SourceProcesses, Statistics
from jaxdali._run.executor.waits import Waits


def statistics(batches=100, given_up=0, queues=32, processes=None, gpu=0, host=0, **waits):
    nothing = EngineStatistics(*[0] * 16)
    engine = dataclasses.replace(nothing, gpu=gpu, host=host, given_up=given_up, hardware_queues=queues)
    return Statistics(batches, 8 * batches, {}, 0, 0, waits=Waits(**waits), engine=engine, processes=processes)


def read_by(count, cpus=16, argument="py_num_workers", divides=True, source_s=5.0, **more):
    read = SourceProcesses(argument, count, divides, cpus, **more)
    return statistics(seconds=10.0, source_s=source_s, processes=read)


@pytest.mark.parametrize(
    ("stats", "words"),
    [
        (statistics(9, seconds=1.0), "too few"),
        (statistics(seconds=0.0), "too few"),
        (statistics(seconds=10.0, source_s=0.1, decoder_s=0.1, device_s=0.1), "not input-bound: 3%"),
        (statistics(seconds=10.0, source_s=0.1, next_s=4.0), "not input-bound: 1%"),
        (statistics(seconds=10.0, source_s=0.1, dispatch_s=3.0, next_s=9.0), r"^nothing waits .* 90% .*`next`, 30%"),
        (
            statistics(seconds=10.0, source_s=3.0, decoder_s=1.0),
            "input-bound: 40% .* 30% for sources: give it more workers",
        ),
        (statistics(seconds=10.0, source_s=1.0, decoder_s=3.0), 'input-bound: 40% .* 30% for decoding: decoder="cuda"'),
        (statistics(seconds=10.0, decoder_s=3.0, given_up=1), "decode_memory is too small"),
        (statistics(seconds=10.0, decoder_s=3.0, queues=8), "30% for decoding.* set CUDA_DEVICE_MAX_CONNECTIONS=32"),
        (
            statistics(seconds=10.0, decoder_s=3.0, gpu=800, host=200),
            "30% for decoding, .* CPUs do for 20% of the images",
        ),
        (statistics(seconds=10.0, decoder_s=3.0, gpu=0, host=200), "CPUs do for 100% of the images"),
        (statistics(seconds=10.0, decoder_s=3.0, gpu=970, host=30), 'for decoding: decoder="cuda"'),
        (statistics(seconds=10.0, decoder_s=3.0, gpu=800, host=200, given_up=1), "decode_memory is too small"),
        (statistics(seconds=10.0, source_s=3.0, decoder_s=1.0, gpu=1, host=1), "30% for sources"),
        (statistics(seconds=10.0, device_s=6.0), "60% for the device function"),
        (read_by(3), "set py_num_workers=6; it is 3 now, of 16 CPUs"),
        (read_by(1, argument="workers", source_s=0.6), "set workers=2; it is 1 now"),
        (read_by(2, source_s=9.0), "set py_num_workers=16;"),
        (read_by(1, source_s=10.0), "set py_num_workers=16;"),
        (read_by(16), "py_num_workers=16 uses all 16 CPUs; .* a network, set py_num_workers=32"),
        (read_by(20, source_s=8.0), "py_num_workers=20 uses all 16 CPUs"),
        (read_by(1, actors=8), r"set num_workers=16 of the jaxdali.remote.Ray; it is 8 now"),
        (read_by(0, source_s=7.5), r"external_source\(parallel=True\) and py_num_workers=3 has"),
        (read_by(0, argument="workers", source_s=1.0), "this thread reads them; workers=1 has"),
        (read_by(1, divides=False), r"a function of the index, or one of \(worker_id, num_workers\)"),
        (read_by(1, divides=False, argument="workers"), "one process reads a stream"),
        (read_by(0, divides=False, argument="workers"), "this thread reads them; workers=1 has another process do it"),
    ],
)
def test_the_advice_names_what_was_waited_for_most(stats, words):
    assert re.search(words, stats.advice), stats.advice


def test_samples_a_second():
    assert statistics(1, seconds=5.0).samples_per_s == 0
    assert statistics(101, seconds=10.0).samples_per_s == 80


def test_a_slow_source_is_what_is_waited_for():
    def slow(info):
        time.sleep(0.002)
        return np.int32(info.idx_in_epoch)

    pipe = dali.Pipeline(batch_size=4)
    with pipe:
        pipe.set_outputs(fn.external_source(slow, batch=False))
    for _ in range(12):
        pipe.run()
    stats = pipe.stats()
    assert stats.engine is None and stats.waits.source_s <= stats.waits.seconds
    assert "for sources" in stats.advice
    pipe.close()


def slow(info):
    time.sleep(0.003)
    return np.int32(info.idx_in_epoch)


def slow_numbers():
    for number in range(200):
        time.sleep(0.003)
        yield [np.int32(number)] * 4


@pytest.mark.parametrize(
    ("source", "words"),
    [(slow, r"set py_num_workers=\d+; it is 1 now, of 16 CPUs"), (slow_numbers, "a function of the index")],
)
def test_a_pipeline_with_too_few_workers_is_told_how_many(source, words, monkeypatch):
    monkeypatch.setattr(module, "usable_cpus", lambda: 16)
    pipe = dali.Pipeline(batch_size=4, py_num_workers=1, py_start_method="forkserver")
    with pipe:
        pipe.set_outputs(fn.external_source(source, batch=source is not slow, parallel=True))
    with pipe:
        for _ in range(30):
            pipe.run()
        assert re.search(words, pipe.stats().advice)
    assert re.search(words, pipe.stats().advice)


def test_the_first_batch_is_told_in_parts():
    pipe = dali.Pipeline(batch_size=4)
    with pipe:
        pipe.set_outputs(fn.external_source(slow, batch=False) * 2)
    with pipe:
        assert pipe.stats().start == Waits()
        pipe.run()
        start = pipe.stats().start
        pipe.run()
        assert pipe.stats().start == start
    # The source slept for four samples; then a program was traced and compiled.
    assert start.source_s >= 4 * 0.003 and start.dispatch_s > 0
    assert min(start.seconds, start.next_s) >= start.source_s + start.dispatch_s
    assert 0 < pipe.stats().waits.next_s < pipe.stats().waits.seconds
    assert pipe.stats().start == start


class Slow:
    def __len__(self):
        return 1000

    def __getitem__(self, index):
        time.sleep(0.003)
        return {"x": np.int32(index)}


@pytest.mark.parametrize(
    ("workers", "words"),
    [(1, r"set workers=\d+; it is 1 now, of 16 CPUs"), (0, r"this thread reads them; workers=\d+")],
)
def test_a_loader_with_too_few_workers_is_told_how_many(workers, words, monkeypatch):
    monkeypatch.setattr(module, "usable_cpus", lambda: 16)
    with dali.Loader(Slow(), batch_size=4, workers=workers) as loader:
        for _ in zip(range(30), loader, strict=False):
            pass
        assert re.search(words, loader.stats().advice)


@pytest.mark.parametrize(
    ("images", "batch", "decoders", "steps"),
    [
        (None, 256, ["hardware"], 4),
        (None, 256, ["hardware", "gpu"], 48),
        (None, 4096, ["hardware"], 2),
        (None, 256, ["cuda"], 6),
        (None, 1, ["cpu"], 48),
        (100, 1, ["cpu"], 100),
        (None, 256, [], 0),
        (0, 256, ["gpu"], 0),
        (1, 256, ["gpu"], 1),
        (257, 256, ["hardware"], 2),
    ],
)
def test_steps_ahead(images, batch, decoders, steps):
    assert steps_ahead(images, batch, decoders) == steps
