"""What several processes run, one of which is late, leaves or dies; and what more than two of them run."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import joint_programs
from distributed_programs import join
from joint_programs import BATCH, STEPS, Faulty, own_rows, sharding_of, small

# How late each call of a process is, and each sample.
LATE_S, LATE_SAMPLE_S = 0.2, 0.05


@contextlib.contextmanager
def late(point: str, is_late: bool) -> Iterator[None]:
    """Makes this process late wherever it comes to a point: a method of `Service`, or "source"."""
    from jaxdali._run.multihost.service import Service

    owner, name, pause = (Faulty, "__getitem__", LATE_SAMPLE_S) if point == "source" else (Service, point, LATE_S)
    on_time = getattr(owner, name)

    def after_a_while(*arguments: Any) -> Any:
        time.sleep(pause)
        return on_time(*arguments)

    if is_late:
        setattr(owner, name, after_a_while)
    try:
        yield
    finally:
        setattr(owner, name, on_time)


def fail_late(
    process: int, processes: int, port: int, kind: str, failing: int, agree: bool, who: int, point: str
) -> Any:
    """Like `joint_programs.fail`, with one process that is late."""
    with late(point, process == who):
        return joint_programs.fail(process, processes, port, kind, failing, agree)


def stand(process: int, processes: int, port: int, states: list[Any] | None) -> list[Any]:
    """Takes two steps of a Loader whose data all processes have, and of one whose data are this process's own. Or puts
    Loaders where others stood.

    Returns:
        The rows of the step that comes next of the first Loader, and both states; or why the second one does not fit.
    """
    jax = join(process, processes, port)
    import numpy as np

    from jaxdali import Loader

    rows = [{"n": np.int32(number)} for number in range(40)]
    options = {"batch_size": BATCH, "sharding": sharding_of(jax), "workers": 0, "shuffle": True, "seed": 5}
    with Loader(rows, **options) as loader, Loader(rows[process::processes], local_data=True, **options) as own:
        found: list[Any] = []
        if states is None:
            for one in (loader, own):
                steps = iter(one)
                next(steps), next(steps)
            found = [loader.get_state(), own.get_state()]
        else:
            loader.set_state(states[0])
            try:
                own.set_state(states[1])
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
        return [own_rows(next(iter(loader))["n"]), *found]


def lose_a_peer(process: int, processes: int, port: int, agree: bool, victim: int) -> None:
    """Prints its workers' pids, then takes batches. One of the processes gets killed. Where they do not agree on steps,
    they reduce their batches together, and wait for it there.
    """
    jax = join(process, processes, port, heartbeat_timeout_seconds=10)
    from front_sources import Rows

    from jaxdali import Loader, fingerprint

    loader = Loader(Rows(16), batch_size=8, sharding=sharding_of(jax), workers=1, agree=agree)
    for step, batch in loader.enumerate():
        if not agree:
            fingerprint(batch)
        if step == 2:
            import json

            print(json.dumps(list(loader._step_runner.feeds[0].producer.pids.values())), flush=True)
        if step == 4 and process == victim:
            os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever(process: int, processes: int, port: int) -> None:
    """Process 0 fails in the last step. The other one has that batch, closes the Loader, and then reduces the batch over
    all processes.
    """
    jax = join(process, processes, port)
    from jaxdali import Loader, fingerprint

    bad = (STEPS - 1) * BATCH + 1
    options = {"batch_size": BATCH, "epochs": 1, "sharding": sharding_of(jax), "workers": 0}
    with Loader(Faulty("corrupt", bad), small, **options) as loader:
        last = None
        try:
            for batch in loader:
                last = batch
                if process == 0 and loader.step == STEPS - 1:
                    time.sleep(2)  # until the other one has them all
        except Exception as error:
            print(f"{type(error).__name__} at step {loader.step}", flush=True)
            time.sleep(60)
    fingerprint(last)


def leave_early(process: int, processes: int, port: int) -> Any:
    """One process closes its Loader after two steps; returns what the others get then."""
    jax = join(process, processes, port)
    from jaxdali import Loader

    loader = Loader(Faulty("", -1), small, batch_size=BATCH, sharding=sharding_of(jax), workers=0, agree=True)
    with loader:
        steps = iter(loader)
        for _ in range(2):
            next(steps)
        if process == 0:
            return None
        try:
            while True:
                next(steps)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
