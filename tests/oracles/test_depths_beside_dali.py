"""Files of one to four channels with 8 and 16 bits, compared with NVIDIA's DALI."""

from __future__ import annotations

import io

import numpy as np
import pytest
from beside_dali import SYSTEMS, load
from deep_files import deep_noise, deep_png, deep_tiff
from PIL import Image

pytestmark = pytest.mark.dali


def saved(pixels, kind, **options):
    stream = io.BytesIO()
    Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels).save(stream, kind, **options)
    return stream.getvalue()


def levels(channels):
    return (deep_noise(channels) >> 8).astype(np.uint8)


def with_palette(kind):
    image = Image.fromarray(levels(1)[..., 0]).convert("P")
    image.putpalette(np.random.default_rng(3).integers(0, 256, 768, np.uint8).tobytes())
    stream = io.BytesIO()
    image.save(stream, kind)
    return stream.getvalue()


FILES = {
    **{f"{kind} of {16 if kind == 'tiff' else 8}, palette": with_palette(kind) for kind in ("png", "tiff", "bmp")},
    **{f"png of 8, {channels}": deep_png(levels(channels), 8) for channels in (1, 2, 3, 4)},
    **{f"png of 16, {channels}": deep_png(deep_noise(channels)) for channels in (1, 2, 3, 4)},
    **{f"tiff of 8, {channels}": saved(levels(channels), "TIFF") for channels in (1, 3, 4)},
    **{f"tiff of 16, {channels}": deep_tiff(deep_noise(channels)) for channels in (1, 3)},
    "webp": saved(levels(3), "WEBP", lossless=True),
    "webp, alpha": saved(levels(4), "WEBP", lossless=True, exact=True),
    "bmp": saved(levels(3), "BMP"),
    "bmp, gray": saved(levels(1), "BMP"),
}


def decoded(system, file, output_type, dtype="UINT8"):
    dali = load(system)
    pipe = dali.Pipeline(batch_size=1, num_threads=1, device_id=None)
    with pipe:
        files = dali.fn.external_source(lambda: [np.frombuffer(file, np.uint8)], batch=True)
        kinds = {"output_type": getattr(dali.types, output_type), "dtype": getattr(dali.types, dtype)}
        images = dali.fn.decoders.image(files, **kinds)
        pipe.set_outputs(images)
    pipe.build()
    return np.array(pipe.run()[0].at(0))


@pytest.mark.parametrize("name", FILES)
def test_rgb_is_dalis(name):
    theirs, ours = (decoded(system, FILES[name], "RGB") for system in SYSTEMS)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", FILES)
def test_gray_is_within_a_level_of_dalis(name):
    theirs, ours = (decoded(system, FILES[name], "GRAY").astype(int) for system in SYSTEMS)
    assert ours.shape == theirs.shape
    # DALI's libraries weigh colours alike, but round differently depending on the format.
    assert np.abs(ours - theirs).max() <= (0 if name.endswith(("1", "2", "gray")) else 1)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith(("png", "tiff"))])
def test_uint16_keeps_all_bits(name):
    theirs, ours = (decoded(system, FILES[name], "RGB", "UINT16") for system in SYSTEMS)
    np.testing.assert_array_equal(ours, theirs)
    theirs, ours = (decoded(system, FILES[name], "GRAY", "UINT16").astype(int) for system in SYSTEMS)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= (0 if name.endswith(("1", "2", "gray")) else 257 if "of 8" in name else 3)


@pytest.mark.parametrize("dtype", ["FLOAT", "INT16"])
@pytest.mark.parametrize("name", FILES)
def test_other_types_are_as_exact_as_levels_of_8_bits(name, dtype):
    theirs, ours = (decoded(system, FILES[name], "RGB", dtype).astype(float) for system in SYSTEMS)
    level = (1 if dtype == "FLOAT" else 32767) / 255
    assert np.abs(ours - theirs).max() <= (0.503 * level if "of 16" in name else 0)


# DALI refuses gray with alpha, and crashes on gray JPEG files.
OWN = [name for name in FILES if not name.endswith("2")]


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("dtype", ["UINT8", "UINT16"])
def test_any_data_are_dalis_channels(name, dtype):
    theirs, ours = (decoded(system, FILES[name], "ANY_DATA", dtype) for system in SYSTEMS)
    np.testing.assert_array_equal(ours, theirs)
