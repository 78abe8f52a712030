"""What a trace of JAX's profiler shows of a pipeline and a Loader."""

import collections
import gzip
import json
import subprocess
import sys

import jax
import numpy as np
import pytest
from jpeg_files import pillow_jpeg

import jaxdali
from jaxdali import fn, pipeline_def

FILE = pillow_jpeg(20, 30)


class Files:
    def __len__(self):
        return 12

    def __getitem__(self, index):
        return {"image": FILE, "index": np.int32(index)}


def traced(folder, body):
    """Returns jaxdali's events in a trace of `body()`: their arguments, by name."""
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    # jax.profiler.ProfileData would be simpler, but crashes with jax 0.12.
    jax.profiler.start_trace(folder, create_perfetto_trace=True, profiler_options=options)
    try:
        body()
    finally:
        jax.profiler.stop_trace()
    (path,) = folder.rglob("perfetto_trace.json.gz")
    events = collections.defaultdict(list)
    for event in json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]:
        if event.get("name", "").startswith("jaxdali."):
            events[event["name"]].append(event.get("args", {}))
    return events


def places(events):
    return [(int(event["epoch"]), int(event["iteration"])) for event in events]


def test_the_stages_of_a_pipeline_s_batches(tmp_path):
    data = np.frombuffer(FILE, np.uint8)

    @pipeline_def(batch_size=2, prefetch_queue_depth=1)
    def pipe():
        return fn.decoders.image(fn.external_source(lambda info: data, batch=False))

    with pipe() as built:
        built.run()  # before the trace
        built.reset()
        events = traced(tmp_path, lambda: [built.run() for _ in range(3)])
    for name in ("prepare", "dispatch", "device"):
        assert places(events[f"jaxdali.{name}"]) == [(1, 0), (1, 1), (1, 2)], name
    assert len(events["jaxdali.source"]) == 3
    # On the CPU, no engine decodes ahead.
    assert "jaxdali.decoder" not in events


@pytest.mark.parametrize("augment", [None, lambda batch, keys: batch["index"] + 1])
def test_the_stages_of_a_loader_s_batches(tmp_path, augment):
    with jaxdali.Loader(Files(), augment, batch_size=4, workers=0, epochs=2, prefetch=1) as loader:
        steps = loader.enumerate()
        next(steps)
        events = traced(tmp_path, lambda: [next(steps) for _ in range(4)])
    for name in ("prepare", "dispatch", "device"):
        assert places(events[f"jaxdali.{name}"]) == [(0, 1), (0, 2), (1, 0), (1, 1)], name


def test_a_pipeline_without_operators_does_not_load_jax_for_it():
    code = """
import sys, numpy as np
from jaxdali import fn, pipeline_def
@pipeline_def(batch_size=1)
def pipe():
    return fn.external_source(lambda info: np.zeros(1), batch=False)
with pipe() as built:
    built.run()
print(sorted({"jax", "jaxlib"} & {*sys.modules}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
