"""What travels over a worker's socket: only rare things (ready, failures); samples go through the ring.

A message is a length and JSON. The parent can read text whatever the worker's objects were, so a callback's exception
never makes the parent import or run anything. A callback can write to its worker's socket, so every message is checked.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from typing import Any

from ..ring.failure_report import KINDS, is_simple
from ..ring.worker_loop import FORMATS

__all__ = ["BadMessage", "MessageReader", "offer_message", "send_message"]

_LENGTH = struct.Struct("<I")
# More than any of our messages needs. A longer announced length means that it is not a message, so the rest is not
# awaited.
_MAX_MESSAGE = 32 << 20
# Bytes per read, and reads before other workers get their turn.
_READ, _READS = 1 << 16, 1024


class BadMessage(Exception):
    """What arrived over a worker's socket is not one of our messages."""


def send_message(connection: socket.socket, message: dict[str, object]) -> None:
    connection.sendall(_packed(message))


def offer_message(connection: socket.socket, message: dict[str, object]) -> bool:
    """Sends a message unless that would wait for the parent; returns whether it did."""
    data = _packed(message)
    try:
        sent = connection.send(data, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    connection.sendall(data[sent:])  # nothing: the kernel takes all of so few bytes, or none
    return True


def _packed(message: dict[str, object]) -> bytes:
    data = json.dumps(message).encode()
    return _LENGTH.pack(len(data)) + data


class MessageReader:
    """The parent's end: takes what has arrived, without waiting.

    Attributes:
        ended: the other end is closed; reaping its process is separate.
    """

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.ended = False
        connection.setblocking(False)
        self._buffer = bytearray()

    def fileno(self) -> int:
        return self.connection.fileno()

    def read(self) -> list[dict[str, Any]]:
        """Returns the complete messages that have arrived.

        Raises:
            BadMessage: something else arrived. Nothing more is read after that, because it is unknown where the next
                message starts.
        """
        messages: list[dict[str, Any]] = []
        for _ in range(_READS):
            if self.ended:
                break
            try:
                data = self.connection.recv(_READ)
            except BlockingIOError:
                break
            except ConnectionResetError:
                data = b""
            self.ended = not data
            self._buffer += data
            try:
                self._split(messages)
            except BadMessage:
                self.ended = True
                self._buffer.clear()
                raise
        return messages

    def _split(self, messages: list[dict[str, object]]) -> None:
        while len(self._buffer) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._buffer)[0]
            if end > _MAX_MESSAGE:
                raise BadMessage(f"it announced {end - _LENGTH.size} bytes, more than any message has")
            if len(self._buffer) < end:
                break
            messages.append(_parse(bytes(self._buffer[_LENGTH.size : end])))
            del self._buffer[:end]

    def close(self) -> None:
        self.connection.close()


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_count_or_none(value: object) -> bool:
    return value is None or _is_count(value)


def _is_attributes(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_simple, value.values()))


_TEXTS: dict[str, Callable[[object], bool]] = dict.fromkeys(("exception", "message", "traceback"), _is_text)
# The fields of each type of message, besides "type".
_FIELDS: dict[str, dict[str, Callable[[object], bool]]] = {
    "began": {},
    "ready": {},
    "alive": {},
    "decodes": {"format": lambda value: value in FORMATS},
    "unusable": _TEXTS,
    "lost": {"message": _is_text},
    "warning": {"message": _is_text},
    "jax": {"source": _is_text, "module": lambda value: value is None or _is_text(value)},
    "item": {
        **dict.fromkeys(("source_index", "slot", "ticket"), _is_count),
        **dict.fromkeys(("item", "shard"), _is_count_or_none),
    },
    "failure": {
        **dict.fromkeys(("source_index", "slot", "chunk", "ticket"), _is_count),
        **dict.fromkeys(("position", "column"), _is_count_or_none),
        "kind": lambda value: value in KINDS,
        **_TEXTS,
        **dict.fromkeys(("type_module", "type_qualname"), _is_text),
        "attributes": _is_attributes,
    },
}


def _parse(data: bytes) -> dict[str, object]:
    try:
        message = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"it is not JSON ({type(error).__name__})") from error
    kind = message.get("type") if isinstance(message, dict) else None
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise BadMessage(f"its type is none of {', '.join(_FIELDS)}")
    for name, is_right in fields.items():
        if name not in message or not is_right(message[name]):
            raise BadMessage(f"{name!r} of a {kind!r} is missing, or is not what it should be")
    return message
