"""How sources travel to fresh interpreters: written once, into one memory file that all of them read.

The file starts with the setup as JSON, which can be read before `sys.path` is right. Then comes one stream of pickles:
the pool's data, then the sources one by one. They share the stream's memo, so data that two sources share is stored
once, and yet a reader can tell which source failed or imported a module. After the pickles come the contents of large
arrays, which readers map privately: workers share the pages, and a worker that writes to one gets its own copy of that
page. Last come the positions of these contents, as JSON, and the length of that JSON. `source_loading` reads the file.
"""

from __future__ import annotations

import json
import mmap
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import cloudpickle

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.patience import Patience
from jaxdali.errors import ConfigError
from .descriptors import open_memory_file
from .inherited import handled_signals
from .memmap_pickling import SourceStream
from .pickler import SourcePickler
from .unpicklable import find_culprit

__all__ = ["write_payload"]

# Arrays of at least this many bytes are mapped by readers instead of pickled.
_LARGE = 1 << 20


def _setup() -> dict[str, object]:
    return {
        "sys_path": [entry for entry in sys.path if isinstance(entry, str)],  # import ignores other entries
        "cwd": _working_directory(),
        "handled_signals": handled_signals(),
        "warning_filters": [
            # Filters on message or module hold compiled patterns, which JSON cannot carry.
            (action, getattr(category, "__module__", ""), getattr(category, "__qualname__", ""), line)
            for action, message, category, module, line in warnings.filters
            if message is None and module is None
        ],
    }


def _working_directory() -> str | None:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was removed; a child starts in it all the same
        return None


def write_payload(shared: Any, sources: Sequence[Any], pickler: SourcePickler | None = None) -> int:
    """Writes a memory file for `source_loading.PayloadReader`.

    Args:
        shared: our own data, any picklable object.
        sources: each with a `description`.
        pickler: for the sources; None: cloudpickle.

    Returns:
        Its descriptor, which the caller closes.

    Raises:
        ConfigError: a source cannot be pickled; the text names the part of it that is to blame.
    """
    setup = json.dumps(_setup()).encode()
    fd = open_memory_file("jaxdali-sources")
    try:
        with open(fd, "wb", closefd=False) as file:
            file.write(len(setup).to_bytes(8, "little") + setup)
            large: list[memoryview] = []
            stream = SourceStream(file, buffer_callback=lambda buffer: _stays(buffer, large))
            stream.dump((shared, [source.description for source in sources]))
            _dump_pickler(stream, pickler)
            for source in sources:
                _dump_source(stream, source, pickler)
            _write_large(file, large)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _dump_source(stream: cloudpickle.Pickler, source: Any, pickler: SourcePickler | None) -> None:
    what = f"{source.description} to be pickled for fresh processes, which calls its __getstate__ or __reduce__"
    try:
        with Patience(lambda: what).beside():
            stream.dump(source if pickler is None else pickler.dumps(source))
    except Exception as error:
        if raised_by_handler(error):
            raise
        raise ConfigError(_refusal(source, error, pickler)) from error


def _stays(buffer: pickle.PickleBuffer, large: list[memoryview]) -> bool:
    """Whether an array's content stays in the pickle stream; if not, adds it to `large`."""
    content = buffer.raw()
    if content.nbytes < _LARGE:
        return True
    large.append(content)
    return False


def _write_large(file: BinaryIO, large: list[memoryview]) -> None:
    places = []
    for content in large:
        file.seek(-file.tell() % mmap.ALLOCATIONGRANULARITY, os.SEEK_CUR)
        places.append((file.tell(), content.nbytes))
        file.write(content)
    words = json.dumps(places).encode()
    file.write(words + len(words).to_bytes(8, "little"))


def _dump_pickler(stream: cloudpickle.Pickler, pickler: SourcePickler | None) -> None:
    try:
        stream.dump(pickler)
    except Exception as error:
        if raised_by_handler(error):
            raise
        raise ConfigError(
            f"py_callback_pickler {pickler!r} cannot be sent to a fresh worker process, which needs its loads: "
            f"{type(error).__name__}: {error}. Use a module, or an object that cloudpickle takes."
        ) from error


def _refusal(source: Any, error: Exception, pickler: SourcePickler | None) -> str:
    dumps: Callable[[object], object] = cloudpickle.dumps if pickler is None else pickler.dumps
    culprit = find_culprit(source, error, dumps)
    if culprit.value is source:
        advice = "Write it as a function or a class of a module"
    else:
        advice = "Keep it out of the source (open it on first use, or leave it out in __getstate__)"
    if pickler is not None:
        advice += ", leave py_callback_pickler out (cloudpickle takes lambdas, closures and local classes)"
    return (
        f"{source.description} cannot be sent to a fresh worker process: {culprit} cannot be pickled: "
        f"{type(error).__name__}: {error}. {advice}; or use a Pipeline's py_start_method=\"fork\", a Loader's workers=0."
    )
