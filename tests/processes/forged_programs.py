"""Callbacks that write to their worker's socket, and what happens to the pipeline."""

from __future__ import annotations

import json
import logging
import os
import socket
import stat
import struct
import time

from process_programs import index, make_pipe, run

from jaxdali import errors

_FAILURE = {
    "type": "failure",
    "source_index": 0,
    "slot": 0,
    "chunk": 0,
    "ticket": 1,
    "position": 0,
    "column": None,
    "kind": "raised",
    "exception": "E",
    "message": "m",
    "traceback": "t",
    "type_module": "builtins",
    "type_qualname": "ValueError",
    "attributes": {},
}


def _pack(text: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text


def _forged(**fields) -> bytes:
    return _pack(json.dumps({**_FAILURE, **fields}).encode())


FORGED = {
    "no JSON": _pack(b"{{{"),
    "no UTF-8": _pack(b"\xff\xfe"),
    "nested": _pack(b"[" * 100_000),
    "digits": _pack(b"1" * 10**6),
    "empty": struct.pack("<I", 0),
    "long": struct.pack("<I", 0xFFFFFFFF) + b"x",
    "list": _pack(b"[]"),
    "no type": _pack(b"{}"),
    "unknown type": _pack(b'{"type": "order"}'),
    "no fields": _pack(b'{"type": "failure"}'),
    "unusable": _pack(b'{"type": "unusable"}'),
    "jax": _pack(b'{"type": "jax", "source": 1}'),
    "item": _pack(b'{"type": "item", "source_index": 0, "slot": 0, "ticket": 1, "item": -1, "shard": null}'),
    "another source": _forged(source_index=1),
    "slots": _forged(slot=[1]),
    "another output": _forged(column=1),
    "kind": _forged(kind="worse"),
    "type": _forged(type_qualname=5),
    "attributes": _forged(attributes=[1]),
}


def send_to_parent(data: bytes) -> None:
    for number in map(int, os.listdir("/proc/self/fd")):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                with socket.socket(fileno=os.dup(number)) as connection:
                    connection.sendall(data)
        except OSError:  # listdir's own descriptor, or one that is not connected
            continue


def forge(name: str) -> dict:
    """Sends a forgery at one sample of epoch 0 and then hangs; later epochs work."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)  # each death is logged

    def source(info):
        if info.epoch_idx == 0 and info.idx_in_epoch == 9:
            send_to_parent(FORGED[name])
            time.sleep(1000)
        return index(info)

    with make_pipe(source, "fork") as pipe:
        before, seen = resident(), []
        try:
            while True:
                seen.append(run(pipe)[0][2])
        except errors.WorkerError as error:
            text, code = str(error), error.exit_code
        grown = resident() - before
        pipe.reset()
        return {"seen": seen, "text": text, "code": code, "grown": grown, "after": run(pipe)[0]}


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
