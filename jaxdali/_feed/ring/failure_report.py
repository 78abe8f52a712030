"""The report of why a chunk could not be produced: texts and numbers, never the exception itself."""

from __future__ import annotations

import dataclasses
import traceback
from typing import Any

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["KINDS", "Failure", "NotMade", "describe_exception", "exception_texts", "is_simple", "unreported"]

# A traceback of a deep recursion is long; the important part is at its end.
_MAX_TEXT = 64 * 1024
_MAX_NAME = 1024
# Attributes of built-in exceptions that are not in their __dict__.
_NATIVE = ("errno", "strerror", "filename", "filename2", "encoding", "start", "end", "reason", "name", "path", "code")
_MAX_ATTRIBUTES = 64
# Limits for all attributes together, and for an integer: JSON can carry it whatever limit Python sets for its digits.
_MAX_ATTRIBUTES_TEXT = 1 << 20
_MAX_INTEGER_BITS = 2000

# What `Failure.kind` may be.
KINDS = ("raised", "data", "memory", "lost")


class NotMade(Exception):
    """Values of row `position` could not be made of a file; `__cause__` says why."""

    def __init__(self, position: int):
        super().__init__(position)
        self.position = position


@dataclasses.dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a chunk could not be produced.

    Attributes:
        source_index: index among the pool's served sources.
        slot, chunk, ticket: identify the word that says FAILED.
        position: index in the batch of the sample that failed; None: the batch as a whole.
        column: index of the output that was refused; None if the source itself raised.
        kind: "raised" (the source raised), "data" (what it returned is not a sample), "memory" (no room in the slot, or
            its memory is damaged), "lost" (whoever made it elsewhere died of it too often).
        exception: name of the exception's type.
        message: its text.
        traceback: the worker's, as text.
        type_module, type_qualname: where the parent can look for that type.
        attributes: those attributes of the exception that are numbers, texts, bools or None.
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
    """Returns the failure for a word that says FAILED without a worker's report: the ring's memory is damaged."""
    return Failure(
        source_index=source_index,
        slot=slot,
        chunk=chunk,
        ticket=ticket,
        position=None,
        column=None,
        kind="memory",
        exception="RingDamaged",
        message=f"a worker damaged the ring's memory: chunk {chunk} in slot {slot} is marked as failed, but no worker "
        "said why. Native code that a source calls may write where it must not",
        traceback="",
    )


def describe_exception(error: BaseException) -> dict[str, Any]:
    """Returns the fields of a `Failure` that describe an exception."""
    return {
        **exception_texts(error),
        "type_module": _type_text(error, "__module__"),
        "type_qualname": _type_text(error, "__qualname__"),
        "attributes": _simple_attributes(error),
    }


def exception_texts(error: BaseException) -> dict[str, str]:
    """Returns an exception's type, text and traceback, each cut to the length that a message carries."""
    return {
        "exception": _type_text(error, "__name__") or "exception",
        "message": _safe_text(error)[-_MAX_TEXT:],
        "traceback": _safe_traceback(error)[-_MAX_TEXT:],
    }


def _type_text(error: BaseException, name: str) -> str:
    """Returns an attribute of an exception's type; empty if a user's type has something other than text there."""
    try:
        value = getattr(type(error), name)
    except (Exception, SystemExit) as other:
        if raised_by_handler(other):
            raise
        return ""
    return value[:_MAX_NAME] if type(value) is str else ""


def _safe_traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except (Exception, SystemExit) as other:  # the user's type may fail to describe itself
        if raised_by_handler(other):
            raise
        frames = "".join(traceback.format_tb(error.__traceback__))
        return f"{frames}(the rest cannot be written: {type(other).__name__})\n"


def _simple_attributes(error: BaseException) -> dict[str, object]:
    found: dict[str, Any] = {}
    for name in _NATIVE:
        try:
            found[name] = getattr(error, name)
        except (Exception, SystemExit) as other:  # it has no such attribute, or a user's property raises
            if raised_by_handler(other):
                raise
            continue
    found |= getattr(error, "__dict__", {})
    simple: dict[str, object] = {}
    room = _MAX_ATTRIBUTES_TEXT
    for name, value in found.items():
        if type(name) is not str:
            continue
        size = len(name) + len(value) if type(value) is str else len(name)
        if len(simple) < _MAX_ATTRIBUTES and size <= min(room, _MAX_TEXT) and is_simple(value):
            simple[name] = value
            room -= size
    return simple


def is_simple(value: object) -> bool:
    """Whether an attribute of an exception is reported: a number, a text, a bool or None, and not of a user's type."""
    if type(value) is int:
        return value.bit_length() <= _MAX_INTEGER_BITS
    return value is None or type(value) in (bool, float, str)


def _safe_text(error: BaseException) -> str:
    """`str(error)`, even if the user's exception has a `__str__` that raises."""
    try:
        return str(error)
    except (Exception, SystemExit) as other:
        if raised_by_handler(other):
            raise
        return f"<{type(error).__name__} without a text>"
