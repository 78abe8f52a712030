"""The sounds and texts in NeMo's manifests, as a map-style source."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, SourceDataError
from ..records.index_files import read_text
from ..records.safe_open import is_path
from ..storage.cache import make_cache
from ..storage.read_ahead import Ahead
from ..storage.urls import absolute, is_remote
from .file_format import FileFormat
from .file_reading import Path, Paths
from .record_source import Fetched
from .sounds import SoundReading, check_soundfile
from .whole_files import WholeFiles

__all__ = ["NemoASR"]

VALUES = ("audio", "sample_rate", "text", "index")
_MOST_SECONDS = sys.float_info.max

logger = logging.getLogger("jaxdali")


class NemoASR(Fetched):
    """Sounds and their texts from NeMo's manifests: one line of JSON each, with `audio_filepath` and, optionally,
    `duration` and `offset` in seconds and `text`; what else a line says is not read. `data[i]` is
    `{"audio": signal, "sample_rate": float32, "text": uint8[n], "index": int64[1]}`.

    Lines that are not JSON, or have no path, are left out; a warning of the logger "jaxdali" names the first one.

    Args:
        manifest_filepaths: paths or URLs of the manifests. Paths in them are relative to the current folder, and may be
            URLs.
        min_duration, max_duration: of the sounds that count, in seconds; 0: no limit. A line without a duration counts
            as shorter than any.
        downmix: signals are `[samples]`, the average of the channels; otherwise `[samples, channels]`.
        dtype: that of the signals: "float32" from -1 to 1, "int16" or "int32".
        sample_rate: that of the signals, in Hz; 0 or less: the file's. `data[i]["sample_rate"]` is always the file's.
        quality: that of resampling, 0 to 100.
        values: which of these values each sample has, in this order.
        cache_dir, cache_bytes: a folder that caches data read from URLs, and its limit in bytes (16 GiB by default).
            All processes that name the same folder share it.

    Raises:
        ConfigError: no line counts, or a value in a line has another type than described.
        BackendUnavailable: soundfile is not installed.
        OSError: a manifest cannot be read. `data[i]` raises it, too, and SourceDataError if a file is not a sound.
    """

    _format = FileFormat("NeMo")
    # Each sample is a file of its own.
    bounds = None

    def __init__(
        self,
        manifest_filepaths: Paths,
        *,
        min_duration: float = 0.0,
        max_duration: float = 0.0,
        downmix: bool = True,
        dtype: str = "float32",
        sample_rate: float = 0.0,
        quality: float = 50.0,
        values: Sequence[str] = VALUES,
        cache_dir: Path | None = None,
        cache_bytes: int | None = None,
    ):
        check_soundfile()
        if not values or set(values) - set(VALUES):
            raise ConfigError(f"values must be some of {', '.join(VALUES)}, got {values!r:.80}")
        self._values = [name for name in VALUES if name in values]
        self._reading = SoundReading(downmix, dtype, max(sample_rate, 0.0), quality)
        self._paths: list[str] = []
        self._texts: list[bytes] = []
        parts: list[tuple[float, float]] = []
        numbers: list[int] = []
        one = isinstance(manifest_filepaths, str | os.PathLike)
        manifests = [absolute(path) for path in ([manifest_filepaths] if one else manifest_filepaths)]
        for manifest in manifests:
            number = 0
            for path, offset, duration, text in _entries(manifest):
                if (max_duration > 0 and duration > max_duration) or (min_duration > 0 and duration < min_duration):
                    continue
                self._paths.append(absolute(path))
                self._texts.append(text.encode(errors="surrogatepass"))
                parts.append((offset, duration))
                numbers.append(number)
                number += 1
        if not self._paths:
            raise ConfigError(
                f"No files found: {manifests} list no sound with a duration from {min_duration:g} s "
                f"to {max_duration or math.inf:g} s"
            )
        self._files = WholeFiles(self.source_info, any(map(is_remote, self._paths)), make_cache(cache_dir, cache_bytes))
        self._parts = np.array(parts)
        # As in DALI, indices start anew in each manifest, and skip sounds that do not count.
        self._numbers = np.array(numbers)

    def _paths_shown(self) -> Sequence[str]:
        return self._paths

    def __len__(self) -> int:
        return len(self._paths)

    @property
    def decodes(self) -> str:
        """What samples are decoded from; empty: nothing."""
        return "sounds" if {"audio", "sample_rate"} & {*self._values} else ""

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} of {len(self)} samples")
        try:
            return dict(zip(self._values, self.row(index), strict=True))
        except SourceDataError as error:
            raise SourceDataError(f"{self.source_info(index)}: {error}") from None

    def row(self, index: int) -> tuple[Any, ...]:
        """Returns the values of sample `index`."""
        found: dict[str, Any] = {"text": np.frombuffer(self._texts[index], np.uint8)}
        found["index"] = self._numbers[index : index + 1]
        if "audio" in self._values or "sample_rate" in self._values:
            offset, duration = self._parts[index].tolist()
            found["audio"], rate = self._reading.part(self._files.read(index), offset, duration)
            found["sample_rate"] = np.float32(rate)
        return tuple(found[name] for name in self._values)

    def source_info(self, index: int) -> str:
        """Returns the path of sample `index`."""
        return self._paths[index]

    def ahead(self) -> Ahead | None:
        return self._files.ahead()

    def direct(self) -> None:
        """Returns None: sounds are decoded in Python."""
        return None

    def digest(self) -> str:
        """Returns a hash of what is read."""
        found = hashlib.sha256(
            repr((self._reading, self._values, self._paths, self._texts)).encode("utf-8", "surrogateescape")
        )
        found.update(self._parts.tobytes() + self._numbers.tobytes())
        return found.hexdigest()


def _entries(manifest: str) -> Iterator[tuple[str, float, float, str]]:
    """Yields path, offset, duration (-1 if it has none) and text of each line that has a path."""
    left_out = []
    for number, line in enumerate(read_text(manifest).splitlines(), 1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict) or not entry.get("audio_filepath"):
            left_out.append(number)
            continue
        path, text = entry["audio_filepath"], entry.get("text", "")
        offset, duration = entry.get("offset", 0.0), entry.get("duration", -1.0)
        # Python's JSON reader accepts NaN, infinities, and integers of any size.
        numbers = all(isinstance(one, int | float) and abs(one) <= _MOST_SECONDS for one in (offset, duration))
        if not isinstance(path, str) or not isinstance(text, str) or not numbers:
            raise ConfigError(
                f"{manifest}:{number}: audio_filepath={path!r:.80}, text={text!r:.80}, offset={offset!r:.80}, "
                f"duration={duration!r:.80}; expected two texts and two numbers"
            )
        if not is_path(path):
            raise ConfigError(
                f"{manifest}:{number}: the path {path!r:.80} contains a zero byte, or half of a character, which no path can"
            )
        yield path, float(offset), float(duration), text
    if left_out:
        logger.warning(
            "left out %d lines of %s, which have no audio_filepath: line %d ...", len(left_out), manifest, left_out[0]
        )
