"""Names for our processes, which `ps -e`, `top` and `pgrep` show in place of "python"."""

from __future__ import annotations

import os

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["is_worker", "name_worker", "name_zygote"]


def name_worker(worker_id: int) -> None:
    """Names this process as a worker, such as "jaxdali-w3"."""
    _name(f"jaxdali-w{worker_id}")


def is_worker(worker_id: int, pid: int) -> bool:
    """Whether a process is alive and has the name of that worker. False if that cannot be known."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            name, _, rest = stat.read().rpartition(")")
    except OSError as error:
        if raised_by_handler(error):
            raise
        return False
    return name.endswith(f"(jaxdali-w{worker_id}") and rest.split()[0] not in ("Z", "X")


def name_zygote() -> None:
    """Names this process as one that forks workers."""
    _name("jaxdali-zygote")


def _name(name: str) -> None:
    # What PR_SET_NAME would do, which the standard library does not have. The kernel keeps 15 characters, and threads
    # inherit the name.
    try:
        with open(f"/proc/{os.getpid()}/comm", "w") as file:
            file.write(name)
    except OSError as error:
        if raised_by_handler(error):
            raise
        # Without /proc, or where it is read-only, the process stays "python".
