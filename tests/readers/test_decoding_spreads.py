"""Files other than JPEG are decoded by as many processes as CPUs, with the same bits, from any source."""

from __future__ import annotations

import dataclasses
import os
import re
import time
import types
from typing import Any

import numpy as np
import pytest
from decoding_sources import BATCH, COUNT, FORMATS, Files, Stream, folder_of, image, pixels_of, read
from pretended_cpus import pretend_four_cpus
from processes import until
from sound_files import sound_bytes, tones
from tiers import gate
from video_files import write_video

import jaxdali as dali
from jaxdali import fn, pipeline_def
from jaxdali._base import cpus
from jaxdali._feed.ring import chunk_filling
from jaxdali._loader import default_workers
from jaxdali._run.executor import statistics
from jaxdali.source import VideoClips


@pytest.fixture(autouse=True)
def four_cpus(monkeypatch):
    pretend_four_cpus(monkeypatch)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("mixed") / "all", FORMATS)


@pytest.mark.parametrize(
    ("how", "processes", "at_once"),
    [
        ("reader", 4, 4),
        ("samples", 0, 4),
        ("batches", 0, 4),
        ("generator", 0, 4),
        ("parallel samples", 1, 4),
        ("parallel batches", 1, 4),
        ("after a function", None, None),
    ],
)
@pytest.mark.filterwarnings("ignore:.*cannot be decoded|.*could not be decoded")
def test_files_of_all_formats_keep_their_bits_order_and_statuses(mixed, how, processes, at_once):
    paths = mixed if how != "after a function" else mixed[:1]
    several, stats = pixels_of(paths, how, 4)
    alone, single = pixels_of(paths, how, 1)
    assert several == alone and stats.images_failed == single.images_failed
    if processes is None:
        return
    assert sum(stats.images_failed.values()) == sum(index % 7 == 5 for index in range(COUNT))
    assert stats.processes.decodes == (
        "BMP files (Pillow)",
        "PNG files (native code)",
        "TIFF files (Pillow)",
        "WebP files (native code)",
    )
    assert (stats.processes.count, stats.processes.decoders) == (processes, at_once)
    assert single.processes.decoders == 1


@pytest.mark.parametrize("how", ["reader", "batches"])
@pytest.mark.filterwarnings("ignore:.*cannot be decoded|.*could not be decoded")
def test_without_workers_threads_decode_what_native_code_decodes(mixed, how):
    alone, single = pixels_of(mixed, how, 1, workers=0)
    several, stats = pixels_of(mixed, how, 3, workers=0)
    workers, _ = pixels_of(mixed, how, 4)
    assert alone == several == workers and single.images_failed == stats.images_failed
    for found, threads in ((stats.processes, 3), (single.processes, 1)):
        assert (found.count, found.decoders, found.in_threads) == (0, threads, threads > 1)
    waits = statistics.Waits(seconds=1.0, source_s=0.8)
    advice = dataclasses.replace(stats, batches=20, waits=waits).advice
    assert "are decoded by 3 threads of this process; set num_threads=4" in advice


def test_what_an_interrupt_left_undecoded_is_decoded_by_the_next_call(mixed, monkeypatch):
    paths = [path for path in mixed if path.endswith(("png", "webp"))][:BATCH]
    interrupts = [KeyboardInterrupt(), KeyboardInterrupt()]

    def interrupted(*arguments: Any) -> Any:
        if interrupts:
            raise interrupts.pop()
        return decode_stored(*arguments)

    decode_stored = chunk_filling.decode_stored
    expected, _ = pixels_of(paths, "samples", 1, batches=1, workers=0)
    monkeypatch.setattr(chunk_filling, "decode_stored", interrupted)

    @pipeline_def(batch_size=BATCH, num_threads=3, py_num_workers=0, on_error="zeros")
    def program() -> Any:
        return fn.decoders.image(fn.external_source(Files(paths).sample, batch=False))

    with program() as pipe:
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                pipe.run()
        (images,) = pipe.run()
        assert [np.asarray(images.at(row)).tobytes() for row in range(BATCH)] == expected


def test_jpeg_files_start_no_further_process_and_the_first_png_does(tmp_path):
    paths = folder_of(tmp_path / "jpeg", ("JPEG",))

    @pipeline_def(batch_size=BATCH, on_error="zeros", prefetch_queue_depth=1)
    def program() -> Any:
        return fn.decoders.image(fn.readers.file(files=paths)[0])

    with program() as pipe:
        for _ in range(6):
            pipe.run()
        time.sleep(0.3)  # messages are read a few times a second
        pipe.run()
        assert (pipe.stats().processes.count, pipe.stats().processes.decodes) == (1, ())
        (tmp_path / "png").write_bytes(image(9, "PNG"))
        os.replace(tmp_path / "png", paths[9])
        until(lambda: pipe.run() and pipe.stats().processes.count == 4)
        assert pipe.stats().processes.decodes == ("PNG files (native code)",)


