"""Images that samples do not have: a status of their own, zeros, and no failure."""

from __future__ import annotations

import io
import logging

import jax
import numpy as np
import pytest
from front_sources import FILES, Mapped, SomeMissing
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from webdataset_files import write_tar

import jaxdali
from jaxdali import ConfigError, DecodeError, Loader, SourceDataError, source
from jaxdali.image import EncodedBatch, Status, decode, decode_resample

BATCH = 4
HAVE = list(SomeMissing.present)


def views(batch, keys):
    """Decodes in each of the three ways, with windows that no missing image has."""
    files = batch["image"]
    windows = jaxdali.random.resized_crop_window(keys, files.sizes)
    opened = jaxdali.image.open(files)
    return {
        "whole": decode(files, (80, 80)),
        "window": decode_resample(files, windows, (8, 8), mean=127.5, std=64.0),
        "opened": opened.resize(resize_shorter=24).crop(16, 16).array(),
        "status": opened.array((80, 80), on_error="zeros")[1],
        "present": files.present,
        "y": batch["y"],
    }


def found_with(**options):
    with Loader(SomeMissing(), views, batch_size=BATCH, epochs=1, **options) as loader:
        batches = [jax.tree.map(np.asarray, batch) for batch in loader]
    assert loader.stats().images_failed == {}
    found = jax.tree.map(lambda *parts: np.concatenate(parts), *batches)
    assert found["present"].tolist() == HAVE
    assert found["status"].tolist() == [0 if one else Status.MISSING for one in HAVE]
    for name in ("whole", "window", "opened"):
        assert [bool(image.any()) for image in found[name]] == HAVE, name
    return found


@pytest.mark.parametrize("on_error", ["raise", "zeros"])
def test_they_are_zeros_and_no_failure(on_error, caplog):
    caplog.set_level(logging.WARNING, "jaxdali")
    expected = found_with(workers=0, on_error=on_error)
    found = found_with(workers=2, on_error=on_error)
    jax.tree.map(np.testing.assert_array_equal, found, expected)
    assert not caplog.records


def test_on_several_devices():
    sharding = NamedSharding(Mesh(np.array(jax.devices("cpu")[:4]), "x"), PartitionSpec("x"))
    jax.tree.map(np.testing.assert_array_equal, found_with(workers=0, sharding=sharding), found_with(workers=0))


@pytest.mark.parametrize("on_error", ["raise", "zeros"])
def test_a_file_that_is_damaged_is_another_matter(on_error):
    data = Mapped(lambda index: {"image": (None, b"no\0image", b"", FILES[0])[index]}, 4)

    def augment(batch, keys):
        return decode(batch["image"], (80, 80)), batch["image"].present

    with Loader(data, augment, batch_size=4, epochs=1, workers=0, on_error=on_error) as loader:
        if on_error == "raise":
            with pytest.raises(DecodeError, match=r"^CORRUPT") as caught:
                next(iter(loader))
            assert caught.value.sample_index == 1
            return
        pixels, present = next(iter(loader))
    assert present.tolist() == [False, True, True, True] and [bool(one.any()) for one in pixels] == [False] * 3 + [True]
    assert loader.stats().images_failed == {"CORRUPT": 2}


def test_batches_that_are_handed_out_say_so():
    batch = next(iter(Loader(SomeMissing(), batch_size=BATCH, workers=0)))
    assert batch["image"].present.tolist() == HAVE[:BATCH] and not batch["image"].sizes[1].any()
    pixels, status = decode(batch["image"], on_error="zeros")
    assert status.tolist() == [0, Status.MISSING, 0, 0] and not pixels[1].any()
    np.testing.assert_array_equal(pixels, jax.jit(lambda files: decode(files, pixels.shape[1:3]))(batch["image"]))
    chosen = batch["image"].take(np.array([1, 0, 1]))
    assert chosen.present.tolist() == [False, True, False]


def test_a_batch_of_ones_own_may_lack_images():
    files = EncodedBatch.from_encoded([FILES[0], None, b"no image"])
    pixels, status = decode(files, on_error="zeros")
    assert status.tolist() == [0, Status.MISSING, Status.CORRUPT] and files.present.tolist() == [True, False, True]
    assert not pixels[1:].any()
    with pytest.raises(jax.errors.JaxRuntimeError, match="row 2: CORRUPT"):
        jax.block_until_ready(decode(files))
    assert not decode(files[:2])[1].any()


