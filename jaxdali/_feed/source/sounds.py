"""Reads sound files as signals: plain WAV with Python's `wave`, everything else (FLAC, Ogg, ...) with libsndfile."""

from __future__ import annotations

import dataclasses
import io
import math
import os
import wave
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.missing import load_extra
from jaxdali.errors import ConfigError, SourceDataError
from .. import _host
from ..records.foreign import data_errors
from ..records.ogg import chained_at
from .file_reading import read_file

__all__ = ["SoundReading", "check_soundfile", "of_unit_floats", "resample", "resample_to", "unit_floats"]

# Values (frames times channels) read per call, however many frames a header claims.
_FRAMES = 1 << 22
# Limits on the values of a sound: in any case (1 GiB of float32), and for each byte of its file. Speech at 6 kbit/s becomes
# 64 values a byte.
_MOST_VALUES, _MOST_PER_BYTE = 1 << 28, 128
_TYPES = ("float32", "int16", "int32")
# Limits of libsndfile.
_MOST_CHANNELS, _HIGHEST_RATE = 1024, (1 << 31) - 1


def check_soundfile() -> ModuleType:
    """Returns the module that reads sounds.

    Raises:
        BackendUnavailable: it is not installed.
    """
    return load_extra("soundfile", "audio", "reading files of sound")


def resample(signal: np.ndarray, in_rate: float, out_rate: float, quality: float = 50.0) -> np.ndarray:
    """Resamples a signal to another rate, with DALI's Hann-windowed sinc.

    Args:
        signal: `float32[n]`, or `float32[n, channels]`.
        in_rate, out_rate: in the same unit, above 0.
        quality: 0 (3 lobes to either side) to 100 (64 lobes); 50 has 16.

    Returns:
        `float32[ceil(n * out_rate / in_rate)]`, with the channels if there are any. Signals are 0 beyond their ends.

    Raises:
        ConfigError: a rate, or the quality, is out of range.
    """
    if not (0 < in_rate < math.inf and 0 < out_rate < math.inf and 0 <= quality <= 100):
        raise ConfigError(
            f"in_rate={in_rate:g}, out_rate={out_rate:g} and quality={quality:g}; expected rates above 0, and a quality "
            "from 0 to 100"
        )
    return resample_to(signal, math.ceil(len(signal) * float(out_rate) / float(in_rate)), in_rate / out_rate, quality)


def resample_to(signal: np.ndarray, length: int, step: float, quality: float) -> np.ndarray:
    """Returns `length` samples: sample k is taken at position `k * step` of the signal.

    Raises:
        SourceDataError: there would be 2**31 numbers or more.
    """
    if length * math.prod(signal.shape[1:]) >= 1 << 31:
        raise SourceDataError(
            f"a signal of {len(signal)} samples would be resampled to {length}, which is too long; its rate may be wrong"
        )
    if signal.ndim == 1:
        found = np.empty(length, np.float32)
        if length:
            _host.resample(np.ascontiguousarray(signal), found, step, quality)
        return found
    channels = [resample_to(signal[:, channel], length, step, quality) for channel in range(signal.shape[1])]
    return np.stack(channels, axis=1) if channels else np.empty((length, 0), np.float32)


def unit_floats(values: np.ndarray, target: Any) -> np.ndarray:
    """Scales numbers to float32 for `of_unit_floats`, as DALI does: from -1 to 1 for a signed target, from 0 to 1 for an
    unsigned one.

    Args:
        values: integers of up to 32 bits, whose type's maximum becomes 1; or float32.
        target: the type that they will be converted to.
    """
    found = values.astype(np.float32, copy=False)
    if values.dtype.kind != "f":
        found = found * np.float32(1 / np.iinfo(values.dtype).max)
    if (np.dtype(target).kind == "u") == (values.dtype.kind == "u"):
        return found
    return found * np.float32(2) - np.float32(1) if values.dtype.kind == "u" else (found + 1) * np.float32(0.5)


