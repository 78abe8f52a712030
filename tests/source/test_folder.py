"""`ImageFolder`: which files count, and which are refused; errors name the file, in workers and in this process."""

import os
import socket

import numpy as np
import pytest
from damaged_files import GOOD
from front_sources import Mapped

from jaxdali import ConfigError, DecodeError, Loader, SourceError
from jaxdali.image import decode
from jaxdali.source import ImageFolder


@pytest.fixture
def root(tmp_path):
    names = [
        "b/1.jpg",
        "b/0.JPG",
        "b/x.txt",
        "b/s/3.png",
        "a/z.webp",
        ".git/k.jpg",
        "a/.hidden.jpg",
        "a/.cache/q.jpg",
        "top.jpg",
    ]
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(GOOD)
    return tmp_path


def test_what_is_hidden_is_no_class_and_no_image(root):
    (root / "c").symlink_to(root / "b")
    data = ImageFolder(root)
    assert data.classes == ["a", "b", "c"]
    found = ["a/z.webp", "b/0.JPG", "b/1.jpg", "b/s/3.png", "c/0.JPG", "c/1.jpg", "c/s/3.png"]
    assert data.paths == [str(root / name) for name in found]
    assert data.labels.tolist() == [0, 1, 1, 1, 2, 2, 2] and data.labels.dtype == np.int32
    assert data[1] == {"image": GOOD, "label": 1} and len(data) == 7 and data.source_info(1) == data.paths[1]


def test_a_class_without_an_image_is_refused_by_name(root):
    (root / "empty" / "deep").mkdir(parents=True)
    (root / "empty" / "notes.txt").write_text("")
    with pytest.raises(ConfigError, match=r"no file below .*/empty ends in one of \.jpg.*remove the folder, rename it"):
        ImageFolder(root)
    assert ImageFolder(root, (".txt", ".webp")).classes == ["a", "b", "empty"]


def put(kind, path):
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "socket":
        os.chdir(path.parent)  # paths of sockets must be short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    else:
        path.symlink_to({"device": "/dev/zero", "loop": path, "nothing": "nowhere"}[kind])


WORDS = {
    "FIFO": "is a FIFO; expected a regular file",
    "socket": "is a socket; expected a regular file",
    "device": "is a device; expected a regular file",
    "loop": "is a link that leads nowhere (Too many levels of symbolic links)",
    "nothing": "is a link that leads nowhere (No such file or directory)",
}


@pytest.mark.parametrize("kind", WORDS)
def test_what_is_no_file_is_refused_by_name(root, kind, monkeypatch):
    monkeypatch.chdir(root)
    path = root / "b" / "s" / "odd.jpg"
    put(kind, path)
    with pytest.raises(ConfigError) as caught:
        ImageFolder(root)
    assert f"{path} {WORDS[kind]}" in str(caught.value)


@pytest.mark.parametrize("kind", ["loop", "nothing"])
def test_a_class_that_leads_nowhere_is_refused_by_name(root, kind):
    put(kind, root / "z")
    with pytest.raises(ConfigError, match="/z is a link that leads nowhere"):
        ImageFolder(root)


def test_what_is_no_image_by_its_name_may_be_anything(root):
    for kind in ("FIFO", "loop", "nothing"):
        put(kind, root / "b" / kind)
    assert len(ImageFolder(root)) == 4


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("kind", ["FIFO", "device", "nothing"])
def test_what_takes_a_files_place_is_an_error_at_once(root, kind, workers):
    data = ImageFolder(root)
    with Loader(data, batch_size=2, workers=workers) as loader:
        path = root / "b" / "1.jpg"
        path.unlink()
        put(kind, path)
        error = FileNotFoundError if kind == "nothing" else OSError
        with pytest.raises(error) as caught:
            list(zip(range(3), loader, strict=False))
        words = "No such file" if kind == "nothing" else f"expected a regular file, got a {kind}"
        assert words in str(caught.value) and str(path) in str(caught.value)
        assert not workers or (isinstance(caught.value, SourceError) and caught.value.source_info == str(path))


def broken_folder(root):
    (root / "b" / "1.jpg").write_bytes(GOOD[:99])
    (root / "b" / "0.JPG").write_bytes(b"8BPS" + bytes(50))
    return ImageFolder(root)


def images(batch, keys):
    return decode(batch["image"], (60, 60))


@pytest.mark.parametrize("workers", [0, 1])
def test_a_bad_image_has_its_path_in_the_error(root, workers):
    data = broken_folder(root)
    with Loader(data, images, batch_size=2, workers=workers, epochs=1, shuffle=True, seed=3) as loader:
        steps, said = loader.enumerate(), {}
        for _ in range(2):
            try:
                next(steps)
            except DecodeError as error:
                said[error.source_info] = str(error)
                assert error.__notes__ == [
                    f"step {loader.step - 1}; the sample is data[{data.paths.index(str(error.source_info))}]"
                ]
    psd, cut = data.paths[1], data.paths[2]
    assert set(said) <= {psd, cut} and said
    for path, text in said.items():
        words = "UNSUPPORTED: PSD is not supported; convert it" if path == psd else "TRUNCATED: the image is truncated"
        assert text.startswith(words) and f"[{path}, " in text


def test_images_that_become_zeros_are_named_in_a_log(root, caplog):
    data = broken_folder(root)
    with Loader(data, images, batch_size=2, workers=0, epochs=4, on_error="zeros") as loader:
        for _ in loader:
            pass
        assert loader.stats().images_failed == {"UNSUPPORTED": 4, "TRUNCATED": 4}
    said = [record.getMessage() for record in caplog.records if record.name == "jaxdali"]
    assert (
        len(said) == 8 and "PSD is not supported" in said[0] and data.paths[1] in said[0] and data.paths[2] in said[1]
    )

    with Loader(data, images, batch_size=2, workers=0, epochs=9, on_error="zeros") as loader:
        for _ in loader:
            pass
    said = [record.getMessage() for record in caplog.records if record.name == "jaxdali"][8:]
    assert len(said) == 10 and said[-1].endswith("further ones are only counted, see stats()")


class Named(Mapped):
    def source_info(self, index):
        if index == 1:
            raise KeyError(index)
        return f"record {index}"


def test_any_data_can_name_their_samples():
    data = Named(lambda index: {"image": b"\0none" if index < 2 else GOOD}, 4)
    for size, words in ((1, "record 0"), (2, "record 0")):
        with Loader(data, images, batch_size=size, workers=0) as loader, pytest.raises(DecodeError) as caught:
            next(iter(loader))
        assert caught.value.source_info == words
    with Loader(data, images, batch_size=1, workers=0) as loader:
        loader.seek(1)
        with pytest.raises(DecodeError) as caught:
            next(iter(loader))
        assert caught.value.source_info == "source_info(1) raised KeyError"
