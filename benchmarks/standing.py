"""A started process that waits for questions, and answers each with a line of JSON."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["Standing", "StandingError"]


class StandingError(Exception):
    """The process ended, or took too long; the text is the end of its output."""


class Standing:
    """A Python program that prints a line when it is ready, and one for each line that it reads.

    Args:
        command: the program and its arguments.
        environment: variables in addition to those of this process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]):
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            env={**os.environ, **environment},
            start_new_session=True,  # so that its workers are killed with it
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._questions, self._answers = self._process.stdin, self._process.stdout

    def ask(self, question: str = "") -> None:
        """Sends a question, a line of text."""
        with contextlib.suppress(BrokenPipeError):  # `answer` will say why
            self._questions.write(f"{question}\n".encode())

    def answer(self, timeout_s: float) -> dict[str, Any]:
        """Waits for a line, and returns it.

        Raises:
            StandingError: there is none; the process was ended.
        """
        text, deadline = b"", time.monotonic() + timeout_s
        while not text.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                self._fail(f"it took more than {timeout_s:.0f} s")
            part = os.read(self._answers.fileno(), 1 << 16)
            if not part:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(5.0)
                self._fail(f"it ended with {self._process.returncode}")
            text += part
        return json.loads(text)

    def close(self, timeout_s: float = 5.0) -> None:
        """Ends the process and its workers. A second call does nothing."""
        if self._errors.closed:
            return
        with contextlib.suppress(BrokenPipeError):
            self._questions.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout_s)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._answers.close()
        self._errors.close()

    def _fail(self, reason: str) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._errors.seek(0)
        written = self._errors.read().decode(errors="replace")[-3000:]
        self.close()
        raise StandingError(f"{reason}\n{written}")