def of_unit_floats(values: np.ndarray, target: Any) -> np.ndarray:
    """Converts floats to integers: 1 becomes the type's maximum, values beyond saturate, halves round away from 0."""
    dtype = np.dtype(target)
    if dtype == np.float32:
        return values
    limits = np.iinfo(dtype)
    scaled = values * np.float32(limits.max)
    if dtype.itemsize < 4:
        scaled = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
        return np.clip(scaled, limits.min, limits.max).astype(dtype)
    # float32 cannot represent the maximum of 32 bits.
    return np.clip(np.rint(scaled.astype(np.float64)), limits.min, limits.max).astype(dtype)


@dataclasses.dataclass(frozen=True)
class SoundReading:
    """How to read sound files.

    Attributes:
        downmix: whether channels become one, their average.
        dtype: the signal's type: "float32" from -1 to 1, "int16" or "int32".
        sample_rate: the signal's rate, in Hz; 0: the file's.
        quality: the quality of resampling, see `resample`.
    """

    decodes: ClassVar[str] = "sounds"
    downmix: bool = False
    dtype: str = "float32"
    sample_rate: float = 0.0
    quality: float = 50.0

    def __post_init__(self) -> None:
        if self.dtype not in _TYPES:
            raise ConfigError(f"dtype must be one of {', '.join(_TYPES)}, got {self.dtype!r}")
        # As in DALI, where it is a float32.
        object.__setattr__(self, "sample_rate", float(np.float32(self.sample_rate)))

    def __call__(self, file: object) -> tuple[np.ndarray, np.ndarray]:
        """Returns the signal of a file, `[frames, channels]` or downmixed `[frames]`, and its rate, `float32`.

        Args:
            file: its bytes, `uint8[n]`, or a `_host.FileSample`.

        Raises:
            SourceDataError: it is not a sound that can be read.
            OSError: the file cannot be read.
        """
        signal, rate = self.part(file)
        return signal, np.float32(rate if self.sample_rate <= 0 else self.sample_rate)  # type: ignore[return-value]

    def part(self, file: object, offset: float = 0.0, duration: float = -1.0) -> tuple[np.ndarray, float]:
        """Returns a part of a file's signal, and the file's rate, even if the signal has another.

        Args:
            file: as above, or `bytes`, which are not copied.
            offset: where the part begins, in seconds; below 0: at the file's beginning.
            duration: its maximum length, in seconds; below 0: up to the end.

        Raises:
            SourceDataError, OSError: as above; SourceDataError also if the part begins after the file's end.
        """
        if isinstance(file, _host.FileSample):
            content: Any = read_file(os.fsdecode(file.path))
        elif isinstance(file, bytes):
            content = file
        else:
            content = np.ascontiguousarray(file)
            if content.dtype != np.uint8 or content.ndim != 1:
                raise SourceDataError(
                    f"files of sound are bytes, uint8[n], got {content.dtype} with {content.ndim} dimensions"
                )
        with np.errstate(all="ignore"):  # a file of floats may hold any
            return self._part(content, offset, duration)

    def _part(self, content: Any, offset: float, duration: float) -> tuple[np.ndarray, float]:
        plain = _plain(content)
        if plain is not None:
            values, rate = plain
            signal = self._of_plain(values[_frames_of(offset, duration, rate, len(values))], rate)
        else:
            with _opened(content) as sound:
                rate = float(sound.samplerate)
                signal = self._signal(sound, _frames_of(offset, duration, rate, sound.frames), len(content))
        if self.sample_rate > 0 and self.sample_rate != rate:
            # The rate is the file's word, too.
            _check_size(math.ceil(signal.size * self.sample_rate / rate), len(content))
            signal = resample(signal, rate, self.sample_rate, self.quality)
        if signal.dtype != self.dtype:
            signal = of_unit_floats(signal, self.dtype)
        return signal, rate

    def _of_plain(self, values: np.ndarray, rate: float) -> np.ndarray:
        """Returns what `_signal` would for the same file."""
        channels = values.shape[1]
        resampled = self.sample_rate > 0 and self.sample_rate != rate
        if self.downmix and channels == 2:  # sums of two int16 are exact in float32
            return np.add(values[:, 0], values[:, 1], dtype=np.float32) * np.float32(0.5 / 32768)
        if self.dtype == "int16" and not resampled and (channels == 1 or not self.downmix):
            found = values
        else:
            found = np.multiply(values, np.float32(1 / 32768), dtype=np.float32)
        return self._mixed(found) if self.downmix else found

    def _signal(self, sound: Any, wanted: slice, size: int) -> np.ndarray:
        mixed = self.downmix and sound.channels > 1
        resampled = self.sample_rate > 0 and self.sample_rate != sound.samplerate
        signal = _read(sound, wanted, "float32" if mixed or resampled else self.dtype, size)
        return self._mixed(signal) if self.downmix else signal

    @staticmethod
    def _mixed(signal: np.ndarray) -> np.ndarray:
        """Returns the average of the channels."""
        channels = signal.shape[1]
        if channels == 1:
            return signal[:, 0]
        share = np.float32(1 / channels)
        found = signal[:, 0] * share
        for channel in range(1, channels):
            found += signal[:, channel] * share
        return found


