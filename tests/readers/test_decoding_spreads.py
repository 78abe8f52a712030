"""Files that workers decode are decoded by as many processes or threads as CPUs, with the same bits, from any source."""

from __future__ import annotations

import dataclasses
import io
import os
import re
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from PIL import Image
from processes import until
from sound_files import sound_bytes, tones
from video_files import write_video

import jaxdali as dali
from jaxdali import cpus, fn, pipeline_def
from jaxdali.executor import statistics
from jaxdali.formats import decode_pixels
from jaxdali.loader import default_workers
from jaxdali.ring import fill
from jaxdali.source import VideoClips

BATCH, COUNT = 8, 24
FORMATS = ("PNG", "WEBP", "TIFF", "BMP", "JPEG")
LOSSLESS = {"WEBP": {"lossless": True}, "TIFF": {"compression": "tiff_lzw"}}


@pytest.fixture(autouse=True)
def four_cpus(monkeypatch):
    for module in (cpus, statistics, default_workers):
        monkeypatch.setattr(module, "usable_cpus", lambda: 4)


def image(index: int, kind: str) -> bytes:
    pixels = np.random.default_rng(index).integers(0, 255, (16 + index, 24, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **LOSSLESS.get(kind, {}))
    return file.getvalue()


def folder_of(root: Any, kinds: tuple[str, ...]) -> list[str]:
    """Writes `COUNT` files, of all kinds in turn; every seventh is cut off. Returns their paths."""
    (root / "class").mkdir(parents=True)
    for index in range(COUNT):
        kind = kinds[index % len(kinds)]
        content = image(index, kind)
        (root / "class" / f"{index:02d}.{kind.lower()}").write_bytes(content[:-40] if index % 7 == 5 else content)
    return sorted(str(path) for path in (root / "class").iterdir())


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("mixed") / "all", FORMATS)


