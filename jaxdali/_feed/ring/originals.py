"""The user's exceptions in the parent: `except KeyError` and `except SourceError` both catch a worker's KeyError, and that
of a function which the pipeline calls itself.

Only uses types that the parent has already, found by name; imports nothing and runs none of the user's constructors.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import types
from typing import Any

from jaxdali._base.interruptions import raised_by_handler
from jaxdali.errors import SampleOrigin, SourceError
from .failure_report import Failure

__all__ = ["as_source_error", "make_source_error", "original_type", "source_error_type"]

# Python itself reacts to these: they end generators and loops.
_NEVER = (StopIteration, StopAsyncIteration)
# What an OSError knows besides its text.
_OF_OSERROR = ("errno", "strerror", "filename", "filename2")
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement


def make_source_error(failure: Failure, message: str, origin: SampleOrigin | None = None) -> SourceError:
    """Returns the error for what a source raised; if possible also of the original type, with its simple attributes."""
    original = original_type(failure)
    if original is None:
        return SourceError(message, origin)
    error = source_error_type(original)(message, origin)
    for name, value in failure.attributes.items():
        if not name.startswith("__") and name not in vars(error) and not hasattr(SourceError, name):
            try:
                setattr(error, name, value)
            except Exception as other:  # read-only in that type
                if raised_by_handler(other):
                    raise
    return error


def as_source_error(error: Exception | SystemExit, message: str) -> SourceError:
    """Returns the error for what a function of the user's, or a file, raised in this process: also of its type, with its
    attributes. DALI raises a RuntimeError for whatever goes wrong in an operator.
    """
    combines = isinstance(error, Exception) and not isinstance(error, _NEVER)
    made = (source_error_type(type(error)) if combines else SourceError)(message)  # type: ignore[arg-type]
    told = {name: getattr(error, name) for name in _OF_OSERROR} if isinstance(made, OSError) else {}
    for name, value in (vars(error) | told).items():
        if not hasattr(SourceError, name) and name != "origin":
            setattr(made, name, value)
    return made


def original_type(failure: Failure) -> type[Exception] | None:
    """Returns the type of what a source raised, if this process has it; None also if it must not be raised again."""
    return _find_type(failure.type_module, failure.type_qualname)


def _find_type(module_name: str, qualname: str) -> type[Exception] | None:
    module = sys.modules.get(module_name)
    if not isinstance(module, types.ModuleType):
        return None
    # Not getattr: a lazy module could import something.
    namespace = types.ModuleType.__getattribute__(module, "__dict__")
    found: Any = None
    for name in qualname.split("."):
        found = namespace.get(name)
        if not isinstance(found, type):
            return None
        namespace = type.__getattribute__(found, "__dict__")
    if not issubclass(found, Exception) or issubclass(found, _NEVER):
        return None
    return found


@functools.lru_cache(256)
def source_error_type(original: type[Exception]) -> type[SourceError]:
    """Returns a class that is both a SourceError and an `original`, named like the original; its text is a
    SourceError's.

    It is called with `(message, origin)`. Returns SourceError itself if both cannot be combined in one class.
    """
    if issubclass(SourceError, original):
        return SourceError
    bases = (original,) if issubclass(original, SourceError) else (SourceError, original)
    try:
        combined = types.new_class(original.__name__, bases, exec_body=lambda names: names.update(_members(original)))
        if str(combined("text", SampleOrigin(epoch=1))) != "text [epoch 1]":
            return SourceError
    except Exception as error:  # its metaclass, __init_subclass__ or C type does not allow it
        if raised_by_handler(error):
            raise
        return SourceError
    return combined


def _members(original: type[Exception]) -> dict[str, object]:
    # The user's constructors need arguments that are not available here, so the native base type makes the object.
    native = next(base for base in original.__mro__ if not base.__flags__ & _HEAP_TYPE)
    slots = [
        name
        for base in original.__mro__
        for name, member in vars(base).items()
        if isinstance(member, types.MemberDescriptorType) and not name.startswith("__")
    ]

    def __new__(cls: type, message: str, origin: SampleOrigin | None = None) -> Any:
        return native.__new__(cls, message)

    def __init__(self: Any, message: str, origin: SampleOrigin | None = None) -> None:
        SourceError.__init__(self, message, origin)

    def __copy__(self: Any) -> object:
        again = type(self)(str(self))
        again.__dict__.update(self.__dict__)
        for name in slots:
            with contextlib.suppress(AttributeError):  # never set
                setattr(again, name, getattr(self, name))
        return again

    def __reduce__(self: Any) -> tuple[object, ...]:
        return _rebuild, (original.__module__, original.__qualname__, str(self), self.origin)

    return {
        "__new__": __new__,
        "__init__": __init__,
        "__copy__": __copy__,
        "__reduce__": __reduce__,
        "__module__": original.__module__,
        "__qualname__": original.__qualname__,
        "__doc__": original.__doc__,
        # KeyError's __str__ gives a repr. A data class compares fields that are not set, or is frozen and refuses ours.
        "__str__": BaseException.__str__,
        "__repr__": BaseException.__repr__,
        "__setattr__": BaseException.__setattr__,
        "__eq__": object.__eq__,
        "__hash__": object.__hash__,
    }


def _rebuild(module: str, qualname: str, text: str, origin: SampleOrigin) -> SourceError:
    """Unpickles an error, as a plain SourceError if this process does not have its type."""
    original = _find_type(module, qualname)
    error = (SourceError if original is None else source_error_type(original))(text)
    error.origin = origin
    return error