def _plain(content: Any) -> tuple[np.ndarray, float] | None:
    """Returns the samples of a 16-bit WAV file, `int16[frames, channels]` without a copy, and its rate; None if it is
    another kind of file, or damaged.

    Most files are of this kind, and libsndfile takes several times as long for them.
    """
    stream = io.BytesIO(content)
    try:
        with wave.open(stream) as file:
            channels, width, rate, frames, *_ = file.getparams()
    except Exception as error:  # of a damaged file it raises many kinds, a RuntimeError without words among them
        if raised_by_handler(error):
            raise
        return None
    begin = stream.tell()
    # Impossible headers are left to libsndfile, which describes the error.
    possible = 0 < channels <= _MOST_CHANNELS and 0 < rate <= _HIGHEST_RATE
    if width != 2 or not possible or begin + 2 * channels * frames > len(content):
        return None
    return np.frombuffer(content, "<i2", channels * frames, begin).reshape(frames, channels), float(rate)


def _opened(content: Any) -> Any:
    soundfile = check_soundfile()
    if (place := chained_at(memoryview(content))) is not None:
        raise SourceDataError(
            f"the Ogg file holds another sound at byte {place}, behind its first one, which libsndfile does not read; make "
            "a file of each"
        )
    with data_errors(f"{len(content)} bytes are not a sound that libsndfile reads (WAV, FLAC, Ogg, ...)"):
        return soundfile.SoundFile(io.BytesIO(content))


def _check_size(values: int, size: int) -> None:
    """Raises SourceDataError if a file of `size` bytes is to become too many values (frames times channels)."""
    most = max(_MOST_VALUES, _MOST_PER_BYTE * size)
    if values > most:
        raise SourceDataError(
            f"the sound has more than {most} values (frames times channels, at the rate that is asked for), which is more "
            f"than {size} bytes are taken to hold; if it is meant to, read it in parts, or cut the file"
        )


def _frames_of(offset: float, duration: float, rate: float, frames: int) -> slice:
    """Returns the frames of a part of a sound. As in DALI, fractions of frames are cut off."""
    begin = max(offset, 0.0) * rate
    if begin >= frames + 1:
        raise SourceDataError(f"the part begins at {offset:g} s, but the sound has {frames / rate:g} s")
    begin = math.floor(begin)
    return slice(begin, frames if duration < 0 else begin + math.floor(min(duration * rate, frames - begin)))


def _read(sound: Any, wanted: slice, dtype: str, size: int) -> np.ndarray:
    """Returns `[frames, channels]` of a file of `size` bytes. Takes memory as frames come: a header may give a wrong number
    of them, and a few bytes may stand for hours of silence.
    """
    parts, there = [], wanted.start
    with data_errors(f"the sound cannot be read beyond frame {there}"):
        if there:
            sound.seek(there)
    while there < wanted.stop:
        count = min(_FRAMES // max(sound.channels, 1) + 1, wanted.stop - there)
        with data_errors(f"the sound cannot be read beyond frame {there}"):
            part = sound.read(count, dtype=dtype, always_2d=True)
        if not len(part):
            break
        parts.append(part)
        there += len(part)
        _check_size(sound.channels * (there - wanted.start), size)
    if there != wanted.stop:
        raise SourceDataError(
            f"the sound ends after {there} of the {sound.frames} frames in its header; the file is cut off"
        )
    return np.concatenate(parts) if len(parts) > 1 else parts[0] if parts else np.empty((0, sound.channels), dtype)
