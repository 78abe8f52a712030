"""What travels over a worker's socket: rare things only (ready, failures); samples go through the ring.

A message is a length and JSON: text can be read whatever the worker had in mind, so a callback's exception never
makes the parent import or run anything.
"""

from __future__ import annotations

import dataclasses
import json
import socket
import struct
import traceback
from typing import Any

__all__ = ["Failure", "MessageReader", "describe_exception", "safe_text", "send_message", "unreported"]

_LENGTH = struct.Struct("<I")
# A traceback of a deep recursion is long; what matters stands at its end.
_MAX_TEXT = 64 * 1024
# Attributes of built-in exceptions that are not in their __dict__.
_NATIVE = ("errno", "strerror", "filename", "filename2", "encoding", "start", "end", "reason", "name", "path", "code")
_MAX_ATTRIBUTES = 64


@dataclasses.dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a chunk could not be produced.

    Attributes:
        job: index of the source among those of the pool.
        slot, chunk, ticket: the word that says FAILED.
        position: index in the batch of the sample at which it happened; None: at the whole batch.
        column: index of the output that was refused, None where the source itself raised.
        kind: "raised" (the source raised), "data" (what it returned is no sample), "memory" (no room in the slot).
        exception: name of the exception's type.
        message: its text.
        traceback: the worker's, as text.
        type_module, type_qualname: where the parent may have that type, too.
        attributes: of the exception, those that are numbers, texts, bools or None.
    """

    job: int
    slot: int
    chunk: int
    ticket: int
    position: int | None
    column: int | None
    kind: str
    exception: str
    message: str
    traceback: str
    type_module: str = ""
    type_qualname: str = ""
    attributes: dict[str, Any] = dataclasses.field(default_factory=dict)

    def to_message(self) -> dict[str, Any]:
        fields = dataclasses.asdict(self)
        for name in ("message", "traceback"):
            fields[name] = fields[name][-_MAX_TEXT:]
        return {"type": "failure", **fields}

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Failure:
        return cls(**{field.name: message[field.name] for field in dataclasses.fields(cls)})


def unreported(job: int, slot: int, chunk: int, ticket: int) -> Failure:
    """Of a word that says FAILED, though no worker has said why: none of them wrote it as it should."""
    return Failure(
        job=job,
        slot=slot,
        chunk=chunk,
        ticket=ticket,
        position=None,
        column=None,
        kind="memory",
        exception="RingDamaged",
        message=f"a worker damaged the ring's memory: chunk {chunk} in slot {slot} says that it failed, and no worker has "
        "said why. Native code that a source calls may write where it must not",
        traceback="",
    )


def describe_exception(error: BaseException) -> dict[str, Any]:
    """What a `Failure` says about an exception, by field."""
    return {
        "exception": type(error).__name__,
        "message": safe_text(error),
        "traceback": "".join(traceback.format_exception(error)),
        "type_module": type(error).__module__,
        "type_qualname": type(error).__qualname__,
        "attributes": _simple_attributes(error),
    }


def _simple_attributes(error: BaseException) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _NATIVE:
        try:
            found[name] = getattr(error, name)
        except Exception:  # it has none, or a property of the user's raises
            continue
    found |= getattr(error, "__dict__", {})
    simple = {
        name: value
        for name, value in found.items()
        if value is None or type(value) in (bool, int, float) or (type(value) is str and len(value) <= _MAX_TEXT)
    }
    return dict(list(simple.items())[:_MAX_ATTRIBUTES])


def safe_text(error: BaseException) -> str:
    """`str(error)`, also where the user's exception has a `__str__` that raises."""
    try:
        return str(error)
    except Exception:
        return f"<{type(error).__name__} without a text>"


def send_message(connection: socket.socket, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode()
    connection.sendall(_LENGTH.pack(len(data)) + data)


class MessageReader:
    """The parent's end: takes what has arrived, without waiting."""

    def __init__(self, connection: socket.socket):
        self.connection = connection
        connection.setblocking(False)
        self._buffer = bytearray()

    def fileno(self) -> int:
        return self.connection.fileno()

    def read(self) -> list[dict[str, Any]]:
        """The complete messages that have arrived. An ended connection gives none: its process is reaped apart."""
        while True:
            try:
                data = self.connection.recv(1 << 16)
            except (BlockingIOError, ConnectionResetError):
                break
            if not data:
                break
            self._buffer += data
        messages = []
        while len(self._buffer) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._buffer)[0]
            if len(self._buffer) < end:
                break
            messages.append(json.loads(self._buffer[_LENGTH.size : end]))
            del self._buffer[:end]
        return messages

    def close(self) -> None:
        self.connection.close()
