"""A Ray cluster on this machine, as a program: `Cluster()` starts it, and the program ends with its stdin.

It is not started by the process that uses it, because that is one that trains, which does not load Ray.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

__all__ = ["Cluster"]

_STORE_BYTES = 100 << 20


class Cluster:
    """A cluster with a head and some more machines, each of which is a raylet here.

    Args:
        cpus: of each machine.
    """

    def __init__(self, machines: int = 1, cpus: int = 2):
        pipe = subprocess.PIPE
        command = [sys.executable, "-P", "-W", "ignore", __file__, str(machines), str(cpus)]
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.address: str = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("answer "):
                return json.loads(line.removeprefix("answer "))
        raise RuntimeError("the cluster ended")

    def do(self, command: str) -> Any:
        """Does one of "remove": ends a machine by SIGKILL; "add"; "actors": returns their process ids; "end head"."""
        assert self._process.stdin is not None
        print(command, file=self._process.stdin, flush=True)
        return self._answer()

    def close(self) -> None:
        self._process.communicate()


def _main() -> None:
    from ray.cluster_utils import Cluster as Machines

    machines, cpus = map(int, sys.argv[1:])
    options: dict[str, Any] = {"object_store_memory": _STORE_BYTES, "num_cpus": cpus}
    cluster = Machines(initialize_head=True, head_node_args={**options, "include_dashboard": False})
    others = [cluster.add_node(**options) for _ in range(machines - 1)]

    def say(answer: object) -> None:
        print("answer", json.dumps(answer), flush=True)

    say(cluster.address)
    for line in sys.stdin:
        found: object = None
        if line == "remove\n":
            cluster.remove_node(others.pop(0), allow_graceful=False)
        elif line == "add\n":
            others.append(cluster.add_node(**options))
        elif line == "end head\n":
            cluster.head_node.kill_gcs_server(check_alive=True)
        elif line == "actors\n":
            listed = subprocess.run(["pgrep", "-f", "ray::RemoteWorker"], capture_output=True, text=True)
            found = [int(pid) for pid in listed.stdout.split()]
        say(found)
    cluster.shutdown()


if __name__ == "__main__":
    _main()
