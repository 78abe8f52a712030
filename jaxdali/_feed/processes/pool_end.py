"""How a pool's workers are ended."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .. import _host
from .launcher import Launcher
from .worker_state import Member

__all__ = ["shut_down"]


def shut_down(ring: _host.Ring, launcher: Launcher, members: Mapping[int, Member], owner_pid: int) -> None:
    """Ends all workers, and waits for them.

    Args:
        ring: closed, which tells them to leave.
        owner_pid: the process whose workers they are; a forked copy of it does nothing.
    """
    if os.getpid() != owner_pid:
        return
    ring.close()
    launcher.terminate({worker_id for worker_id, member in members.items() if member.is_loading()})
    for member in members.values():
        reader, member.reader = member.reader, None  # after an interrupt this may run again
        if reader is not None:
            reader.close()