class Files:
    """A source of files by index, for every way of asking."""

    def __init__(self, paths: list[str]):
        self.files = [np.fromfile(path, np.uint8) for path in paths]

    def __len__(self) -> int:
        return COUNT

    def __getitem__(self, index: int) -> dict[str, bytes]:
        return {"image": self.files[index].tobytes()}

    def sample(self, info: Any) -> np.ndarray:
        return self.files[info.idx_in_epoch % COUNT]

    def batch(self, iteration: int) -> list[np.ndarray]:
        return [self.files[(iteration * BATCH + row) % COUNT] for row in range(BATCH)]

    def batches(self) -> Any:
        while True:
            yield from (self.batch(iteration) for iteration in range(COUNT // BATCH))


class Stream:
    """The same files, as data without random access."""

    def __init__(self, paths: list[str]):
        self.files = Files(paths)

    def __iter__(self) -> Any:
        return (self.files[index] for index in range(COUNT))


def read(paths: list[str], how: str) -> Any:
    """Returns a node of files."""
    mine = Files(paths)
    sources = {
        "samples": lambda: fn.external_source(mine.sample, batch=False),
        "parallel samples": lambda: fn.external_source(mine.sample, batch=False, parallel=True),
        "batches": lambda: fn.external_source(mine.batch),
        "parallel batches": lambda: fn.external_source(mine.batch, batch=True, parallel=True),
        "generator": lambda: fn.external_source(mine.batches()),
        "after a function": lambda: fn.io.file.read(np.frombuffer(paths[0].encode(), np.uint8)),
    }
    return fn.readers.file(files=paths)[0] if how == "reader" else sources[how]()


def pixels_of(paths: list[str], how: str, threads: int, batches: int = 3) -> tuple[list[bytes], Any]:
    @pipeline_def(batch_size=BATCH, num_threads=threads, on_error="zeros")
    def program() -> Any:
        return fn.decoders.image(read(paths, how))

    found = []
    with program() as pipe:
        for _ in range(batches):
            (images,) = pipe.run()
            found += [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
        return found, pipe.stats()


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
    assert stats.processes.decodes == tuple(f"{name} files (Pillow)" for name in ("BMP", "PNG", "TIFF", "WebP"))
    assert (stats.processes.count, stats.processes.decoders) == (processes, at_once)
    assert single.processes.decoders == 1


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
        assert pipe.stats().processes.decodes == ("PNG files (Pillow)",)


def test_a_loader_has_more_workers_for_decoding_unless_their_number_was_given(mixed, monkeypatch):
    monkeypatch.setattr(cpus, "usable_cpus", lambda: 10)
    monkeypatch.setattr(default_workers, "usable_cpus", lambda: 2)

    def pixels(batch: Any, keys: Any) -> Any:
        return dali.image.decode(batch["image"], (64, 32), on_error="zeros")[0]

    for data, counts, at_once in ((Files(mixed), [10, 1, 0], [10, 1, 1]), (Stream(mixed), [1, 1, 0], [8, 8, 8])):
        found = []
        for workers in (None, 1, 0):
            with dali.Loader(data, pixels, batch_size=BATCH, epochs=2, workers=workers) as loader:
                found.append([np.asarray(batch) for batch in loader])
                processes = loader.stats().processes
                assert (processes.count, processes.decoders) == (counts.pop(0), at_once.pop(0))
        assert len(found[0]) == 2 * COUNT // BATCH
        np.testing.assert_array_equal(found[0], found[1])
        np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("how", ["reader", "samples", "parallel samples", "batches"])
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
    assert processes.count == {"reader": 3, "parallel samples": 1}.get(how, 0)
    assert processes.decoders == (3 if "reader" in how or "parallel" in how else 6)  # two sources in this process


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
            return np.fromfile(paths[info.idx_in_epoch % COUNT], np.uint8), np.int64(os.getpid())

        files, pid = fn.external_source(numbered, num_outputs=2, batch=False, parallel=True)
        more = [fn.decoders.image(fn.readers.file(files=paths)[0], device="cpu")] if sources == 2 else []
        return fn.decoders.image(files), pid, *more

    pids: set[int] = set()
    with program() as pipe:
        for _ in range(6):
            pids |= {int(value) for value in np.asarray(pipe.run()[1].as_array()).ravel()}
        assert len(pids) == 2 and len(pipe.worker_pids()) == (4 if sources == 2 else 2)


def test_processes_that_only_decode_do_not_stand_for_a_users_source(tmp_path):
    """Idle ones are not ended because a user's source is slow, and the death of one loses no place in it."""
    paths = folder_of(tmp_path / "png", ("PNG",))

    def slow(info: Any) -> np.ndarray:
        time.sleep(0.05)
        return np.int64(info.idx_in_epoch)

    @pipeline_def(batch_size=BATCH, worker_timeout_s=0.2, on_error="zeros")
    def program() -> Any:
        part = fn.external_source(parts, batch=True, parallel=True)
        numbers = fn.external_source(slow, batch=False, parallel=True, prefetch_queue_depth=2)
        return fn.decoders.image(fn.readers.file(files=paths)[0], device="cpu"), numbers, part

    with program() as pipe:
        found = []
        for batch in range(6):
            _, numbers, part = pipe.run()
            found.append((np.asarray(numbers.as_array()).tolist(), int(np.asarray(part.as_array())[0])))
            if batch == 2:
                pids = pipe.worker_pids()
                assert len(pids) == 4
                for pid in pids[1:]:
                    os.kill(pid, signal.SIGKILL)
        assert pipe.stats().worker_deaths == 3
    assert found == [([*range(batch * BATCH, (batch + 1) * BATCH)], batch) for batch in range(6)]


def parts(worker_id: int, num_workers: int) -> Any:
    assert num_workers == 1
    return (np.full((BATCH,), batch, np.int64) for batch in range(100))


def test_an_interrupt_while_threads_decode_loses_no_sample_and_asks_for_none_twice(mixed):
    mine, asked = Files(mixed), []

    def interrupted(info: Any) -> np.ndarray:
        asked.append(info.idx_in_epoch)
        if asked.count(info.idx_in_epoch) == 1 and info.idx_in_epoch in (3, 7, 12):
            raise KeyboardInterrupt
        return mine.sample(info)

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros", prefetch_queue_depth=1)
    def program() -> Any:
        return fn.decoders.image(fn.external_source(interrupted, batch=False))

    found, interrupts = [], 0
    with program() as pipe:
        while len(found) < COUNT:
            try:
                (images,) = pipe.run()
            except KeyboardInterrupt:
                interrupts += 1
                continue
            found += [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
    assert interrupts == 3 and found == pixels_of(mixed, "samples", 1)[0]
    assert all(asked.count(index) == 1 + (index in (3, 7, 12)) for index in range(COUNT))


class Enough(Exception):
    """Raised by the handler of a signal."""


def _enough(*_: object) -> None:
    raise Enough


@pytest.mark.parametrize("how", ["samples", "batches"])
def test_a_signal_while_files_are_awaited_loses_nothing(mixed, how, monkeypatch):
    mine, timers = Files(mixed), {}

    def slowly(*arguments: Any) -> Any:
        time.sleep(0.05)
        return decode_pixels(*arguments)

    def alarm(batch: int) -> None:
        if batch not in timers:
            timers[batch] = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGUSR1))
            timers[batch].start()

    def sample(info: Any) -> np.ndarray:
        if info.idx_in_batch == BATCH - 1:
            alarm(info.iteration)
        return mine.sample(info)

    def batch(iteration: int) -> list[np.ndarray]:
        alarm(iteration)
        return mine.batch(iteration)

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros", prefetch_queue_depth=1)
    def program() -> Any:
        return fn.decoders.image(fn.external_source(sample if how == "samples" else batch, batch=how == "batches"))

    expected = pixels_of(mixed, how, 1)[0]
    monkeypatch.setattr(fill, "decode_pixels", slowly)
    before = signal.signal(signal.SIGUSR1, _enough)
    found, interrupts = [], 0
    try:
        with program() as pipe:
            while len(found) < COUNT:
                try:
                    (images,) = pipe.run()
                except Enough:
                    interrupts += 1
                    continue
                found += [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
                timers[max(timers)].join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert found == expected and len(timers) == COUNT // BATCH and interrupts >= 2


@pytest.mark.parametrize("how", ["samples", "batches", "parallel samples"])
def test_errors_behind_files_that_are_being_decoded_name_their_sample(mixed, how):
    mine = Files(mixed)

    def broken(info: Any) -> Any:
        if how == "batches":
            return [*mine.batch(0)[:5], np.zeros((2, 2), np.float32), *mine.batch(0)[6:]]
        if info.idx_in_epoch == 5:
            raise ValueError("no such file")
        return mine.sample(info)

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros")
    def program() -> Any:
        return fn.decoders.image(fn.external_source(broken, batch=how == "batches", parallel="parallel" in how))

    with program() as pipe:
        with pytest.raises((ValueError, dali.errors.SourceError)) as raised:
            pipe.run()
        words = "\n".join([str(raised.value), *getattr(raised.value, "__notes__", [])])
        assert re.search("no such file|encoded image is bytes", words) and "sample 5" in words


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
        (1, r"PNG files \(Pillow\) are decoded by 1 process, 1 at a time; set num_threads=4"),
        (4, r"PNG files \(Pillow\) are decoded by 4 processes, 4 at a time, on 4 CPUs"),
    ):
        _, stats = pixels_of(paths, "reader", threads, batches=3)
        waits = statistics.Waits(seconds=1.0, source_s=0.8)
        assert re.search(words, dataclasses.replace(stats, batches=20, waits=waits).advice)
