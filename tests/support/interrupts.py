"""Exceptions that are not the data's, at every point where the interpreter checks for signals, one at a time."""

from __future__ import annotations

import dis
import functools
import inspect
import os
import signal
import sys
import types
from collections.abc import Callable
from typing import Any

# Named like those that do. A generator that is discarded runs the first one, in which an interrupt would be ignored.
_DOES_NOT_LOOK = ("CALL_INTRINSIC", "JUMP_BACKWARD_NO_INTERRUPT")


@functools.lru_cache(None)
def _looks(code: types.CodeType) -> frozenset[int]:
    """The instructions after which the interpreter checks for interrupts."""
    return frozenset(
        one.offset
        for one in dis.get_instructions(code)
        if one.opname.startswith(("CALL", "JUMP_BACKWARD")) and not one.opname.startswith(_DOES_NOT_LOOK)
    )


class TimeIsUp(OSError):
    """What a handler of SIGALRM raises; as TimeoutError is, an OSError."""


# By name: what is raised, and whether a signal's handler does it.
INTERRUPTIONS: dict[str, type[BaseException]] = {
    "Ctrl-C": KeyboardInterrupt,
    "alarm": TimeIsUp,
    "exit": SystemExit,
    "memory": MemoryError,
}


def _handle(number: int, frame: types.FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # for one time only, as some are
    raise _raised[0]


_raised: list[type[BaseException]] = []
# The last frame of the traceback is the package's when its own call finds no memory.
_find_no_memory = types.FunctionType(
    compile("raise MemoryError", "out of memory", "exec"), {"__name__": "jaxdali.out_of_memory"}
)


class Interrupt:
    """Raises an exception at point number `at` of a call, where a signal's handler could have raised it.

    These points are the start of a Python function, after a call of native code, and at a backward jump.

    Args:
        files: suffixes of the paths of the modules in which it may occur.
        raised: what is raised. MemoryError comes from a call of the package's own; others from a handler.

    Attributes:
        places: number of points passed before it occurred.
        files: names of the modules with these points.
        ends: `places` at the end of each call.
    """

    def __init__(self, at: int, files: tuple[str, ...], raised: type[BaseException] = KeyboardInterrupt):
        self.raised = raised
        self.places = 0
        self.files: set[str] = set()
        self.ends: list[int] = []
        self._at = at
        self._files = files
        # The frame whose last instruction was such a one.
        self._before: types.FrameType | None = None

    def call(self, function: Callable[[], Any]) -> Any:
        """Runs `function()` with the interrupt, unless it already occurred in an earlier call."""
        if self.places == self._at > 0:
            return function()
        outer, handler = sys.gettrace(), signal.signal(signal.SIGUSR2, _handle)
        _raised[:] = [self.raised]
        sys.settrace(self._enter)
        try:
            return function()
        finally:
            sys.settrace(outer)
            self.ends.append(self.places)
            signal.signal(signal.SIGUSR2, handler)
            self._before = None

    def _enter(self, frame: types.FrameType, event: str, _: Any) -> Any:
        self._before = None
        if not frame.f_code.co_filename.endswith(self._files):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        # A generator is also entered when it is discarded, and there signals are not checked.
        if not frame.f_code.co_flags & inspect.CO_GENERATOR:
            self._pass(frame)
        looks = _looks(frame.f_code)

        def step(frame: types.FrameType, event: str, _: Any) -> Any:
            if event == "opcode":
                before, self._before = self._before, frame if frame.f_lasti in looks else None
                if before is frame:
                    self._pass(frame)
            elif event == "return":  # returns to Python code, which continues without a check
                self._before = None
            return frame.f_trace  # this function, without a reference cycle

        return step

    def _pass(self, frame: types.FrameType) -> None:
        self.places += 1
        self.files.add(os.path.basename(frame.f_code.co_filename))
        if self.places == self._at:
            if self.raised is MemoryError:
                _find_no_memory()
            signal.raise_signal(signal.SIGUSR2)
