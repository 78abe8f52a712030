"""What travels over a worker's socket: rare things only (ready, failures); samples go through the ring.

A message is a length and JSON: text can be read whatever the worker had in mind, so a callback's exception never
makes the parent import or run anything. A callback can write to its worker's socket, so what comes is checked.
"""

from __future__ import annotations

import dataclasses
import json
import socket
import struct
import traceback
from collections.abc import Callable
from typing import Any

__all__ = [
    "BadMessage",
    "Failure",
    "MessageReader",
    "describe_exception",
    "exception_texts",
    "send_message",
    "unreported",
]

_LENGTH = struct.Struct("<I")
# A traceback of a deep recursion is long; what matters stands at its end.
_MAX_TEXT = 64 * 1024
_MAX_NAME = 1024
# Attributes of built-in exceptions that are not in their __dict__.
_NATIVE = ("errno", "strerror", "filename", "filename2", "encoding", "start", "end", "reason", "name", "path", "code")
_MAX_ATTRIBUTES = 64
# Of all attributes together; and an integer's, which JSON can carry under any limit that Python sets for its digits.
_MAX_ATTRIBUTES_TEXT = 1 << 20
_MAX_INTEGER_BITS = 2000
# More than any message of ours takes. What is announced to be longer is none, and is not waited for.
_MAX_MESSAGE = 32 << 20
# Bytes that are read at once, and how often before other workers are listened to.
_READ, _READS = 1 << 16, 1024

_KINDS = ("raised", "data", "memory")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a chunk could not be produced.

    Attributes:
        source_index: which of the served sources of the pool.
        slot, chunk, ticket: the word that says FAILED.
        position: index in the batch of the sample at which it happened; None: at the whole batch.
        column: index of the output that was refused, None where the source itself raised.
        kind: "raised" (the source raised), "data" (what it returned is not a sample), "memory" (no room in the slot, or its
            memory is damaged).
        exception: name of the exception's type.
        message: its text.
        traceback: the worker's, as text.
        type_module, type_qualname: where the parent may have that type, too.
        attributes: of the exception, those that are numbers, texts, bools or None.
    """

    source_index: int
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

    def to_message(self) -> dict[str, object]:
        return {"type": "failure", **dataclasses.asdict(self)}

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Failure:
        return cls(**{field.name: message[field.name] for field in dataclasses.fields(cls)})


def unreported(source_index: int, slot: int, chunk: int, ticket: int) -> Failure:
    """Of a word that says FAILED, though no worker has said why: none of them wrote it as it should."""
    return Failure(
        source_index=source_index,
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


class BadMessage(Exception):
    """What came over a worker's socket is not a message of ours."""


def describe_exception(error: BaseException) -> dict[str, Any]:
    """What a `Failure` says about an exception, by field."""
    return {
        **exception_texts(error),
        "type_module": _type_text(error, "__module__"),
        "type_qualname": _type_text(error, "__qualname__"),
        "attributes": _simple_attributes(error),
    }


def exception_texts(error: BaseException) -> dict[str, str]:
    """An exception's type, text and traceback, none of them longer than a message carries."""
    return {
        "exception": _type_text(error, "__name__") or "exception",
        "message": _safe_text(error)[-_MAX_TEXT:],
        "traceback": _safe_traceback(error)[-_MAX_TEXT:],
    }


def _type_text(error: BaseException, name: str) -> str:
    """An attribute of an exception's type; empty where a user's type has something else there than a text."""
    try:
        value = getattr(type(error), name)
    except (Exception, SystemExit):
        return ""
    return value[:_MAX_NAME] if type(value) is str else ""


def _safe_traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except (Exception, SystemExit) as other:  # what the user's type says of itself is not always text
        frames = "".join(traceback.format_tb(error.__traceback__))
        return f"{frames}(the rest cannot be written: {type(other).__name__})\n"


def _simple_attributes(error: BaseException) -> dict[str, object]:
    found: dict[str, Any] = {}
    for name in _NATIVE:
        try:
            found[name] = getattr(error, name)
        except (Exception, SystemExit):  # it has none, or a property of the user's raises
            continue
    found |= getattr(error, "__dict__", {})
    simple: dict[str, object] = {}
    room = _MAX_ATTRIBUTES_TEXT
    for name, value in found.items():
        if type(name) is not str:
            continue
        size = len(name) + len(value) if type(value) is str else len(name)
        if len(simple) < _MAX_ATTRIBUTES and size <= min(room, _MAX_TEXT) and _is_simple(value):
            simple[name] = value
            room -= size
    return simple


def _is_simple(value: object) -> bool:
    if type(value) is int:
        return value.bit_length() <= _MAX_INTEGER_BITS
    return value is None or type(value) in (bool, float, str)


def _safe_text(error: BaseException) -> str:
    """`str(error)`, also where the user's exception has a `__str__` that raises."""
    try:
        return str(error)
    except (Exception, SystemExit):
        return f"<{type(error).__name__} without a text>"


def send_message(connection: socket.socket, message: dict[str, object]) -> None:
    data = json.dumps(message).encode()
    connection.sendall(_LENGTH.pack(len(data)) + data)


class MessageReader:
    """The parent's end: takes what has arrived, without waiting.

    Attributes:
        ended: the other end is closed; its process is reaped apart.
    """

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.ended = False
        connection.setblocking(False)
        self._buffer = bytearray()

    def fileno(self) -> int:
        return self.connection.fileno()

    def read(self) -> list[dict[str, Any]]:
        """The complete messages that have arrived.

        Raises:
            BadMessage: something else arrived. Nothing more is read then: nobody knows where the next message begins.
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
    return isinstance(value, dict) and all(map(_is_simple, value.values()))


_TEXTS: dict[str, Callable[[object], bool]] = dict.fromkeys(("exception", "message", "traceback"), _is_text)
# What each type of message has, besides its type.
_FIELDS: dict[str, dict[str, Callable[[object], bool]]] = {
    "began": {},
    "ready": {},
    "unusable": _TEXTS,
    "jax": {"source": _is_text, "module": lambda value: value is None or _is_text(value)},
    "failure": {
        **dict.fromkeys(("source_index", "slot", "chunk", "ticket"), _is_count),
        **dict.fromkeys(("position", "column"), _is_count_or_none),
        "kind": lambda value: value in _KINDS,
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
