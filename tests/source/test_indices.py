"""Indices outside the range of readers' sources."""

from __future__ import annotations

import pytest
from every_reader import every_source
from told_samples import told
from video_files import write_video

from jaxdali.source import COCO, VideoClips


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("indices")
    made = {name: one.data for name, one in every_source(folder / "all").items()}
    return {**made, "video": VideoClips([write_video(folder / "one.webm", 9)], 3)}


def test_an_index_below_0_is_none_or_counts_from_the_end(sources):
    """No index combines one sample's image with another sample's objects."""
    checked = 0
    for name, data in sources.items():
        if not hasattr(data, "__getitem__"):
            continue
        for index in (-1, -len(data)):
            try:
                found = data[index]
            except IndexError:
                continue
            finally:
                checked += 1
            expected = data[index + len(data)]
            if isinstance(found, dict):
                found, expected = found.values(), expected.values()
            else:
                found, expected = [found], [expected]
            assert told(found) == told(expected), name
    assert checked > 16


@pytest.mark.parametrize("off", [-1, 0])
def test_it_is_named(sources, off):
    for name, what in (("coco", "images"), ("video", "clips")):
        data = sources[name]
        assert isinstance(data, COCO | VideoClips)
        index = off if off else len(data)
        with pytest.raises(IndexError, match=f"^index {index} of {len(data)} {what}$"):
            data[index]
