"""Writes NeMo's manifests, and their sounds."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from samples import COUNT, HALVES, Arguments, Samples, both
from sound_files import sound_bytes, tones

from jaxdali.source import NemoASR


def _line(path: pathlib.Path, text: str, **more: Any) -> str:
    return json.dumps({"audio_filepath": str(path), "text": text, **more}) + "\n"


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], NemoASR]:
    sounds = [folder / f"{index:02}.wav" for index in range(COUNT)]
    for index, path in enumerate(sounds):
        path.write_bytes(sound_bytes(tones(30 + index, 2, index)).tobytes())
    manifests = both(folder, "{}.manifest")
    for path, mine in zip(manifests, HALVES, strict=True):
        path.write_text("".join(_line(sounds[index], f"number {index}") for index in mine))
    return {"manifest_filepaths": manifests, "read_idxs": True}, NemoASR(manifests)


SAMPLES = {"nemo_asr": Samples(_write, "nemo_asr")}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    (root / "a.wav").write_bytes(sound_bytes(tones(40, 2)).tobytes())
    for name, texts in (("a.nemo", "xyz"), ("b.nemo", "uvw")):
        lines = [_line(root / "a.wav", text, duration=1.5 * k) for k, text in enumerate(texts)]
        (root / name).write_text("".join(lines))
    manifests = [{"manifest_filepaths": root / name} for name in ("a.nemo", "b.nemo")]
    return {"readers.nemo_asr": Arguments(manifests[0], {"manifest_filepaths": manifests})}
