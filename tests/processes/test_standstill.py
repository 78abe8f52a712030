"""Processes that are stopped, hang before they work, or cannot be created: nothing waits forever."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import types

import patience_programs
import pytest
import standstill_programs
from processes import AS_NOBODY, SOON_S, is_alive, run_program, start_program, until
from tiers import gate, start_methods

from jaxdali._base import patience
from jaxdali._feed import _host
from jaxdali._feed.processes import clock, forks, zygote
from jaxdali._feed.processes.deaths import said_of
from jaxdali._feed.processes.hang_watch import LOAD_S, START_S, Watch
from jaxdali._feed.processes.payload import write_payload
from jaxdali._feed.processes.worker_state import Member
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.served_source import ServedSource
from jaxdali._feed.source.source_kinds import CallableSource

FORKED = ("fork", "forkserver")
FIRST = [[0, 0, k] for k in range(4)]


# STOPPED


@pytest.mark.parametrize("start_method", gate(FORKED, ["fork"]))
def test_a_stopped_zygote_is_named_goes_on_after_reset_and_does_not_hold_up_the_end(start_method):
    result = run_program(standstill_programs.zygote_is_stopped, start_method, timeout_s=120)
    assert (
        f"the process that forks workers (pid {result['forker']}, state T (stopped)) has not answered" in result["text"]
    )
    assert f"kill -CONT {result['forker']}" in result["text"] and result["again"] == result["text"]
    assert [row[2] for row in result["after"]] == [0, 1, 2, 3]
    assert result["close_s"] < SOON_S and result["left"] == []


@start_methods("fork", "spawn")
def test_the_interpreter_ends_and_leaves_nothing_behind_when_all_its_processes_are_stopped(start_method):
    pids = run_program(standstill_programs.leave_stopped, start_method, timeout_s=120)
    until(lambda: not any(map(is_alive, pids)), SOON_S)


@start_methods("fork", "forkserver")
def test_stopped_processes_do_not_outlive_a_killed_one(start_method):
    with start_program(standstill_programs.be_killed_beside_the_stopped, start_method) as process:
        pids = json.loads(process.stdout.readline())
        assert len(pids) >= 2 and all(map(is_alive, pids))
        process.kill()
    until(lambda: not any(map(is_alive, pids)), SOON_S)


def test_a_batch_does_not_wait_for_a_stopped_worker_while_another_one_is_idle():
    seen = run_program(standstill_programs.one_of_many_is_stopped, "fork", timeout_s=120)
    assert seen == list(range(9))


@start_methods("fork", "spawn")
def test_workers_end_when_their_process_becomes_another_program(start_method, tmp_path):
    with start_program(standstill_programs.become_another_program, start_method, str(tmp_path / "log")) as process:
        try:
            pids = json.loads(process.stdout.readline())
            until(lambda: not any(map(is_alive, pids)), SOON_S)
            assert process.poll() is None
        finally:
            process.kill()


# REFUSED


@pytest.fixture
def nobody():
    """Skips the test if it would run as root, whose forks are never refused."""
    if os.geteuid() == 0 and (not shutil.which("setpriv") or subprocess.run([*AS_NOBODY, "true"]).returncode):
        pytest.skip("root cannot become nobody here")


@pytest.mark.parametrize("start_method", gate(FORKED, ["forkserver"]))
@pytest.mark.usefixtures("nobody")
def test_a_refused_fork_is_an_error_until_reset_and_the_zygote_lives(start_method):
    result = run_program(standstill_programs.refused_forks, start_method, timeout_s=120, never_root=True)
    assert "a worker process cannot be started" in result["text"] and "tries again" in result["text"]
    assert "Resource temporarily unavailable" in result["text"]
    assert re.sub(r"worker \d", "", result["again"]) == re.sub(r"worker \d", "", result["text"])
    assert [row[2] for batch in result["after"] for row in batch] == list(range(12))
    assert result["same"] and result["workers"] == 2 and result["left"] == []


def test_a_fork_that_is_refused_for_a_moment_is_tried_again():
    seen = run_program(standstill_programs.forks_refused_for_a_moment, timeout_s=120)
    assert len(seen) > 20 and seen == [4 * k for k in range(len(seen))]


# THE TIME A WORKER HAS


@pytest.mark.parametrize("start_method", gate(["spawn", "forkserver"], ["spawn"]))
def test_a_worker_that_hangs_while_it_loads_its_source_is_ended(start_method):
    result = run_program(standstill_programs.hang_in_loading, start_method, timeout_s=120)
    assert "after it had not loaded its source in 0.5 s (worker_timeout_s)" in result["text"]
    assert "2 in a row died before they had loaded their source" in result["text"]
    assert result["deaths"] >= 2 and result["left"] == []


@pytest.mark.parametrize("start_method", gate(FORKED, ["forkserver"]))
def test_a_worker_that_was_stopped_while_it_was_idle_is_ended_when_there_is_work_for_it(start_method):
    result = run_program(standstill_programs.stopped_while_idle, start_method, timeout_s=120)
    assert result["samples"] == list(range(2, 18, 2))
    assert "after it took no work for 3 s (worker_timeout_s)" in result["generator"]
    assert "cannot be restarted" in result["generator"] and result["anew"] == 0


@pytest.fixture
def watched():
    """A watch with a timeout of five seconds, its clock, the pool's only member, and the ring that it works for."""
    ring = _host.Ring.create(slots=2, chunks=1, outputs=1, batch_size=1, capacity=4096, stride=1 << 20)
    watch = Watch([ServedSource(ring, CallableSource(lambda info: None, None), [Column(name="data")])], 1, 5.0)
    now = [0.0]
    watch._clock = lambda: now[0]
    yield watch, now, {0: Member()}, ring
    ring.close()