def test_a_function_that_does_not_ask_is_warned_of_once():
    def unaware(batch, keys):
        return decode(batch["image"], (80, 80))

    with Loader(SomeMissing(), unaware, batch_size=BATCH, epochs=1, workers=0) as loader:
        steps = iter(loader)
        with pytest.warns(UserWarning, match=r"'image' is None, .*files.present.*Loader\(..., optional=\).*sample 1, "):
            next(steps)
        assert len(list(steps)) == 2
    for options in ({"optional": ("image",)}, {"augment": None}):
        assert (
            len(list(Loader(SomeMissing(), **{"augment": unaware, **options}, batch_size=BATCH, epochs=1, workers=0)))
            == 3
        )


# WHAT THE FIRST SAMPLE LACKS


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("options", "threads"), [({"workers": 0}, 0), ({"workers": 1, "worker_timeout_s": 60}, 1)])
def test_later_samples_say_what_the_first_one_lacks(stream, options, threads):
    samples = [
        {"a": None, "b": (None, 7)},
        {"a": None, "b": (FILES[1], 7)},
        {"a": FILES[2], "b": (None, 7)},
        {"a": None, "b": (None, 7)},
    ]
    with Loader(source.Iterable(samples) if stream else samples, batch_size=4, epochs=1, **options) as loader:
        batch = next(iter(loader))
    assert batch["a"].present.tolist() == [False, False, True, False]
    assert batch["b"][0].present.tolist() == [False, True, False, False] and batch["b"][1].tolist() == [7] * 4


def test_only_what_is_needed_is_read():
    read = []

    def recorded(index):
        read.append(index)
        return {"image": FILES[0] if index == 3 else None}

    Loader(Mapped(recorded, 100), batch_size=4, workers=0)
    assert read == [0, 1, 2, 3]
    read.clear()
    Loader(Mapped(recorded, 100), batch_size=4, workers=0, optional=("image",))
    assert read == [0]


def test_what_nobody_knows_is_declared():
    data = Mapped(lambda index: {"image": None, "frames": [None, None], "y": index}, 100)
    with pytest.raises(
        SourceDataError, match=r"'image' is None in the first .*optional=\('image',\).*host=\('image',\)"
    ):
        Loader(data, batch_size=4)
    with pytest.raises(ConfigError, match="optional names 'y', but samples have no such file; they have: 'image'"):
        Loader(data, batch_size=4, optional=("y",))
    with pytest.raises(ConfigError, match=r"optional must be a tuple or list of leaves, e.g. optional=\('id',\)"):
        Loader(data, batch_size=4, optional="image")
    loader = Loader(data, batch_size=4, optional=("image", "frames"), workers=0)
    batch = next(iter(loader))
    assert isinstance(batch["image"], EncodedBatch) and not batch["image"].present.any()
    assert [files.present.any() for files in batch["frames"]] == [False, False]
    assert jax.tree.structure(batch) == jax.tree.structure(loader.element_spec)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([None, np.zeros(3)], "'x' is None in the first sample, and a ndarray in a later one, but only images"),
        ([None, "text"], r"'x' is None in the first sample, and a str in a later one.*host=\('x',\)"),
        ([np.zeros(3), None], "returned None where other samples have an array, and only images may be missing"),
        (["text", None], r"expected a string in 'x', as the first sample has it, got NoneType.*host=\('x',\)"),
    ],
)
def test_only_images_may_be_missing(values, words):
    data = [{"x": value, "y": 1} for value in values]
    with pytest.raises(SourceDataError, match=words):
        next(iter(Loader(data, batch_size=2, workers=0)))


def test_a_value_of_the_host_may_be_none_first():
    data = [{"x": None, "y": 1}, {"x": "a", "y": 2}]
    assert next(iter(Loader(data, batch_size=2, workers=0, host=("x",))))["x"].tolist() == [None, "a"]


# FILES AS OTHERS HAVE THEM


def test_components_that_a_webdataset_lacks(tmp_path):
    contents = {f"{index}.jpg": FILES[index] for index in range(4) if index != 2}
    contents |= {f"{index}.txt": b"caption %d" % index for index in range(4) if index}
    path = write_tar(tmp_path / "a.tar", dict(sorted(contents.items())))
    data = source.WebDataset(path, ["jpg", "txt"], dtypes=[None, str])
    assert [data[k]["jpg"] is None for k in range(4)] == [False, False, True, False]
    with Loader(
        data, lambda batch, keys: {"there": batch["jpg"].present, "text": batch["txt"]}, batch_size=4, workers=0
    ) as loader:
        batch = next(iter(loader))
    assert batch["there"].tolist() == [True, True, False, True]
    assert batch["text"].tolist() == ["", "caption 1", "caption 2", "caption 3"]


