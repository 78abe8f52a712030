"""A video that crashes FFmpeg's process is an error of that file, even if it is only scanned for frames."""

from __future__ import annotations

import crashing_videos
from processes import run_program


def test_a_video_that_ends_its_reader_is_named_and_not_tried_for_ever(tmp_path):
    found = run_program(crashing_videos.run, str(tmp_path))
    for number, said in enumerate(found["each"]):
        path = tmp_path / "all" / "class" / f"{number:02d}"
        if number in crashing_videos.CRASHING:
            assert said == f"{path} cannot be looked through: FFmpeg ended its process, by signal 11 (SIGSEGV)"
        else:
            assert said == f"{path} is not a video that can be read: nothing of it"
    assert {one[-2:] for one in found["opened"]} == {f"{number:02d}" for number in range(14)}
    assert max(map(found["opened"].count, found["opened"])) <= 2
    assert "02 cannot be looked through: FFmpeg ended its process" in found["named"]
    assert "none of the 14 files is a video that can be read" in found["folder"]
