"""Clips of videos compared with DALI's GPU-only readers: which clips there are, their labels, numbers and times.

Pixels differ: NVIDIA's decoder decodes there, and colors are converted differently (by 1.3 levels on average).
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from video_files import write_video

pytestmark = [pytest.mark.gpu, pytest.mark.dali]

# NVIDIA's decoder takes no smaller ones.
HEIGHT, WIDTH = 160, 256
COUNTS = {"a/long.mp4": 30, "a/short.mp4": 17, "b/other.mp4": 23}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("videos")
    for name, count in COUNTS.items():
        (root / name).parent.mkdir(exist_ok=True)
        write_video(root / name, count, HEIGHT, WIDTH)
    (root / "list.txt").write_text("".join(f"{root / name} {number}\n" for number, name in enumerate(COUNTS)))
    (root / "parts.txt").write_text("".join(f"{root / name} {number} 2 15\n" for number, name in enumerate(COUNTS)))
    return root


def clips(system: str, reader: str, **given: Any) -> list[Any]:
    """Returns the reader's epoch size, and the samples of its first epoch and two more."""
    dali = pytest.importorskip(system)
    pipe = dali.Pipeline(batch_size=1, num_threads=1, device_id=0, seed=7)
    with pipe:
        found = getattr(dali.fn.readers, reader)(device="gpu", name="R", **given)
        pipe.set_outputs(*found) if isinstance(found, list) else pipe.set_outputs(found)
    pipe.build()
    size = pipe.epoch_size("R")
    seen: list[Any] = [size]
    for _ in range(size + 2):
        outputs = pipe.run()
        seen.append([np.asarray((out.as_cpu() if hasattr(out, "as_cpu") else out).at(0)) for out in outputs])
    return seen


@pytest.mark.parametrize(
    ("reader", "given"),
    [
        ("video", {"sequence_length": 8}),
        ("video", {"sequence_length": 4, "stride": 3, "labels": [4, 5, 6], "enable_frame_num": True}),
        ("video", {"sequence_length": 4, "step": 2, "labels": [7, 8, 9], "enable_timestamps": True}),
        ("video", {"sequence_length": 8, "pad_sequences": True, "labels": [], "enable_frame_num": True}),
        ("video", {"sequence_length": 3, "num_shards": 2, "shard_id": 1, "labels": []}),
        ("video", {"sequence_length": 5, "dtype": "FLOAT", "normalized": True}),
        ("video", {"sequence_length": 6, "file_list": "list.txt"}),
        ("video", {"sequence_length": 6, "file_list": "parts.txt", "file_list_frame_num": True}),
        ("video", {"sequence_length": 6, "file_root": ""}),
        ("video_resize", {"sequence_length": 6, "labels": [1, 2, 3], "resize_x": 96, "resize_y": 64}),
    ],
    ids=str,
)
def test_clips_are_dalis(folder: pathlib.Path, reader: str, given: dict[str, Any]) -> None:
    from jaxdali import types

    given = dict(given)
    for word in {"file_list", "file_root"} & {*given}:
        given[word] = str(folder / given[word])
    if not {"file_list", "file_root"} & {*given}:
        given["filenames"] = [str(folder / name) for name in COUNTS]
    if "dtype" in given:
        given["dtype"] = types.FLOAT
    ours = clips("jaxdali", reader, **given)
    theirs = clips("nvidia.dali", reader, **{**given, **({"dtype": int(types.FLOAT)} if "dtype" in given else {})})
    assert ours[0] == theirs[0] and len(ours) >= 3
    for one, other in zip(ours[1:], theirs[1:], strict=True):
        assert [column.shape for column in one] == [column.shape for column in other]
        assert [column.dtype for column in one] == [column.dtype for column in other]
        scale = 255 if given.get("normalized") else 1
        apart = np.abs(one[0].astype(np.float32) - other[0].astype(np.float32)) * scale
        assert apart.mean() < 3
        for mine, their in zip(one[1:], other[1:], strict=True):
            np.testing.assert_allclose(mine, their, atol=1e-6)
