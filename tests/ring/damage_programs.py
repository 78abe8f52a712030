"""Workers that overwrite the ring's own memory; each scenario runs in a program of its own."""

from __future__ import annotations

import ctypes
import mmap
import struct

import numpy as np
from processes import until

import jaxdali as dali
from jaxdali import errors, fn
from jaxdali._feed.ring.slot_reader import RECORD

# Sizes and offsets from ffi/ring/control.h.
HEADER, SLOT_HEADER, PLAN = 256, 128, 88
CLOSING = 192
SLOT_FIELDS = {"tail": 0, "capacity": 8, "allocated": 16, "ticket": 24, "epoch": 32, "samples": 56, "chunks": 60}


def round_up(value: int, unit: int = 64) -> int:
    return -(-value // unit) * unit


class Control:
    """The control block of a ring, writable, as any process that maps it could change it."""

    def __init__(self, buffer):
        self.bytes = memoryview(buffer).cast("B")
        self.slots, self.chunks, self.outputs, self.batch_size = struct.unpack_from("<IIII", self.bytes, 8)
        (self.slot_bytes,) = struct.unpack_from("<Q", self.bytes, 32)

    def header(self, offset: int, code: str, value) -> None:
        struct.pack_into("<" + code, self.bytes, offset, value)

    def slot(self, slot: int, field: str, value: int) -> None:
        code = "I" if field in ("samples", "chunks") else "Q"
        self.header(HEADER + self.slot_bytes * slot + SLOT_FIELDS[field], code, value)

    def word(self, slot: int, chunk: int, ticket: int, owner: int, state: int) -> None:
        at = HEADER + self.slot_bytes * slot + SLOT_HEADER + 8 * chunk
        self.header(at, "Q", ticket << 20 | owner << 4 | state)

    def records(self, slot: int) -> np.ndarray:
        """Returns RECORD[outputs, batch_size], writable."""
        plans = round_up(SLOT_HEADER + 12 * self.chunks)
        start = HEADER + self.slot_bytes * slot + round_up(plans + PLAN * self.outputs)
        size = RECORD.itemsize * self.outputs * self.batch_size
        return np.frombuffer(self.bytes[start : start + size], RECORD).reshape(self.outputs, self.batch_size)


def of_ring(ring) -> Control:
    return Control(mmap.mmap(ring.control_fd, 0))


def mapped() -> tuple[Control, int]:
    """Returns the control block of this process's only ring, and the address at which the ring's data are mapped."""
    found = {}
    with open("/proc/self/maps") as lines:
        for line in lines:
            for name in ("jaxdali-control", "jaxdali-data"):
                if name in line:
                    found[name] = [int(part, 16) for part in line.split()[0].split("-")]
    start, end = found["jaxdali-control"]
    return Control((ctypes.c_uint8 * (end - start)).from_address(start)), found["jaxdali-data"][0]


def _outcomes(source, runs: int, reset_after: int, forged: mmap.mmap) -> list:
    """Returns, for each run, its samples, or the name and text of its error.

    `reset` waits for the first byte of `forged`: half of a forgery is enough for an error, and the other half would be
    written into the next epoch.
    """
    pipe = dali.Pipeline(batch_size=4, py_num_workers=1, py_start_method="fork")
    with pipe:
        pipe.set_outputs(fn.external_source(source, parallel=True, batch=False, prefetch_queue_depth=1, name="numbers"))
    found: list = []
    with pipe:
        for count in range(runs):
            if count == reset_after:
                until(lambda: forged[0])
                pipe.reset()
            try:
                (output,) = pipe.run()
                found.append([output.at(row).tolist() for row in range(len(output))])
            except errors.JaxDaliError as error:
                found.append([type(error).__name__, str(error)])
    return found


def _sample(info) -> np.ndarray:
    return np.full(2 + info.idx_in_epoch % 2, info.idx_in_epoch, np.int32)


FORGERIES = {
    "slots": lambda control: control.header(8, "I", 2**31 - 1),
    "chunks": lambda control: control.header(12, "I", 2**31 - 1),
    "outputs": lambda control: control.header(16, "I", 9),
    "batch_size": lambda control: control.header(20, "I", 2**31 - 1),
    "stride": lambda control: control.header(24, "Q", 1 << 60),
    "control_bytes": lambda control: control.header(32, "Q", 1 << 40),
    "growth_factor": lambda control: control.header(40, "d", float("nan")),
    "closing": lambda control: control.header(CLOSING, "I", 1),
    "capacity": lambda control: [control.slot(slot, "capacity", 1 << 50) for slot in range(control.slots)],
    "slot chunks": lambda control: [control.slot(slot, "chunks", 0) for slot in range(control.slots)],
    "slot samples": lambda control: [control.slot(slot, "samples", 2**31 - 1) for slot in range(control.slots)],
    "allocated": lambda control: [control.slot(slot, "allocated", 1 << 62) for slot in range(control.slots)],
    "words": lambda control: [control.word(slot, 0, 99, 1, 9) for slot in range(control.slots)],
    "failed": lambda control: [control.word(slot, 0, slot + 1, 1, 4) for slot in range(control.slots)],
}


def forged(what: str) -> list:
    """Seven runs: the worker forges in the third; after the fifth, a new epoch starts, in which it does not."""
    done = mmap.mmap(-1, mmap.PAGESIZE)

    def source(info):
        # Only once: the replacement of a damaged worker repeats its work, perhaps while the next epoch starts.
        if info.idx_in_epoch == 10 and info.epoch_idx == 0 and not done[0]:
            FORGERIES[what](mapped()[0])
            done[0] = 1
        return _sample(info)

    return _outcomes(source, 7, 5, done)


def secret_of_the_parent() -> dict:
    """A worker knows an address in the parent's memory, and claims that its sample is there."""
    secret = b"the parent's own, and nobody else's"
    page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    where = ctypes.addressof(ctypes.c_char.from_buffer(page))

    def source(info):
        if info.idx_in_epoch == 7:
            control, data = mapped()
            stride = struct.unpack_from("<Q", control.bytes, 24)[0]
            for slot in range(control.slots):
                control.slot(slot, "capacity", 1 << 34)
                control.slot(slot, "tail", 1 << 63)
                record = control.records(slot)[0, 0]
                size = len(secret)
                # The address may be below the slot; modulo 2**64, the offset is then far above it.
                record["offset"], record["size_bytes"] = (where - data - stride * slot) % 2**64, size
                record["dtype"], record["ndim"], record["dims"][0] = 0, 1, size
        return np.full(info.idx_in_epoch % 3, 65, np.uint8)

    pipe = dali.Pipeline(batch_size=4, py_num_workers=1, py_start_method="fork")
    with pipe:
        pipe.set_outputs(fn.external_source(source, parallel=True, batch=False, prefetch_queue_depth=1))
    pipe.start_py_workers()
    page[: len(secret)] = secret
    seen, texts = [], []
    with pipe:
        for _ in range(4):
            try:
                (output,) = pipe.run()
                seen += [bytes(output.at(row)) for row in range(4)]
            except errors.WorkerError as error:
                texts.append(str(error))
    return {"leaked": any(secret[:8] in sample for sample in seen), "seen": len(seen), "texts": texts}
