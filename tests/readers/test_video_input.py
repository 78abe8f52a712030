"""Videos that are fed: what is refused and when, the state of the pipeline afterwards, waiting, and iterators."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from video_files import decoded, write_video

from jaxdali import ConfigError, SourceDataError, SourceError, StateError, fn, ops, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    root = tmp_path_factory.mktemp("fed")
    return [write_video(root / "a.mp4", 11), write_video(root / "b.avi", 4)]


def pipe_of(batch_size=2, **given):
    @pipeline_def(batch_size=batch_size, device_id=None, num_threads=1)
    def sequences():
        return fn.experimental.inputs.video(name="video", sequence_length=3, **given)

    return sequences()


def frames_of(batch):
    return [np.array(batch.at(k)) for k in range(len(batch))]


def test_h264_is_decoded_and_a_run_without_data_leaves_the_pipeline_as_it_was(paths):
    first, second = ([*decoded(path)] for path in paths)
    with pipe_of() as pipe:
        with pytest.raises(StateError, match=r"call feed_input\('video', data\) before each run"):
            pipe.run()
        pipe.feed_input("video", [np.fromfile(paths[0], np.uint8)])
        found = [frames_of(pipe.run()[0]) for _ in range(2)]
        assert [[len(one) for one in batch] for batch in found] == [[3, 3], [3, 2]]
        np.testing.assert_array_equal(np.concatenate([one for batch in found for one in batch]), first)
        with pytest.raises(StateError):
            pipe.run()
        with open(paths[1], "rb") as file:
            pipe.feed_input("video", [file.read()])
        np.testing.assert_array_equal(np.concatenate(frames_of(pipe.run()[0])), second)


def test_what_is_fed_may_change_afterwards(paths):
    file = np.fromfile(paths[1], np.uint8)
    with pipe_of(no_copy=True) as pipe:
        pipe.feed_input("video", file[None])
        file[:] = 0
        np.testing.assert_array_equal(np.concatenate(frames_of(pipe.run()[0])), decoded(paths[1]))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([np.arange(100, dtype=np.uint8)], "a file of 100 bytes is not a video that can be read"),
        ([np.zeros(8, np.int32)], r"a video is fed as its file, uint8\[n\]; got int32\[8\]"),
        ([b"1", b"2"], "expected one video.*got 2. Feed several one after the other"),
        ([], "expected one video.*got 0"),
    ],
    ids=["no video", "integers", "two", "none"],
)
def test_what_is_no_video_is_refused_when_it_is_fed(paths, data, words):
    with pipe_of() as pipe:
        with pytest.raises(SourceDataError, match=rf"feed_input\('video', data\): {words}"):
            pipe.feed_input("video", data)
        pipe.feed_input("video", [np.fromfile(paths[1], np.uint8)])
        assert len(pipe.run()[0]) == 2


def test_a_video_whose_frames_are_damaged_is_an_error_of_its_batch(paths):
    whole = np.fromfile(paths[1], np.uint8)
    content = bytearray(whole.tobytes())
    place = content.find(b"movi")
    while (place := content.find(b"00dc", place)) >= 0:  # the chunks with frames, and their sizes
        size = int.from_bytes(content[place + 4 : place + 8], "little")
        content[place + 8 : place + 8 + size] = bytes(size)
        place += 8 + size
    damaged = np.frombuffer(content, np.uint8)
    with pipe_of() as pipe:
        pipe.feed_input("video", [damaged])
        pipe.feed_input("video", [whole])
        with pytest.raises(SourceError, match="cannot be decoded"):
            pipe.run()
        pipe.reset()
        np.testing.assert_array_equal(np.concatenate(frames_of(pipe.run()[0])), decoded(paths[1]))


def test_a_run_waits_for_what_another_thread_feeds(paths):
    with pipe_of(blocking=True) as pipe:
        feeder = threading.Timer(0.2, lambda: pipe.feed_input("video", [np.fromfile(paths[1], np.uint8)]))
        feeder.start()
        assert [len(one) for one in frames_of(pipe.run()[0])] == [3, 1]
        feeder.join()


def test_an_iterator_takes_what_was_fed(paths):
    with pipe_of(last_sequence_policy="pad") as pipe:
        for _ in range(2):
            pipe.feed_input("video", [np.fromfile(paths[1], np.uint8)])
        iterator = DALIGenericIterator(pipe, ["clips"], size=4)
        found = [np.asarray(batch["clips"]) for batch in iterator]
    padded = np.concatenate([decoded(paths[1]), np.zeros((2, 32, 48, 3), np.uint8)]).reshape(2, 3, 32, 48, 3)
    assert len(found) == 2
    for one in found:
        np.testing.assert_array_equal(one, padded)


def test_the_class_is_the_function_and_there_are_no_checkpoints(paths):
    @pipeline_def(batch_size=2, device_id=None, enable_checkpointing=True)
    def sequences():
        return ops.experimental.inputs.Video(name="video", sequence_length=3)()

    with pytest.raises(
        ConfigError, match=r"checkpointing is not implemented for fn\.experimental\.inputs\.video, as in DALI"
    ):
        sequences().build()
