"""What statistics advise, and how far ahead an engine is asked."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

import jaxdali as dali
from jaxdali import fn
from jaxdali.executor.lookahead import steps_ahead
from jaxdali.executor.prefetch import Waits
from jaxdali.executor.statistics import EngineStatistics, Statistics


def statistics(batches=100, given_up=0, queues=32, **waits):
    engine = EngineStatistics(*[0] * 7, given_up, *[0] * 7, queues)
    return Statistics(batches, 8 * batches, {}, 0, 0, waits=Waits(**waits), engine=engine)


@pytest.mark.parametrize(
    ("stats", "words"),
    [
        (statistics(9, seconds=1.0), "too few"),
        (statistics(seconds=0.0), "too few"),
        (statistics(seconds=10.0, source_s=0.1, decoder_s=0.1, device_s=0.1), "not input-bound: 3%"),
        (
            statistics(seconds=10.0, source_s=3.0, decoder_s=1.0),
            "input-bound: 40% .* 30% for sources: give it more workers",
        ),
        (statistics(seconds=10.0, source_s=1.0, decoder_s=3.0), 'input-bound: 40% .* 30% for decoding: decoder="cuda"'),
        (statistics(seconds=10.0, decoder_s=3.0, given_up=1), "decode_memory is too small"),
        (statistics(seconds=10.0, decoder_s=3.0, queues=8), "30% for decoding.* set CUDA_DEVICE_MAX_CONNECTIONS=32"),
        (statistics(seconds=10.0, device_s=6.0), "60% for the device function"),
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


@pytest.mark.parametrize(
    ("images", "batch", "decoders", "steps"),
    [
        (None, 256, ["hardware"], 4),
        (None, 256, ["hardware", "gpu"], 48),
        (None, 4096, ["hardware"], 2),
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
