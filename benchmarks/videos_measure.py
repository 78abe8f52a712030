"""Runs one system and row in its own process: `videos_measure.py ROW SYSTEM FOLDER SECONDS` prints its numbers."""

from __future__ import annotations

import importlib
import json
import pathlib
import sys
import time
from typing import Any

import av
import numpy as np
from PIL import Image
from processes import cpu_s, descendants

# Codec, extension, width and height of a file.
_SIZES = {"640x360": (640, 360), "1920x1080": (1920, 1080)}
_CODECS = {
    "H.264": ("libx264", "mp4"),
    "HEVC": ("libx265", "mp4"),
    "VP9": ("libvpx-vp9", "webm"),
    "AV1": ("libsvtav1", "mp4"),
    "MJPEG": ("mjpeg", "avi"),
}
ROWS = {f"{name} {size}": (*codec, *_SIZES[size]) for name, codec in _CODECS.items() for size in _SIZES}
_OPTIONS = {
    "libx264": {"preset": "veryfast"},
    "libx265": {"preset": "ultrafast", "x265-params": "log-level=none"},
    "libvpx-vp9": {"deadline": "realtime", "cpu-used": "8"},
    "libsvtav1": {"preset": "12"},
}
# Key frames are that far apart.
KEYS = 30
FRAMES, CLIP, WARM = 120, 16, 2


def path_of(row: str, folder: str) -> str:
    return str(pathlib.Path(folder, f"{row.replace(' ', '_')}.{ROWS[row][1]}"))


def write(row: str, folder: str) -> None:
    codec, _, width, height = ROWS[row]
    chance = np.random.default_rng(0)
    coarse = chance.integers(0, 256, ((height + FRAMES) // 16, (width + 2 * FRAMES) // 16, 3), np.uint8)
    texture = np.asarray(
        Image.fromarray(coarse).resize((width + 2 * FRAMES, height + FRAMES), Image.Resampling.BICUBIC)
    )
    with av.open(path_of(row, folder), "w") as container:
        stream = container.add_stream(codec, rate=25, options=_OPTIONS.get(codec, {}))
        stream.width, stream.height = width, height
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.gop_size = KEYS
        for number in range(FRAMES):
            pixels = np.ascontiguousarray(texture[number : number + height, 2 * number : 2 * number + width])
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode())


def expected(path: str, first: int) -> np.ndarray:
    """Returns the clip that begins with frame `first`, decoded by FFmpeg from the beginning on."""
    ways = av.video.reformatter.Interpolation
    how = ways.BILINEAR | ways.FULL_CHR_H_INT | ways.ACCURATE_RND
    with av.open(path) as container:
        frames = [frame for frame, _ in zip(container.decode(video=0), range(first + CLIP), strict=False)]
        return np.stack([frame.reformat(format="rgb24", interpolation=how).to_ndarray() for frame in frames[first:]])


def main() -> None:
    row, system, folder, seconds, threads = sys.argv[1:]
    dali: Any = importlib.import_module("jaxdali" if system == "jaxdali" else "nvidia.dali")
    fn = importlib.import_module(f"{dali.__name__}.fn")
    path = path_of(row, folder)
    # At least a clip for each thread.
    pipe = dali.Pipeline(batch_size=int(threads), num_threads=int(threads), device_id=None, seed=1)
    with pipe:
        given = {"filenames": [path], "sequence_length": CLIP, "step": 1, "random_shuffle": True}
        pipe.set_outputs(*fn.experimental.readers.video(**given, enable_frame_num="scalar", device="cpu"))
    pipe.build()
    clips, numbers = pipe.run()
    if not np.array_equal(np.asarray(clips.at(0)), expected(path, int(np.asarray(numbers.at(0)).item()))):
        raise SystemExit(f"{system}: the first clip is not FFmpeg's")
    for _ in range(WARM):
        pipe.run()
    pids = descendants()
    cpu, began, frames = cpu_s(pids), time.perf_counter(), 0
    while time.perf_counter() - began < float(seconds):
        clips = pipe.run()[0]
        frames += sum(len(np.asarray(clips.at(row))) for row in range(int(threads)))
    taken = time.perf_counter() - began
    print(json.dumps({"frames_per_s": frames / taken, "cpu_ms": 1e3 * (cpu_s(pids) - cpu) / frames}))
    if system == "jaxdali":
        pipe.close()


if __name__ == "__main__":
    main()
