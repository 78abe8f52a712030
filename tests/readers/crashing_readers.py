"""Readers whose decoder crashes the process on one file. Runs in a program of its own."""

from __future__ import annotations

import logging
import pathlib
import sys
from typing import Any

import numpy as np

# Replaces libsndfile's module, in a folder that is first on `sys.path`: files that start with MARK crash their reader.
MARK = b"CRASH"
_MODULE = f"""
import ctypes
class LibsndfileError(Exception):
    error_string = "no sound"
class SoundFile:
    def __init__(self, file):
        if file.read(5) == {MARK!r}:
            ctypes.string_at(0)
        raise LibsndfileError
"""


def run(folder: str) -> dict[str, Any]:
    """Returns what a pipeline and a Loader say about the file, and which samples they return before and after it."""
    logging.getLogger("jaxdali").setLevel(logging.CRITICAL)  # warns about each death
    (pathlib.Path(folder) / "soundfile.py").write_text(_MODULE)
    sys.path.insert(0, folder)
    from jaxdali import Loader, WorkerError, fn, pipeline_def
    from jaxdali.source import NemoASR

    files = []
    for number in range(6):
        files.append(pathlib.Path(folder) / f"{number}.wav")
        files[-1].write_bytes(MARK if number == 3 else _wav(number))
    manifest = pathlib.Path(folder) / "manifest.json"
    manifest.write_text("".join(f'{{"audio_filepath": "{file}"}}\n' for file in files))

    @pipeline_def(batch_size=2, device_id=None, py_num_workers=1, prefetch_queue_depth=1)
    def decoded():
        return fn.decoders.audio(fn.readers.file(files=files)[0], downmix=True)[0]

    @pipeline_def(batch_size=2, device_id=None, py_num_workers=1, prefetch_queue_depth=1)
    def read():
        return fn.readers.nemo_asr(manifest_filepaths=[manifest], read_text=False, read_sample_rate=False)

    found: dict[str, Any] = {}
    for made in (decoded, read):
        given = []
        with made() as pipe:
            try:
                for _ in files:
                    (signals,) = pipe.run()
                    given += [len(signals.at(row)) for row in range(2)]
            except WorkerError as error:
                found[made.__name__] = {"given": given, "error": str(error), "file": error.origin.source_info}
    given = []
    with Loader(
        NemoASR(manifest, values=["audio"]), _same, batch_size=2, epochs=1, workers=1, ragged=("audio",)
    ) as loader:
        try:
            for batch in loader:
                given += [len(row) for row in batch["audio"]]
        except WorkerError as error:
            found["loader"] = {"given": given, "error": str(error), "file": error.origin.source_info}
        loader.seek(2)
        found["behind"] = sum(1 for _ in loader)
    return found


def _same(batch: Any, keys: Any) -> Any:
    return batch


def _wav(number: int) -> bytes:
    import io
    import wave

    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.zeros(10 + number, np.int16).tobytes())
    return stream.getvalue()
