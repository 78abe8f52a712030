"""Worker processes: how they start, what they see, what they are asked for, and how they end."""

from __future__ import annotations

import itertools
import json
import os
import signal
import time

import end_programs
import process_programs
import pytest
from processes import SOON_S, is_alive, run_program, run_several, start_program, until
from tiers import START_METHODS, gate, start_methods

HANGING = pytest.mark.parametrize(
    ("start_method", "how"),
    gate(
        itertools.product(START_METHODS, ("sleeping", "holding the GIL")),
        [("fork", "sleeping"), ("spawn", "holding the GIL"), ("forkserver", "holding the GIL")],
    ),
)


# BEGINNING


@start_methods("fork", "spawn")
def test_each_pipeline_has_one_pool_which_starts_once(start_method):
    result = run_program(process_programs.pools, start_method)
    first, second = result["started"]
    assert result["still"] == [first, second]
    assert len({*first, *second}) == 8 and result["own"] not in (*first, *second)
    for workers, seen in zip(result["started"], result["seen"], strict=True):
        assert seen and set(seen) <= set(workers)
    # Each pool of forked workers has a zygote as their parent.
    assert len(result["descendants"]) == 8 + (0 if start_method == "spawn" else 2)
    assert {*first, *second} <= set(result["descendants"])


@pytest.mark.parametrize("start_method", ["spawn", "forkserver"])
def test_what_a_fresh_worker_sees(start_method, tmp_path):
    result = run_program(process_programs.surroundings, start_method, str(tmp_path))
    seen = result["seen"]
    # What it imports decides how fast it starts. jax would add more than 500 modules.
    assert seen["jax"] == [] and seen["modules"] < 500
    assert seen["environment"] == ["cpu", "", "1"]
    assert seen["cwd"] == str(tmp_path) and seen["word"] == "found"
    assert seen["path"] == result["path"] and seen["sigint"]


def test_a_source_that_cannot_travel_is_refused_before_anything_starts():
    text = run_program(process_programs.unpicklable)
    assert "cannot be sent to a fresh worker process" in text and "lock" in text
    assert 'py_start_method="fork"' in text


def test_forking_works_with_more_descriptors_than_select_takes():
    highest, batch = run_program(process_programs.many_descriptors)
    assert highest > 1023 and [row[2] for row in batch] == [0, 1, 2, 3]


# EPOCHS


def test_epochs_are_the_same_for_every_way_to_produce_them():
    modes = [(None, 0)] + [(method, n) for method in ("fork", "spawn", "forkserver") for n in (1, 2, 3)]
    expected = []
    for epoch in range(3):
        for iteration in range(3):  # the seventh sample has no partner
            expected.append([[epoch, iteration, 2 * iteration + k] for k in range(2)])
        expected += ["stop", "stop"]
    results = run_program(process_programs.epochs, modes)
    for mode, seen in zip(modes, results, strict=True):
        assert seen == expected, mode


@pytest.mark.parametrize(
    ("depth", "source_depth", "workers", "first"),
    [(2, None, 2, 3), (2, 3, 2, 5), (1, 1, 1, 2), (2, None, 0, 2), (1, None, 0, 1)],
)
def test_so_many_iterations_are_asked_for_as_in_dali(depth, source_depth, workers, first):
    calls = [(depth, source_depth, workers, runs) for runs in (0, 1, 3)]
    before, *asked = run_several(process_programs.requests, calls)
    # Workers get the first run's work when they start, and may have started on it.
    assert before == list(range(first if workers else 0))[: len(before)]
    assert asked == [list(range(first)), list(range(first + 2))]


@pytest.mark.parametrize("with_parallel", [False, True], ids=["alone", "beside a parallel source"])
def test_an_interrupted_sequential_source_goes_on_where_it_was(with_parallel):
    seen = run_program(process_programs.interrupted_source, with_parallel)
    batches = [[list(range(4 * k, 4 * k + 4))] * (1 + with_parallel) for k in range(5)]
    # The third batch is computed ahead during the second run if the parallel source's third batch is ready by then.
    assert seen.index("interrupt") in ((1, 2) if with_parallel else (1,))
    seen.remove("interrupt")
    assert seen == batches


@start_methods("fork", "forkserver")
def test_an_epoch_that_begins_while_workers_are_busy_is_right_and_no_slot_is_lost(start_method, tmp_path):
    result = run_program(process_programs.reset_while_busy, start_method, str(tmp_path / "gate"))
    rows = [row for batch in result["seen"] for row in batch]
    assert rows == [[1, k // 4, k] for k in range(4 * len(result["seen"]))]
    assert len(result["seen"]) > 2 * result["slots"]


@start_methods("forkserver", "spawn")
def test_a_death_while_a_slot_is_waited_for_frees_the_slot(start_method):
    result = run_program(end_programs.dead_worker_holds_slots, start_method)
    assert result == {"seen": [1, 1, 1], "deaths": 1, "redone": 1, "left": []}


# END


@start_methods("fork", "spawn")
def test_however_a_pipeline_ends_its_workers_end_at_once(start_method):
    left = run_program(end_programs.ways_to_end, start_method)
    assert len(left) == 6 and not any(left.values()), left


@start_methods("fork", "forkserver")
def test_the_interpreter_leaves_no_worker_behind(start_method):
    pids = run_program(end_programs.leave, start_method)
    assert len(pids) >= 4 and not any(map(is_alive, pids))


def start_hanging(start_method, how, log):
    process = start_program(end_programs.hang, start_method, how, str(log), start_new_session=True)
    pids = json.loads(process.stdout.readline())
    # By now both workers hang in a callback, and run() waits for them.
    until(lambda: log.exists() and len(log.read_text()) == 2)
    return process, pids


@HANGING
def test_ctrl_c_interrupts_a_run_at_once_and_ends_the_workers(start_method, how, tmp_path):
    process, pids = start_hanging(start_method, how, tmp_path / "log")
    start = time.time()
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0 and not errors, errors
    result = json.loads(output)
    assert result["interrupted"] - start < SOON_S
    assert result["workers"] == [True, True]  # workers leave interrupts to the pipeline
    assert time.time() - start < SOON_S and not any(map(is_alive, pids))


@HANGING
def test_no_worker_outlives_a_killed_process(start_method, how, tmp_path):
    process, pids = start_hanging(start_method, how, tmp_path / "log")
    with process:
        assert all(map(is_alive, pids))
        process.kill()
    until(lambda: not any(map(is_alive, pids)), SOON_S)


def test_a_process_that_the_user_forked_does_not_hold_up_the_end():
    result = run_program(end_programs.foreign_fork)
    assert result["took_s"] < SOON_S and result["left"] == []


def test_the_death_of_the_zygote_takes_the_workers_along_and_is_named():
    result = run_program(end_programs.zygote_dies)
    assert f"the process that forked it (pid {result['zygote']}) died" in result["text"]
    assert result["left"] == []


def test_a_fresh_zygote_that_dies_is_replaced():
    result = run_program(end_programs.zygote_dies_and_is_replaced)
    assert result["found"] == [4 * number for number in range(17)]
    assert result["zygotes"] == 3 and result["deaths"] >= 2 and result["left"] == []


def test_a_zygote_whose_reports_nobody_reads_ends_without_a_word():
    assert run_program(end_programs.leave_with_an_unread_report) == 0


def test_a_worker_whose_parent_left_before_it_was_ready_ends_without_a_word(tmp_path):
    assert run_program(end_programs.leave_before_a_worker_is_ready, str(tmp_path / "gate")) == 0