def test_an_interpreter_has_a_minute_besides_before_it_loads_anything(watched):
    watch, now, members, _ = watched
    for at, why in (
        (0.0, {}),
        (LOAD_S + START_S, {}),
        (LOAD_S + START_S + 0.1, {0: "begun to load its source in 80 s"}),
    ):
        now[0] = at
        found = watch.hung(members, [0])
        assert found.keys() == why.keys() and all(why[key] in found[key] for key in why)
    members[0].began_loading = True
    assert watch.hung(members, [0]) == {}
    now[0] += LOAD_S
    assert watch.hung(members, [0]) == {}
    now[0] += 0.1
    assert "had not loaded its source in 20 s" in watch.hung(members, [0])[0]
    members[0].loaded = True
    now[0] += 100
    assert watch.hung(members, [0]) == {}  # there is no work


def test_nobody_is_late_for_work_that_is_another_ones_or_that_came_just_now(watched):
    watch, now, members, ring = watched
    members[0].began_loading = members[0].loaded = True
    assert watch.hung(members, [0]) == {}
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 1, [(False, None)], 2)
    now[0] = 50.0
    assert watch.hung(members, [0]) == {}
    now[0] = 60.0
    assert watch.hung(members, [0]) == {}
    other = ring.take_free()
    ring.publish(other, 2, 0, 1, 1, 1, [(False, None)], 1)
    assert watch.hung(members, [0]) == {}
    now[0] = 65.1
    assert "took no work for 5 s" in watch.hung(members, [0])[0]
    assert watch.hung(members, []) == {}


# WHAT THE LOG SAYS OF A WAIT


