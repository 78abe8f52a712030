"""What an actor does: makes pieces of batches with the worker's own code, in a ring of its own in place of the pool's.

It does not import Ray: `cluster` makes an actor of the class.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import socket
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _host
from ..processes.descriptors import open_memory_file
from ..processes.source_loading import load_sources
from ..ring.chunk_filling import ChunkFailed, fill_chunk
from ..ring.feed_options import STRIDE
from ..ring.served_source import ServedSource
from ..ring.worker_loop import DONE, EXHAUSTED, FAILED
from ..source.source_kinds import EndOfData
from .settings import Versions

__all__ = ["Made", "Piece", "RemoteWorker", "rows_of"]

# One that is made, and one whose rows somebody may still be copying.
_SLOTS = 2
# As for local workers, see `processes.interpreter`.
_ENVIRONMENT = {"JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": ""}

# (source, epoch, iteration, first sample of the batch, first row, row behind the last one)
Piece = tuple[int, int, int, int, int, int]
# (state of the word, row it got to, number of samples, records of the rows, messages for the parent, bytes of the slot).
# The messages are those of a worker; a failure's does not know the slot.
Made = tuple[int, int, int, bytes, list[dict[str, Any]], Any]


def rows_of(ring: _host.Ring, outputs: int) -> int:
    """Returns how many samples a batch of a ring may have."""
    return len(ring.records(0)) // (_host.RECORD_SIZE * outputs) if outputs else 1


class RemoteWorker:
    """An actor. Pieces are made one after the other, in one thread; `where` may be called meanwhile."""

    def __init__(self) -> None:
        self._served: list[ServedSource] = []
        self._watch: Any = None
        self._ticket = 0
        self._slots = [0]  # per source
        self._current: tuple[int, int] | None = None  # (source, slot) of the piece that is made
        self._kinds: set[str] = set()

    def about(self) -> tuple[Versions, str, int]:
        """Returns what it runs on: versions, the machine's name, and its process id."""
        return Versions.here(), socket.gethostname(), os.getpid()

    def load(self, payload: Any, rows: Sequence[int], worker_id: int, workers: int) -> list[dict[str, Any]]:
        """Loads the sources from the bytes of a payload; returns a worker's messages, the last of which is "ready" or
        "unusable".
        """
        os.environ.update(_ENVIRONMENT)
        offset = 8 + int.from_bytes(bytes(payload[:8]), "little")
        _enter(json.loads(bytes(payload[8:offset])))
        fd = open_memory_file("jaxdali-sources")
        try:
            with open(fd, "wb", closefd=False) as file:
                file.write(payload)
            loaded = load_sources(fd, offset)
        finally:
            os.close(fd)
        if loaded.sources is None:
            return [*loaded.messages[:-1], _with_place(loaded.messages[-1])]
        self._watch = loaded.watch
        first: _host.Ring | None = None
        for source, columns, size in zip(loaded.sources, loaded.shared.columns, rows, strict=True):
            ring = _host.Ring.create(_SLOTS, 1, source.outputs, size, 0, STRIDE, first)
            self._served.append(ServedSource(ring, source.for_worker(worker_id, workers), columns))
            first = first or ring
        for served in self._served:
            served.source.meet([other.ring for other in self._served])
        return [*loaded.messages, {"type": "ready"}]

    def make(self, piece: Piece) -> Made:
        """Makes a piece of a batch."""
        number, epoch, iteration, first_sample, start, stop = piece
        served, messages = self._served[number], []
        ring, slot = served.ring, served.ring.take_free()
        self._ticket += 1
        plans: list[_host.Plan] = [(column.encoded, None) for column in served.columns]
        ring.publish(slot, self._ticket, epoch, iteration, first_sample, stop, plans)
        ring.advance(slot, 0, start)
        self._current = number, slot
        claim = number, slot, 0, self._ticket, epoch, iteration, first_sample, start, stop
        fresh: set[str] = set()
        try:
            fill_chunk(served, claim, fresh.add, in_worker=True)
            state = DONE
        except EndOfData:
            state = EXHAUSTED
        except ChunkFailed as error:
            failure = dataclasses.replace(error.failure, message=_explained(error))
            state, messages = FAILED, [failure.to_message()]
        messages = [{"type": "decodes", "format": kind} for kind in fresh - self._kinds] + messages
        self._kinds |= fresh
        if message := self._watch.message(served.source.description):
            messages.insert(0, message)
        return self._packed(ring, slot, state, (start, stop), served.source.batch_mode, messages)

    def _packed(
        self,
        ring: _host.Ring,
        slot: int,
        state: int,
        rows: tuple[int, int],
        whole: bool,
        messages: list[dict[str, Any]],
    ) -> Made:
        start, stop = rows
        at = ring.chunk_info(slot)[0][4]
        if state != DONE:
            ring.release(slot)
            return state, at, 0, b"", messages, b""
        samples = ring.samples(slot) if whole else 0
        records = ring.pack_rows(slot, start, samples if whole else stop)
        used = ring.used(slot)
        ring.show(slot, used)
        # Read where it is: the slot is free again when the array is gone, which is after Ray has copied it.
        data = np.frombuffer(memoryview(ring.lease(slot)), np.uint8)[:used]
        return state, stop, samples, records, messages, data

    def where(self) -> tuple[int, int]:
        """Returns which of its pieces it is at, or was last, counted from 1; and the row it has got to."""
        if self._current is None:
            return 0, 0
        number, slot = self._current
        return self._ticket, self._served[number].ring.chunk_info(slot)[0][4]


def _enter(setup: dict[str, Any]) -> None:
    """Makes modules and files be found as in the user's process, as far as they are on this machine, too."""
    known = set(sys.path)
    sys.path += [
        entry for entry in setup["sys_path"] if os.path.isabs(entry) and entry not in known and os.path.exists(entry)
    ]
    if setup["cwd"] is not None:
        with contextlib.suppress(OSError):
            os.chdir(setup["cwd"])


def _with_place(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "message": f"{message['message']} (on machine {socket.gethostname()})"}


def _explained(error: ChunkFailed) -> str:
    """Returns the text of a failure; if a file is not there, it says on which machine."""
    cause, message = error.__cause__, error.failure.message
    if not isinstance(cause, FileNotFoundError | NotADirectoryError) or cause.filename is None:
        return message
    name = os.fsdecode(cause.filename) if isinstance(cause.filename, str | bytes | os.PathLike) else str(cause.filename)
    relative = "" if os.path.isabs(name) else f", where the current folder is {os.getcwd()}"
    return (
        f"{message} (on machine {socket.gethostname()}{relative}: workers on a cluster need files that all of its machines "
        "have under the same name, such as those of a network file system or a bucket)"
    )
