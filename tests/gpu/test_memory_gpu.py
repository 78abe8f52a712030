"""Memory of slots and of the decode engine: a run that asks for what an earlier one measured needs no more."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys

import pytest
from jpeg_files import pillow_jpeg

import jaxdali as dali
from jaxdali import fn

BATCH = 16


@functools.cache
def files() -> list[bytes]:
    """Returns files that grow from batch to batch, so that the memory of the first batches is not enough."""
    return [file for k in range(20) for file in [pillow_jpeg(300 + 30 * k, 400 + k % 7, quality=95)] * BATCH]


def graph(source_hint=None, decoder_hint=None):
    def load(info):
        if info.idx_in_epoch == len(files()):
            raise StopIteration
        return files()[info.idx_in_epoch]

    encoded = fn.external_source(load, batch=False, bytes_per_sample_hint=source_hint)
    images = fn.decoders.image(encoded, device="mixed", bytes_per_sample_hint=decoder_hint)
    return fn.resize(images, size=(32, 32))


def run(*hints):
    pipe = dali.pipeline_def(graph)(
        *hints, batch_size=BATCH, device_id=0, seed=1, enable_memory_stats=True, decode_ahead=6 * BATCH
    )
    total = 0
    with pipe:
        for _ in range(20):
            total += int(pipe.run()[0].as_cpu().as_array().astype(int).sum())
        stats, memory = pipe.stats(), pipe.executor_statistics()
    (source,) = [entry for key, entry in memory.items() if "ExternalSource" in key]
    return {
        "total": total,
        "slots": stats.slot_growths,
        "engine": stats.engine.growths,
        "missed": stats.engine.missed,
        "source hint": source["max_real_memory_size"][0],
        "decoder hint": memory["GPU_decode_engine"]["max_real_memory_size"][0],
    }


def in_a_process(expression):
    """Evaluates an expression of this module in a new process, because the engine belongs to the process."""
    # The new process finds the same helpers, wherever jaxdali and the suite are.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    program = f"import json, test_memory_gpu as m; print(json.dumps(m.{expression}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_process_of_its_own_finds_what_it_needs():
    assert in_a_process("BATCH") == BATCH


@pytest.mark.gpu
def test_what_was_measured_is_enough_from_the_beginning():
    first = in_a_process("run()")
    assert first["engine"] > 0 and first["slots"] > 0, "or the second run shows nothing"
    second = in_a_process(f"run({first['source hint']}, {first['decoder hint']})")
    assert (second["slots"], second["engine"], second["missed"]) == (0, 0, 0)
    assert second["total"] == first["total"]
    assert second["decoder hint"] == first["decoder hint"]