def test_text_of_a_webdataset_is_told_from_images(tmp_path):
    path = write_tar(tmp_path / "a.tar", {"0.jpg": FILES[0], "0.txt": b"caption", "1.jpg": FILES[1], "1.txt": b"\xff"})
    with pytest.warns(UserWarning, match=r"the first 'txt', b'caption', is text.*value.decode\(\).*host=\('txt',\)"):
        Loader(source.WebDataset(path, ["jpg", "txt"]), batch_size=1)
    Loader(source.WebDataset(path, ["jpg", "txt"]), batch_size=1, host=("txt",))
    with pytest.raises(SourceDataError, match="'txt' is to be text, but is not UTF-8"):
        source.WebDataset(path, ["txt"], dtypes=[str])[1]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"caption \xff", "ü".encode()[:1] * 3])
def test_other_bytes_are_no_text(content):
    Loader([{"x": content, "y": 1}], batch_size=1)


def test_text_that_ends_within_a_character():
    with pytest.warns(UserWarning, match="is text"):
        Loader([{"x": b"a" + "ü".encode() * 200, "y": 1}], batch_size=1)


@pytest.mark.parametrize("workers", [0, 1])
def test_files_of_hugging_face(tmp_path, workers):
    (tmp_path / "a.jpg").write_bytes(FILES[1])
    images = [
        {"bytes": FILES[0], "path": "elsewhere.jpg"},
        {"bytes": None, "path": str(tmp_path / "a.jpg")},
        {"bytes": None, "path": None},
        None,
        {"bytes": FILES[2], "path": None},
    ]

    def augment(batch, keys):
        return decode(batch["image"], (80, 80)), batch["image"].present

    for first in range(len(images) - 1):  # whichever comes first
        turned = images[first:] + images[:first]
        data = [{"image": image, "text": f"t{k}"} for k, image in enumerate(turned)]
        with Loader(data, augment, batch_size=5, epochs=1, workers=workers) as loader:
            pixels, present = jax.tree.map(np.asarray, next(iter(loader)))
        whole = EncodedBatch.from_encoded([FILES[0], FILES[1], None, None, FILES[2]])
        np.testing.assert_array_equal(np.roll(pixels, first, axis=0), decode(whole, (80, 80)))
        assert np.roll(present, first).tolist() == [True, True, False, False, True]


def test_what_is_no_file_of_hugging_face(tmp_path):
    with pytest.raises(
        SourceDataError, match=r"'image' is elsewhere, at 's3://bucket/a\.jpg', and the sample has no bytes"
    ):
        Loader([{"image": {"bytes": None, "path": "s3://bucket/a.jpg"}, "y": 1}], batch_size=1)
    with pytest.raises(FileNotFoundError, match=r"gone\.jpg"):
        Loader([{"image": {"bytes": None, "path": str(tmp_path / "gone.jpg")}, "y": 1}], batch_size=1)
    data = [{"image": {"bytes": FILES[0], "path": None}}, {"image": {"bytes": FILES[0]}}]
    with pytest.raises(SourceDataError, match=r"expected a dict of bytes and path in 'image', .*got dict"):
        next(iter(Loader(data, batch_size=2, workers=0)))
    # Other dicts are nested, as ever, and declared ones stay whole.
    assert list(Loader(data[1:], batch_size=1).element_spec["image"]) == ["bytes"]
    kept = next(iter(Loader([{**data[0], "y": 1}], batch_size=1, workers=0, host=("image",))))
    assert kept["image"].tolist() == [data[0]["image"]]


def test_images_of_pillow_are_refused_with_the_line_to_write():
    from PIL import Image

    image = Image.open(io.BytesIO(FILES[0]))
    words = r"returned a JpegImageFile of Pillow.*data.cast_column\('image', datasets.Image\(decode=False\)\)"
    with pytest.raises(SourceDataError, match=words):
        Loader([{"image": image, "y": 1}], batch_size=1)
    data = [{"image": np.asarray(image), "y": 1}, {"image": image, "y": 1}]
    with pytest.raises(SourceDataError, match=words):
        next(iter(Loader(data, batch_size=2, workers=0)))
