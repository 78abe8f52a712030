"""The same history in real processes of `jax.distributed`, whose service is counted in the same way.

    scale_real.py PROCESS PROCESSES PORT LENGTH AGREE PATH

is one of them, and writes what it found. `run_real` starts them, and `differences` compares them with simulated ones.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from scale_history import ROWS, Found, live

__all__ = ["differences", "run_real"]

_TIMEOUT_S = 240
# Steps that a Loader dispatches ahead, and the most calls of one kind that a process makes for one.
_AHEAD, _CALLS = 2, 1


def _take_part(process: int, processes: int, port: int, length: int, agree: bool, path: str) -> None:
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.distributed.initialize(f"localhost:{port}", processes, process)
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    from scale_service import CountedClient, Tally

    from jaxdali._device.ffi.compat import coordination_client
    from jaxdali._run.multihost import service

    client, tally = coordination_client(), Tally()
    service.coordination_client = lambda: CountedClient(client, tally)
    sharding = NamedSharding(Mesh(np.array(jax.devices()), "data"), PartitionSpec("data"))
    barriers = iter(range(1 << 30))

    def together() -> None:
        client.wait_at_barrier(f"scale/{next(barriers)}", _TIMEOUT_S * 1000)

    found = live(length, ROWS * processes, agree, sharding, tally, together)
    rates = _rate(client, process, together)
    pathlib.Path(path).write_text(json.dumps(dataclasses.asdict(found) | {"calls_per_s": rates}))
    together()


def _rate(client: Any, process: int, together: Any, seconds: float = 1.0) -> float:
    """Returns how many calls a second this process makes while all make as many as they can."""
    together()
    began, calls = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        client.key_value_increment(f"scale/rate/{process}", 1)
        calls += 1
    spent = time.monotonic() - began
    together()
    return calls / spent


def run_real(processes: int, length: int, agree: bool) -> tuple[list[Found], float]:
    """Returns what each real process found, and how many calls a second their service answers.

    Raises:
        RuntimeError: a process failed.
    """
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    # One device a process, whatever the caller has.
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, str(process)) for process in range(processes)]
        command = [sys.executable, os.path.abspath(__file__)]
        running = [
            subprocess.Popen(
                [*command, str(process), str(processes), port, str(length), str(int(agree)), path], env=environment
            )
            for process, path in enumerate(paths)
        ]
        try:
            if any([one.wait(_TIMEOUT_S) for one in running]):
                raise RuntimeError(f"one of {processes} processes failed; see its output")
        finally:
            for one in running:
                one.kill()
        texts = [json.loads(pathlib.Path(path).read_text()) for path in paths]
    rate = sum(text.pop("calls_per_s") for text in texts)
    for text in texts:
        text["rows"] = {int(step): rows for step, rows in text["rows"].items()}
    return [Found(**text) for text in texts], rate


def differences(real: Sequence[Found], simulated: Sequence[Found]) -> list[str]:
    """Returns in words what differs between real processes and as many simulated ones: samples, states, or how often they
    called the service, apart from what they ask by the clock, and from bytes, since their shardings have other names.
    """
    found = []
    for process, (one, other) in enumerate(zip(real, simulated, strict=True)):
        if one.rows != other.rows:
            found.append(f"the samples of process {process}")
        if one.state != other.state:
            found.append(f"the state of process {process}: {one.state} and {other.state}")
    theirs, ours = _calls(real), _calls(simulated)
    for key in sorted({*theirs, *ours}):
        # Whether the outcomes of the steps ahead of a seek were exchanged before it depends on the clock.
        spared = _AHEAD * _CALLS * len(real) if key[0] == "outcomes" else 0
        if abs(theirs.get(key, 0) - ours.get(key, 0)) > spared:
            found.append(
                f"calls of {key}: {theirs.get(key, 0)} in real processes, {ours.get(key, 0)} in simulated ones"
            )
    return found


def _calls(found: Sequence[Found]) -> dict[tuple[str, str], int]:
    """Returns how often all processes made each call that does not depend on the clock."""
    from scale_service import VAIN, is_background

    total: dict[tuple[str, str], int] = {}
    for one in found:
        for entries in one.calls.values():
            for subject, call, times, *_ in entries:
                if not is_background(subject) and call not in ("dir_get", VAIN):
                    total[subject, call] = total.get((subject, call), 0) + times
    return total


if __name__ == "__main__":
    given = sys.argv[1:]
    _take_part(*map(int, given[:4]), bool(int(given[4])), given[5])  # pyright: ignore[reportCallIssue]
