"""Several processes of one JAX program: together they hold what a single one would."""

import json
import socket

import distributed_programs
import jax
import numpy as np
import pytest
from front_pipelines import small_images
from front_sources import Folder
from programs import start_program

from jaxdali import Loader, fingerprint, fn
from jaxdali.plugin.jax import data_iterator

TIMEOUT_S = 120


def run_together(function, processes, *arguments):
    """What the function returns in each of the processes."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    running = [start_program(function, k, processes, port, *arguments) for k in range(processes)]
    try:
        outputs = [process.communicate(timeout=TIMEOUT_S) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    # The library that connects processes writes there, too.
    lines = [[line for line in output.splitlines() if not line.startswith("[Gloo]")] for output, _ in outputs]
    return [json.loads(line[-1]) for line in lines]


def assert_rows(found, batches):
    """Each process's rows are those of the whole batch, all processes' are all of them, and all have its fingerprint."""
    for step, batch in enumerate(batches):
        covered = {name: set() for name in batch}
        for process in found:
            rows_of_process, whole = process[step]
            assert whole == fingerprint(batch)
            for name, start, count, digest in rows_of_process:
                rows = np.ascontiguousarray(batch[name][start : start + count])
                assert distributed_programs.hashlib.sha256(rows.tobytes()).hexdigest() == digest
                covered[name] |= set(range(start, start + count))
        assert all(rows == set(range(len(batch[name]))) for name, rows in covered.items())
    assert all(len(process) == len(batches) for process in found)


@pytest.fixture(scope="module")
def whole():
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2, "workers": 0}
    return [jax.device_get(batch) for batch in Loader(Folder(), small_images, **options)]


@pytest.mark.parametrize(
    ("processes", "replicas", "step", "workers"),
    [(2, 1, 0, 0), (2, 2, 3, 1), (2, 4, 0, 0)],
)
def test_a_loader_of_several_processes_is_that_of_one(whole, processes, replicas, step, workers):
    found = run_together(distributed_programs.load, processes, replicas, step, workers)
    assert_rows(found, whole[step:])


def test_fingerprints_of_four_processes_are_those_of_one():
    loader = Loader(Folder(), small_images, workers=0, **distributed_programs.LOADER)
    iterator = distributed_programs.make_factory(None)(batch_size=8, seed=5)
    expected = [
        [fingerprint(batch) for batch in loader],
        [fingerprint(batch) for _ in range(2) for batch in iterator],
    ]
    assert [len(set(batches)) for batches in expected] == [2, 6]
    assert run_together(distributed_programs.fingerprints, 4) == [expected] * 4


def test_pipelines_of_several_processes_hold_all_shards():
    found = run_together(distributed_programs.iterate, 2)

    @data_iterator(reader_name="reader", devices=jax.devices("cpu")[:4], pmap_compatible=False)
    def alone(shard_id, num_shards):
        files = ["/dev/null"] * 24
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards)
        return {"label": labels, "number": fn.random.uniform(range=(0.0, 1.0))}

    assert_rows(found, [jax.device_get(batch) for batch in alone(batch_size=8, seed=5, py_num_workers=0)])


def test_processes_that_differ_are_told_in_what():
    found = run_together(distributed_programs.disagree, 2)
    for process, text in enumerate(found):
        assert (
            f"differ in seed: process {process} has {process}, which is not what processes [{1 - process}] have" in text
        )
