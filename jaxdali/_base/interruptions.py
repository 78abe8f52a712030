"""Exceptions that say nothing about the data: they pass, and the next call goes on where they came.

Python runs a signal's handler between any two instructions of the main thread, and what the handler raises comes out of
whatever runs there: a source, a conversion, this package. An `except` clause around these cannot tell it by its type. It
can by its traceback, which leads through the frame of the handler.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
import types
from collections.abc import Iterator
from typing import Any

from jaxdali.errors import JaxDaliError

__all__ = ["forget_locals", "is_interruption", "left_a_generator", "raised_by_handler"]

_GENERATORS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
_PACKAGE = __name__.partition(".")[0]
_LIBRARIES = {"jax", "jaxlib", "numpy", *sys.stdlib_module_names}
# How many causes of an exception are looked at.
_MAX_CAUSES = 8


def is_interruption(error: BaseException) -> bool:
    """Whether an exception that was caught is not the data's: a signal's handler raised it, or this package ran out of
    memory. So is every exception that is neither an Exception nor a SystemExit, such as KeyboardInterrupt. What a source
    raises itself is the data's.
    """
    if not isinstance(error, Exception | SystemExit) or raised_by_handler(error):
        return True
    if isinstance(error, MemoryError) and not isinstance(error, JaxDaliError):
        # NumPy and jax allocate for whoever calls them.
        callers = [frame for frame in _frames(error) if _module(frame) not in _LIBRARIES]
        return bool(callers) and _is_ours(callers[-1])
    return False


def raised_by_handler(error: BaseException) -> bool:
    """Whether a signal's handler raised an exception; False for what one raised if other code turned it into another. Only
    the SystemError that a native function makes of an exception that it did not expect is looked into.
    """
    if isinstance(error, SystemError) and error.__cause__ is not None:
        return raised_by_handler(error.__cause__)
    frames = [*_frames(error)][1:]  # a handler interrupts somebody
    if not frames:
        return False
    handlers = {code for number in signal.valid_signals() for code in _codes(signal.getsignal(number))}
    return any(frame.f_code in handlers or _is_called_as_handler(frame) for frame in frames)


def left_a_generator(error: BaseException) -> bool:
    """Whether an exception came out of a generator function of the user's: that generator is at its end since then.

    Generator expressions are left out, because they seldom live longer than the call that an exception leaves. An
    exception that was being handled when this one came may have done so as well.
    """
    came: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if came is None:
            return False
        codes = [frame.f_code for frame in _frames(came) if not _is_ours(frame)]
        if any(code.co_flags & _GENERATORS and code.co_name != "<genexpr>" for code in codes):
            return True
        came = came.__context__
    return False


def forget_locals(error: BaseException) -> None:
    """Makes the finished frames that a traceback holds forget their variables; those of the user's code keep them.

    Notebooks and debuggers keep the last exception, and so its traceback. The frames of this package, and of what it
    calls, would keep slots of the ring in use.
    """
    cause: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if cause is None:
            return
        for frame in _frames(cause):
            if _is_ours(frame) or (_module(frame) in _LIBRARIES and not frame.f_code.co_flags & _GENERATORS):
                with contextlib.suppress(RuntimeError):  # it still runs
                    frame.clear()
        cause = cause.__cause__ or cause.__context__


def _frames(error: BaseException) -> Iterator[types.FrameType]:
    """Gives the frames that an exception has left, from the outermost to the one that raised it."""
    entry = error.__traceback__
    while entry is not None:
        yield entry.tb_frame
        entry = entry.tb_next


def _is_ours(frame: types.FrameType) -> bool:
    return _module(frame) == _PACKAGE


def _module(frame: types.FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def _codes(handler: Any) -> Iterator[types.CodeType]:
    """Gives the code of a handler: a function, a method, a partial of them, or an object that can be called."""
    while isinstance(handler, functools.partial | functools.partialmethod):
        handler = handler.func
    for one in (handler, getattr(handler, "__func__", None), type(handler).__call__ if callable(handler) else None):
        code = getattr(one, "__code__", None)
        if isinstance(code, types.CodeType):
            yield code


def _is_called_as_handler(frame: types.FrameType) -> bool:
    """Whether a function got a signal's number and the frame that it came in, as hardly any other function does.

    A handler may be another one's function by now, such as the default one, because this one was for one time only. The
    frame that it interrupted need not be in the traceback, from which jax removes its own.
    """
    if _is_ours(frame) or _module(frame) in _LIBRARIES:
        return False  # reading the variables of a frame keeps a copy of them in it, beyond `forget_locals`
    code, names = frame.f_code, frame.f_locals
    given = [names.get(name) for name in code.co_varnames[: code.co_argcount]]
    if code.co_flags & 0x04:  # CO_VARARGS
        several = names.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
        given += several if isinstance(several, tuple) else ()
    kinds = {type(value) for value in given}
    return types.FrameType in kinds and any(issubclass(kind, int) for kind in kinds)
