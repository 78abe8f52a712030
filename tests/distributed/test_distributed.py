"""Several processes of one JAX program together hold what a single one would."""

import functools
import json
import signal
import socket
from collections.abc import Callable
from typing import Any

import distributed_programs
import jax
import late_programs
import numpy as np
import pytest
from front_pipelines import masked_pixels, mixed_pixels, small_images
from front_sources import Folder
from processes import is_alive, start_program, until
from tiers import gate

from jaxdali import Loader, fingerprint, fn, source
from jaxdali.plugin.jax import data_iterator

TIMEOUT_S = 120


def start_together(function, processes, *arguments):
    """Starts the processes, which find each other at a port."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    return [start_program(function, k, processes, port, *arguments) for k in range(processes)]


def finish(running):
    """Returns what the processes wrote, and leaves none of them running."""
    try:
        return [process.communicate(timeout=TIMEOUT_S) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()


def run_together(function, processes, *arguments):
    """Returns what the function returns in each process."""
    running = start_together(function, processes, *arguments)
    outputs = finish(running)
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    # The library that connects the processes writes to stdout, too.
    lines = [[line for line in output.splitlines() if not line.startswith("[Gloo]")] for output, _ in outputs]
    return [json.loads(line[-1]) for line in lines]


def assert_rows(found, batches):
    """Checks that each process has rows of the batch, all processes have all rows, and all have its fingerprint."""
    assert batches
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


# What is checked of two processes that are connected once: by case, what they call, and the check of what it returns.
OF_TWO: dict[str, tuple[list[Any], Callable[..., None]]] = {}


def of_two(function: str, *arguments: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def add(check: Callable[..., None]) -> Callable[..., None]:
        OF_TWO[f"{function}{arguments}"] = ([function, *arguments], check)
        return check

    return add


def test_two_processes_are_as_one(subtests, tmp_path):
    calls = [[*call, str(tmp_path)] if call == ["take_turns"] else call for call, _ in OF_TWO.values()]
    found = run_together(distributed_programs.one_after_the_other, 2, calls)
    for (case, ((_, *arguments), check)), *of_processes in zip(OF_TWO.items(), *found, strict=True):
        with subtests.test(case=case):
            for result in of_processes:
                assert not (isinstance(result, dict) and "failed" in result), result["failed"]
            check(of_processes, *arguments)


@functools.cache
def whole():
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2, "workers": 0}
    batches = jax.device_get(list(Loader(Folder(), masked_pixels, mix=mixed_pixels, **options)))
    assert [batch["step"][0] for batch in batches] == [batch["place"][0] // 10 for batch in batches] == [*range(8)]
    assert [batch["mask"].tolist() for batch in batches[3::4]] == [[True, True, False, False]] * 2
    return [{**batch, "mask of the step": batch["mask"]} for batch in batches]


@of_two("load", 1, 0, 0, "Auto")
@of_two("load", 2, 3, 1, "Explicit")
@of_two("load", 4, 0, 0, "Auto")
def a_loader_is_that_of_one(found, replicas, step, workers, kind):
    assert_rows(found, whole()[step:])


@functools.cache
def fingerprints_of_one():
    loader = Loader(Folder(), small_images, workers=0, **distributed_programs.LOADER)
    iterator = distributed_programs.make_factory(None)(batch_size=8, seed=5)
    expected = [
        [fingerprint(batch) for batch in loader],
        [fingerprint(batch) for _ in range(2) for batch in iterator],
    ]
    assert [len(set(batches)) for batches in expected] == [4, 6]
    return expected


@of_two("fingerprints")
def fingerprints_are_those_of_one(found):
    assert found == [fingerprints_of_one()] * 2


@pytest.mark.thorough
def test_fingerprints_of_four_processes_are_those_of_one():
    assert run_together(distributed_programs.fingerprints, 4) == [fingerprints_of_one()] * 4


@of_two("iterate")
def pipelines_hold_all_shards(found):
    @data_iterator(reader_name="reader", devices=jax.devices("cpu")[:4], pmap_compatible=False)
    def alone(shard_id, num_shards):
        files = ["/dev/null"] * 24
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards)
        return {"label": labels, "number": fn.random.uniform(range=(0.0, 1.0))}

    assert_rows(found, [jax.device_get(batch) for batch in alone(batch_size=8, seed=5, py_num_workers=0)])


@of_two("sized", 12)
@of_two("sized", 24)
def size_is_that_of_the_pipelines_of_a_process(found, size):
    """`size` is the sum over a process's shards, as in DALI."""
    passes = size // 12
    for process, said in enumerate(found):
        assert sorted(said["labels"]) == sorted([*range(12 * process, 12 * process + 12)] * passes)
        if passes == 1:
            assert said["warnings"] == []
        else:
            (words,) = said["warnings"]
            assert (
                "size=24 counts the samples of the 2 pipelines of this process" in words
                and "readers have 12 samples" in words
            )