def test_a_loader_has_more_workers_for_decoding_unless_their_number_was_given(mixed, monkeypatch):
    monkeypatch.setattr(cpus, "usable_cpus", lambda: 10)
    monkeypatch.setattr(default_workers, "usable_cpus", lambda: 2)

    def pixels(batch: Any, keys: Any) -> Any:
        return dali.image.decode(batch["image"], (64, 32), on_error="zeros")[0]

    for data, counts, at_once in ((Files(mixed), [10, 1, 0], [10, 1, 10]), (Stream(mixed), [1, 1, 0], [10, 10, 10])):
        found = []
        for workers in (None, 1, 0):
            with dali.Loader(data, pixels, batch_size=BATCH, epochs=2, workers=workers) as loader:
                found.append([np.asarray(batch) for batch in loader])
                processes = loader.stats().processes
                assert (processes.count, processes.decoders) == (counts.pop(0), at_once.pop(0))
        assert len(found[0]) == 2 * COUNT // BATCH
        np.testing.assert_array_equal(found[0], found[1])
        np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize(
    ("cpus_there", "platforms", "workers"),
    [(64, ["cpu"] * 4, 8), (64, ["gpu"], 8), (64, ["gpu"] * 2, 16), (12, ["gpu"] * 2, 12), (2, ["gpu"] * 8, 2)],
)
def test_a_loader_has_workers_for_each_gpu(monkeypatch, cpus_there, platforms, workers):
    monkeypatch.setattr(default_workers, "usable_cpus", lambda: cpus_there)
    devices = [types.SimpleNamespace(platform=platform) for platform in platforms]
    builder: Any = types.SimpleNamespace(source=None, output_sharding=types.SimpleNamespace(devices=devices))
    assert default_workers.use_default_workers(builder) == workers


@pytest.mark.parametrize(
    "how", gate(["reader", "samples", "parallel samples", "batches"], ["reader", "parallel samples"])
)
def test_sounds_and_clips_are_decoded_side_by_side(tmp_path, how):
    sounds = []
    for index in range(COUNT):
        sounds.append(str(tmp_path / f"{index:02d}.flac"))
        (tmp_path / f"{index:02d}.flac").write_bytes(sound_bytes(tones(200 + index), form="FLAC").tobytes())
    video = write_video(tmp_path / "video.mp4", 9)
    found = {}
    for threads in (1, 3):

        @pipeline_def(batch_size=BATCH, num_threads=threads)
        def program() -> Any:
            clips = fn.decoders.video(read([video] * COUNT, how), sequence_length=3)
            return *fn.decoders.audio(read(sounds, how)), clips

        with program() as pipe:
            outputs = [[np.asarray(out.at(row)).tobytes() for out in pipe.run() for row in range(BATCH)] for _ in "12"]
            found[threads] = outputs, pipe.stats().processes
    assert found[1][0] == found[3][0]
    processes = found[3][1]
    assert processes.decodes == ("sounds (libsndfile)", "videos (FFmpeg)")
    assert (processes.count, processes.decoders) == ({"reader": 3, "parallel samples": 1}.get(how, 0), 3)


def test_clips_of_a_reader_and_of_a_loader_are_decoded_by_all_processes_from_the_start(tmp_path):
    video = write_video(tmp_path / "video.mp4", 12)

    @pipeline_def(batch_size=2)
    def program() -> Any:
        return fn.readers.video(filenames=[video], sequence_length=2)

    with program() as pipe:
        pipe.run()
        assert (pipe.stats().processes.count, pipe.stats().processes.decodes) == (4, ("videos (FFmpeg)",))
    with dali.Loader(VideoClips([video], 2), batch_size=2, epochs=1) as loader:
        assert len(list(loader)) == 3
        assert (loader.stats().processes.count, loader.stats().processes.decodes) == (4, ("videos (FFmpeg)",))


@pytest.mark.parametrize("sources", [1, 2])
def test_a_users_own_source_stays_in_as_many_processes_as_were_asked_for(mixed, sources):
    paths = mixed

    @pipeline_def(batch_size=BATCH, py_num_workers=2, on_error="zeros")
    def program() -> Any:
        def numbered(info: Any) -> Any:
            time.sleep(0.002)  # so that both take part
            return np.fromfile(paths[info.idx_in_epoch % COUNT], np.uint8), np.int64(os.getpid())

        files, pid = fn.external_source(numbered, num_outputs=2, batch=False, parallel=True)
        more = [fn.decoders.image(fn.readers.file(files=paths)[0], device="cpu")] if sources == 2 else []
        return fn.decoders.image(files), pid, *more

    pids: set[int] = set()
    with program() as pipe:
        for _ in range(6):
            pids |= {int(value) for value in np.asarray(pipe.run()[1].as_array()).ravel()}
        # Four more decode what it stored, and the reader's files are decoded by those that run both, and two more.
        assert len(pids) == 2 and len(pipe.worker_pids()) == (8 if sources == 2 else 6)


@pytest.mark.parametrize(
    ("available", "wanted", "expected"),
    [(2, None, 2), (2, 8, 2), (16, None, 16), (16, 2, 2), (16, 8, 8), (128, None, 16), (128, 100, 100), (1, None, 1)],
)
def test_the_number_of_processes_is_bounded_by_cpus_threads_and_memory(monkeypatch, available, wanted, expected):
    monkeypatch.setattr(cpus, "usable_cpus", lambda: available)
    assert cpus.decode_processes(wanted) == expected


def test_the_advice_names_what_is_decoded_and_what_to_set(tmp_path):
    paths = folder_of(tmp_path / "png", ("PNG",))
    for threads, words in (
        (1, r"PNG files \(native code\) are decoded by 1 process; set num_threads=4"),
        (4, r"PNG files \(native code\) are decoded by 4 processes, on 4 CPUs"),
    ):
        _, stats = pixels_of(paths, "reader", threads, batches=3)
        waits = statistics.Waits(seconds=1.0, source_s=0.8)
        assert re.search(words, dataclasses.replace(stats, batches=20, waits=waits).advice)
