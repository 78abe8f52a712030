"""Rings with several processes; each scenario runs in a program of its own."""

from __future__ import annotations

import ctypes
import os
import pathlib
import random
import resource
import threading
import time

import numpy as np

from jaxdali._feed import _host
from jaxdali._feed.ring.worker_loop import DONE

SLOTS, CHUNKS, BATCHES = 3, 7, 60


def make_ring(slots=2, chunks=2, outputs=1, batch_size=4, capacity=1, stride=1 << 30) -> _host.Ring:
    return _host.Ring.create(slots, chunks, outputs, batch_size, capacity, stride)


def capsule(function, name: bytes):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.cast(function, ctypes.c_void_p).value, name, None)


# In place of an accelerator's functions: what was locked, and two that are there for as long as any ring.
LOCKED: list[int] = []
LOCK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(lambda _, size: LOCKED.append(size) or 0)
UNLOCK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)


def page_locking():
    return capsule(LOCK, b"jaxdali_lock"), capsule(UNLOCK, b"jaxdali_unlock")


def file_of(ticket: int, sample: int) -> np.ndarray:
    content = np.full(500 + 997 * sample * ticket % 3001, sample + ticket, np.uint8)
    content[:2] = 0xFF, 0xD8  # else it would be taken for something that is not JPEG
    return content


def claim_until_closed(ring, owner: int, write) -> None:
    claims = _host.Claimant([ring], owner)
    while not ring.closing:
        claim = claims.next(1.0)
        if claim is None:
            continue
        _, slot, chunk, ticket, *_, start, stop = claim
        for sample in range(start, stop):
            assert ring.write(slot, chunk, sample, (np.array([owner, ticket, sample]), file_of(ticket, sample))) == -1
        write(b"%d %d %d\n" % (owner, ticket, chunk))
        ring.finish(slot, chunk, ticket, owner, DONE)


def _start_processes(ring, write) -> list:
    pids = []
    for owner in (1, 2, 3):
        pid = os.fork()
        if pid == 0:
            try:
                claim_until_closed(_host.Ring.attach(ring.control_fd, ring.data_fd), owner, write)
            finally:
                os._exit(0)
        pids.append(pid)
    return [lambda pid=pid: os.waitpid(pid, 0) for pid in pids]


def _start_threads(ring, write) -> list:
    threads = [threading.Thread(target=claim_until_closed, args=(ring, owner, write)) for owner in (1, 2, 3)]
    for thread in threads:
        thread.start()
    return [thread.join for thread in threads]


def race(kind: str) -> dict:
    """Three claimants compete for one ring. Returns who claimed what, and whether the slots had the right contents."""
    ring = make_ring(SLOTS, CHUNKS, outputs=2, batch_size=2 * CHUNKS + 3)
    reader, writer = os.pipe()
    start = _start_processes if kind == "processes" else _start_threads
    waits = start(ring, lambda line: os.write(writer, line))
    size, good = 2 * CHUNKS + 3, True
    published: list[int] = []
    for expected in range(1, BATCHES + 1):
        while len(published) < BATCHES and (slot := ring.take_free()) >= 0:
            published.append(slot)
            ticket = len(published)
            ring.publish(slot, ticket, 0, ticket, ticket * size, size, [(False, (7, [3])), (True, None)])
        slot = published[expected - 1]
        while ring.wait(slot, 10.0) == 0:
            pass
        lease = ring.lease(slot)
        rows = np.frombuffer(lease, np.int64, 3 * size).reshape(size, 3)
        records = np.frombuffer(ring.read(slot, lease.capacity)[3], np.uint64).reshape(2, size, -1)[1]
        for sample, (offset, length) in enumerate(records[:, :2].tolist()):
            good &= np.array_equal(np.frombuffer(lease, np.uint8, length, offset), file_of(expected, sample))
        lease.lock(*page_locking())
        good &= bool((rows[:, 1] == expected).all() and (rows[:, 2] == np.arange(size)).all())
        owners = [owner for start, stop, owner, *_ in ring.chunk_info(slot) for _ in range(start, stop)]
        good &= rows[:, 0].tolist() == owners
        del rows, lease
    good &= ring.growths == 0
    ring.close()
    for wait in waits:
        wait()
    lines = os.read(reader, 1 << 16).splitlines()  # the pipe has room for all lines
    claims = [[int(number) for number in line.split()] for line in lines]
    return {"claims": claims, "good": good, "free": ring.free_slots}


def order_of_claims(rounds: int) -> tuple[list[int], list[int]]:
    """Returns the tickets that one owner claims while two are published per round, in order; and the published ones.

    A slot with very many words lies between them, so that the search for work is often between them.
    """
    ring = make_ring(slots=3, chunks=200_000, batch_size=1)
    claims, seen = _host.Claimant([ring], 1), []

    def claim() -> None:
        while not ring.closing:
            claimed = claims.next(1.0)
            if claimed is not None:
                ring.finish(*claimed[1:4], 1, DONE)
                seen.append(claimed[3])  # last, because from here on the slot may be published again

    thread = threading.Thread(target=claim)
    thread.start()
    pause = random.Random(0)
    for first in range(1, 2 * rounds, 2):
        time.sleep(pause.uniform(0, 0.001))
        for slot, ticket in ((0, first), (2, first + 1)):
            ring.publish(slot, ticket, 0, 0, 0, 1, [(False, None)], 1)
        while len(seen) <= first:
            assert thread.is_alive(), seen
            time.sleep(0.0001)
    ring.close()
    thread.join()
    return seen, list(range(1, 2 * rounds + 1))


def address_space() -> int:
    return int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def address_space_of_jax() -> int:
    """The bytes of address space that JAX takes; machines differ in cores, hence in threads, and in JAX's plugins."""
    before = address_space()
    import jax

    jax.jit(lambda x: x + 1)(np.zeros(4)).block_until_ready()
    return address_space() - before


def limited_address_space(extra_bytes: int) -> dict:
    """A pipeline under `ulimit -v`, with forked and then with fresh workers, and then with jax."""
    import jaxdali as dali
    from jaxdali import fn

    limit = address_space() + extra_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    def source(info):
        return np.full((64, 64, 3), info.idx_in_epoch, np.uint8)

    def make(start_method):
        pipe = dali.Pipeline(batch_size=4, py_num_workers=2, py_start_method=start_method)
        with pipe:
            node = fn.external_source(source, parallel=True, batch=False, layout="HWC")
            pipe.set_outputs(node, fn.resize(node, size=(8, 8)))
        pipe.start_py_workers()
        return pipe

    pipes = {method: make(method) for method in ("fork", "spawn")}
    results = {}
    for method, pipe in pipes.items():
        with pipe:
            for _ in range(3):
                outputs = [output.as_cpu().as_array() for output in pipe.run()]
            results[method] = [output[:, 0, 0, 0].tolist() for output in outputs]
            del outputs
    return results
