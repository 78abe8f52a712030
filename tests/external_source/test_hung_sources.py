"""Sources of whole batches that hang, and the end of the pipeline's process."""

from __future__ import annotations

import json
import os
import signal
import time

import hang_programs
import pytest
from processes import SOON_S, is_alive, start_program, until
from tiers import gate

WAYS = pytest.mark.parametrize(
    ("start_method", "kind"),
    gate(
        [
            ("fork", "generator"),
            ("fork", "split"),
            ("spawn", "batches"),
            ("forkserver", "batches"),
            ("forkserver", "split"),
        ],
        [("fork", "generator"), ("forkserver", "batches"), ("forkserver", "split")],
    ),
)


def start_hanging(start_method, kind, log):
    """Returns the process and the pids below it, once every worker hangs and run() waits."""
    process = start_program(hang_programs.hang, start_method, kind, str(log), start_new_session=True)
    assert process.stdout is not None
    pids = json.loads(process.stdout.readline())
    until(lambda: log.exists() and len(log.read_text()) == (1 if kind == "generator" else 2))
    assert pids and all(map(is_alive, pids))
    return process, pids


@WAYS
def test_ctrl_c_interrupts_a_run_at_once_and_close_ends_the_workers(start_method, kind, tmp_path):
    process, pids = start_hanging(start_method, kind, tmp_path / "log")
    start = time.time()
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0 and not errors, errors
    result = json.loads(output)
    assert result["interrupted"] - start < SOON_S
    assert result["workers"] and all(result["workers"])  # workers leave interrupts to the pipeline
    assert result["closed"] - result["interrupted"] < SOON_S and result["left"] == []
    assert not any(map(is_alive, pids))


@WAYS
def test_no_worker_outlives_a_killed_process_though_it_holds_the_gil(start_method, kind, tmp_path):
    process, pids = start_hanging(start_method, kind, tmp_path / "log")
    with process:
        process.kill()
    until(lambda: not any(map(is_alive, pids)), SOON_S)
