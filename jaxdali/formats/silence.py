"""No warnings while files are decoded, by however many threads."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Iterator

__all__ = ["Silence"]


class Silence:
    """Ignores warnings while at least one thread is in `kept`. Filters of warnings belong to the whole process: it is the
    first thread that changes them, and the last one that changes them back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._changed = contextlib.ExitStack()

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        with self._lock:
            if not self._inside:
                self._changed.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._changed.close()
