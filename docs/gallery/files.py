"""The files that examples read: two drawn pictures with objects and masks, and two sounds."""

from __future__ import annotations

import functools
import io
import json
import pathlib
import sys
import wave

import numpy as np
from PIL import Image, ImageDraw

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import make_images

__all__ = ["HEIGHT", "WIDTH", "files", "write_files"]

WIDTH, HEIGHT = 320, 240
RATE = 8000
# Polygons of objects, in pixels, by picture: the sun and the boat, two houses.
_OBJECTS = {
    "lake": [
        [171, 57, 179, 37, 198, 30, 217, 37, 225, 57, 217, 77, 198, 84, 179, 77],
        [148, 192, 164, 192, 164, 160, 180, 192, 172, 205, 156, 205],
    ],
    "town": [
        [200, 73, 215, 62, 230, 73, 230, 220, 200, 220],
        [117, 134, 141, 117, 164, 134, 164, 220, 117, 220],
    ],
}
_CATEGORIES = ["sun", "boat", "house"]
_CLASSES = {"lake": [1, 2], "town": [3, 3]}


@functools.cache
def files() -> dict[str, bytes]:
    """Returns the files by name."""
    found, annotations, boxes = {}, [], []
    for label, name in enumerate(_OBJECTS):
        stream = io.BytesIO()
        make_images.draw_picture(label, WIDTH, HEIGHT, seed=label).save(stream, "JPEG", quality=92)
        found[f"{name}.jpg"] = stream.getvalue()
        mask = Image.new("L", (WIDTH, HEIGHT))
        for polygon, kind in zip(_OBJECTS[name], _CLASSES[name], strict=True):
            ImageDraw.Draw(mask).polygon(polygon, fill=kind)
            left, top, right, bottom = (
                min(polygon[::2]),
                min(polygon[1::2]),
                max(polygon[::2]),
                max(polygon[1::2]),
            )
            box, number = [left, top, right - left, bottom - top], len(annotations) + 1
            whole = {
                "id": number,
                "image_id": label,
                "category_id": kind,
                "bbox": box,
                "iscrowd": 0,
            }
            annotations.append({**whole, "segmentation": [polygon]})
            boxes.append([left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT])
        stream = io.BytesIO()
        mask.save(stream, "PNG")
        found[f"{name}.png"] = stream.getvalue()
    images = [
        {"id": number, "file_name": f"{name}.jpg", "width": WIDTH, "height": HEIGHT}
        for number, name in enumerate(_OBJECTS)
    ]
    categories = [{"id": number + 1, "name": name} for number, name in enumerate(_CATEGORIES)]
    coco = {"images": images, "annotations": annotations, "categories": categories}
    found["objects.json"] = json.dumps(coco).encode()
    found["boxes.json"] = json.dumps([boxes[:2], boxes[2:]]).encode()
    time = np.arange(RATE) / RATE
    quiet = np.clip(6 * time - 1, 0, 1) * np.clip(5 - 6 * time, 0, 1)
    chirp = 0.5 * quiet * np.sin(2 * np.pi * (300 * time + 1200 * time**2))
    bell = sum(np.sin(2 * np.pi * 440 * k * time) * np.exp(-4 * k * time) / k for k in (1, 2.76, 5.4)) / 3
    for name, signal in (("chirp", chirp), ("bell", bell)):
        found[f"{name}.wav"] = _sound(np.asarray(signal))
    line = json.dumps({"audio_filepath": "chirp.wav", "text": "chirp", "duration": 1.0})
    found["manifest.json"] = f"{line}\n".encode()
    found |= {f"clips/lake/{number}.jpg": found["lake.jpg"] for number in range(3)}
    stream = io.BytesIO()
    np.save(stream, np.arange(12, dtype=np.float32).reshape(3, 4))
    found["numbers.npy"] = stream.getvalue()
    return found


def write_files(folder: pathlib.Path) -> None:
    """Writes the files into a folder that exists."""
    for name, data in files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _sound(signal: np.ndarray) -> bytes:
    """A WAV file of one channel of 16-bit values."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes((signal * 32767).astype("<i2").tobytes())
    return stream.getvalue()
