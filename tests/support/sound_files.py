"""Sound files, written with libsndfile."""

from __future__ import annotations

import io

import numpy as np
import soundfile

__all__ = ["sound_bytes", "tones"]


def tones(samples: int, channels: int = 1, seed: int = 0) -> np.ndarray:
    """float32[samples, channels] below 1: a few tones each, and some noise."""
    rng = np.random.default_rng(seed)
    time = np.arange(samples)[:, None] / 100
    waves = sum(0.2 * np.sin(time * rng.uniform(1, 40, channels)) for _ in range(3))
    return (waves + rng.normal(0, 0.02, (samples, channels))).astype(np.float32)


def sound_bytes(signal: np.ndarray, rate: int = 16000, form: str = "WAV", subtype: str | None = None) -> np.ndarray:
    """A file with a signal `float32[samples, channels]`, as `uint8[n]`."""
    stream = io.BytesIO()
    soundfile.write(stream, signal, rate, format=form, subtype=subtype)
    return np.frombuffer(stream.getvalue(), np.uint8)