@of_two("disagree")
def processes_that_differ_are_told_in_what(found):
    for of_loader, of_iterator in found:
        assert "differ in seed: 0 in process 0, 1 in process 1" in of_loader
        assert "the same iterator, but they differ in epochs: (3," in of_iterator


@of_two("buckets")
def processes_pad_to_the_width_of_the_global_batch(found):
    data, sampler = distributed_programs.texts()
    options = {"batch_size": 4, "epochs": 1, "workers": 0}
    loader = Loader(data, sampler=sampler, ragged={"ids": sampler.widths}, **options)
    expected = [[batch["ids"][0].shape[1], fingerprint(batch)] for batch in loader]
    assert {width for width, _ in expected} == {4, 8, 16}
    assert found == [expected] * 2


@of_two("evaluate", False)
@of_two("evaluate", True)
def an_epoch_counts_each_sample_once(found, local):
    multiples = [x for length in ((5, 10) if local else (10,)) for x in range(length) if x % 3 == 0]
    samples = 15 if local else 10
    assert [counts for *counts, _ in found] == [[len(multiples), samples]] * 2
    if not local:  # the rows of all processes are those of one
        order = source.GroupSampler([0, 4, 10], take=4, seed=3).indices(0, range(8)).tolist()
        assert [row for *_, visits in found for rows in visits for row in rows] == order


@of_two("take_turns")
def nobody_waits_for_another_process_unless_they_agree_on_steps(found):
    assert found == [[8, 3]] * 2


def test_a_source_that_ends_early_on_one_process_is_an_error_there():
    """Its peers would wait for it in the next reduction. A length that nobody gave might not be the same everywhere."""
    first, second = run_together(distributed_programs.end_early, 2)
    assert "give size=, the number of samples of this process" in first[0] == second[0]
    assert first[1:] == [3, None] and second[1] == 2
    assert "ended after 2 of the 3 batches" in second[2]


@pytest.mark.parametrize("victim", gate([0, 1], [1]))
def test_the_death_of_a_process_ends_its_peers_and_their_workers(victim):
    """Also those that wait for its outcome of a step. JAX says why; it may be the first to know if its service is gone."""
    sessions = [start_together(late_programs.lose_a_peer, 2, agree, victim) for agree in (False, True)]
    outputs = finish([process for session in sessions for process in session])
    for session, of_session in zip(sessions, (outputs[:2], outputs[2:]), strict=True):
        survivor = session[1 - victim]
        assert session[victim].returncode == -signal.SIGKILL and survivor.returncode not in (0, None)
        words = of_session[1 - victim][1]
        assert "JAX distributed service detected fatal errors" in words or "does not answer" in words, words
        workers = [json.loads(output.splitlines()[-1]) for output, _ in of_session]
        assert [len(pids) for pids in workers] == [1, 1]
        until(lambda workers=workers: not any(is_alive(pid) for pids in workers for pid in pids))
