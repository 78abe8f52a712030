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
ROWS = {
    "VP9 640x360": ("libvpx-vp9", "webm", 640, 360),
    "VP9 1920x1080": ("libvpx-vp9", "webm", 1920, 1080),
    "MJPEG 1920x1080": ("mjpeg", "avi", 1920, 1080),
    "H.264 1920x1080": ("libx264", "mp4", 1920, 1080),
}
FRAMES, CLIP, WARM = 96, 16, 2


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
        stream = container.add_stream(
            codec, rate=25, options={"deadline": "realtime", "cpu-used": "8"} if "vp9" in codec else {}
        )
        stream.width, stream.height = width, height
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.gop_size = CLIP
        for number in range(FRAMES):
            pixels = np.ascontiguousarray(texture[number : number + height, 2 * number : 2 * number + width])
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode())


def expected(path: str) -> np.ndarray:
    """Returns the first clip, decoded by FFmpeg."""
    ways = av.video.reformatter.Interpolation
    how = ways.BILINEAR | ways.FULL_CHR_H_INT | ways.ACCURATE_RND
    with av.open(path) as container:
        frames = [frame for frame, _ in zip(container.decode(video=0), range(CLIP), strict=False)]
        return np.stack([frame.reformat(format="rgb24", interpolation=how).to_ndarray() for frame in frames])


def main() -> None:
    row, system, folder, seconds = sys.argv[1:]
    dali: Any = importlib.import_module("jaxdali" if system == "jaxdali" else "nvidia.dali")
    fn = importlib.import_module(f"{dali.__name__}.fn")
    path = path_of(row, folder)
    pipe = dali.Pipeline(batch_size=1, num_threads=1, device_id=None)
    with pipe:
        pipe.set_outputs(fn.experimental.readers.video(filenames=[path], sequence_length=CLIP, device="cpu"))
    pipe.build()
    first = np.asarray(pipe.run()[0].at(0))
    if not np.array_equal(first, expected(path)):
        raise SystemExit(f"{system}: the first clip is not FFmpeg's")
    for _ in range(WARM):
        pipe.run()
    pids = descendants()
    cpu, began, frames = cpu_s(pids), time.perf_counter(), 0
    while time.perf_counter() - began < float(seconds):
        frames += len(np.asarray(pipe.run()[0].at(0)))
    taken = time.perf_counter() - began
    print(json.dumps({"frames_per_s": frames / taken, "cpu_ms": 1e3 * (cpu_s(pids) - cpu) / frames}))
    if system == "jaxdali":
        pipe.close()


if __name__ == "__main__":
    main()