def test_a_wait_says_who_is_stuck_where_and_loses_nothing_when_it_is_interrupted():
    said = run_program(patience_programs.all_of_them, "spawn", timeout_s=120)
    whole = list(range(patience_programs.SAMPLES))
    assert {name: one["seen"] for name, one in said.items() if "seen" in one} == dict.fromkeys(
        ("sample", "batch", "items", "data", "stream", "loading", "worker", "forker", "fed"), whole
    )

    def words(name: str, *patterns: str) -> None:
        """Requires a line that has all patterns, in this order; PID stands for a process of the program.

        One that waits may be seen when it runs for a moment, which is said behind its number.
        """
        pid = "|".join(map(str, said[name]["pids"]))
        pattern = (
            ".*".join(patterns)
            .replace(r"PID\)", rf"(?:{pid})(?:, state R \(running\))?\)")
            .replace("PID", f"(?:{pid})")
        )
        assert any(re.search(pattern, line) for line in said[name]["lines"]), (pattern, said[name]["lines"])

    advice = r"pass worker_timeout_s= to have such workers replaced"
    words("sample", r"waiting for \d+ s for batch 1 of epoch 0 from the function \S*sample", r"in sample 5 for", advice)
    words("sample", r"worker \d \(pid PID\) has been in sample 5 for \d")
    words("batch", r"from the function \S*batch", r"worker 0 \(pid PID\) has been in batch 1 of epoch 0 for \d", advice)
    words("items", r"the next batch from the function \S*items", r"worker 0 \(pid PID\) has been making it for \d")
    words("data", r"from the Data object", r"worker \d \(pid PID\) has been in sample 5 \(sample-5.jpg\) for \d")
    words(
        "stream", r"batch 1 of epoch 0 from the Stream object", r"worker 0 \(pid PID\) has been in samples 4 to 7 for"
    )
    words("loading", r"no worker has begun samples 0 to 3", r"worker 0 \(pid PID\) has been loading its source for \d")
    words("worker", r"worker 0 \(pid PID, state T \(stopped\)\)")
    words(
        "forker", r"the process that forks workers \(pid PID, state T \(stopped\)\) has not begun to load the sources"
    )
    words("fed", r"nothing was fed; another thread is to call feed_input\('fed', data\)")


def test_a_source_that_does_not_say_what_a_sample_is_called_holds_up_no_line_and_is_not_asked_again():
    asked, over = [], threading.Event()

    class Data(CallableSource):
        def source_info(self, position, epoch=0):
            asked.append(position)
            return "slow" if over.wait(10 * SOON_S) else None

    served = types.SimpleNamespace(source=Data(lambda info: None, None))
    start = time.monotonic()
    assert said_of(served, 5, 0) is None and said_of(served, 6, 0) is None
    assert time.monotonic() - start < SOON_S and asked == [5]
    over.set()


def test_a_sample_has_no_name_if_the_system_has_no_more_threads(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    class Data(CallableSource):
        def source_info(self, position, epoch=0):
            return "name"

    served = types.SimpleNamespace(source=Data(lambda info: None, None))
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        assert said_of(served, 5, 0) is None
    assert said_of(served, 5, 0) == "name"


class SlowToPickle:
    """Waits until the log has told of it."""

    told = threading.Event()

    def __call__(self, info):
        return None

    def __getstate__(self):
        self.told.wait(SOON_S)
        return {}


def test_a_source_that_takes_long_to_be_pickled_is_in_the_log(monkeypatch):
    monkeypatch.setattr(patience, "FIRST_S", 0.05)
    lines = []

    def told(words, *arguments):
        lines.append(words % arguments)
        SlowToPickle.told.set()

    monkeypatch.setattr(patience, "logger", types.SimpleNamespace(warning=told))
    os.close(write_payload(None, [CallableSource(SlowToPickle(), None)]))
    assert "for the SlowToPickle object to be pickled for fresh processes, which calls its __getstate__" in lines[0]


def test_the_time_in_which_sources_are_loaded_is_counted_between_lines_of_the_log(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(clock, "time", types.SimpleNamespace(monotonic=lambda: now[0]))

    class Loading(forks._ZygoteLauncher):
        _listens = False

        def _reap_zygote(self) -> None:
            """There is no process."""

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        launcher = Loading(ours, os.getpid())
        launcher.launch(0).close()
        theirs.send(zygote._REPORT.pack(zygote.BEGAN, 0, 0, 0))
        for _ in range(21):
            assert launcher.pids == {}
            now[0] += 0.25
        assert launcher.pids == {} and "has been loading the sources for 5.2 s" in launcher.holdup()


def test_a_first_sample_that_does_not_come_is_in_the_log_or_an_error(tmp_path):
    said = run_program(patience_programs.first_samples, str(tmp_path), timeout_s=120)
    assert re.search(r"waiting for \d+ s for the first sample from the Data object", said["lines"][0])
    assert "pass worker_timeout_s=" in said["lines"][0]
    assert said["first"] == said["limited"] == [0, 1, 2, 3] and said["threads"] == []
    assert (
        "the first sample from the Data object" in said["error"] and "after 0.3 s (worker_timeout_s)" in said["error"]
    )
    assert "sample 0" in said["error"]
