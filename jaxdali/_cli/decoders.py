"""Tests the decoders of this machine: runs each for a second, and compares its pixels with Pillow's."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._base.aliases import Device
from jaxdali._base.batch import DECODERS
from .findings import Section

__all__ = ["inspect_decoders"]

_HEIGHT, _WIDTH = 375, 500
# The number of images that are decoded at once. A GPU's decoders need many: with a few they mostly wait.
_BATCH, _GPU_BATCH = 16, 512
_NATIVE_FORMATS, _PILLOW_FORMATS = ("PNG", "WebP"), ("BMP", "TIFF")
# The number of levels by which a GPU's decoders may differ from Pillow.
_LEVELS = {"hardware": 1, "gpu": 3, "hybrid": 3, "cpu": 0, "cuda": 0}


def inspect_decoders(seconds: float) -> Section:
    """Measures the images/s of each decoder, on generated images of 500 x 375.

    Args:
        seconds: the time for each.
    """
    import jax

    from jaxdali._device.ffi.compat import local_gpus

    section = Section(f"decoders (images of {_WIDTH} x {_HEIGHT}, {seconds:g} s each)")
    cpu = jax.local_devices(backend="cpu")[0]
    _try(section, "JPEG: libjpeg-turbo", lambda: _test_jpeg(cpu, "cpu", seconds))
    for gpu in local_gpus()[:1]:
        for decoder in DECODERS:
            _try(section, f'JPEG: decoder="{decoder}" on {gpu}', lambda d=decoder, g=gpu: _test_jpeg(g, d, seconds))
    for kinds, by in ((_NATIVE_FORMATS, "native code"), (_PILLOW_FORMATS, "Pillow")):
        _try(section, f"{', '.join(kinds)}: {by}", lambda k=kinds: _test_workers(k, seconds))
    return section


def _try(section: Section, name: str, test: Callable[[], str]) -> None:
    try:
        section.add(name, test())
    except Exception as error:  # any exception of a library or a driver is a finding
        section.fail(name, f"does not work: {type(error).__name__}: {error}", f"{name} should work here, and does not.")


def _drawn() -> Any:
    import numpy as np

    y, x = np.mgrid[0:_HEIGHT, 0:_WIDTH]
    waves = [
        127 + 90 * np.sin(x / (9 + k)) * np.cos(y / (11 + k)) + 30 * ((x // 24 + y // 36 + k) % 2) for k in range(3)
    ]
    noise = np.random.default_rng(0).normal(0, 6, (_HEIGHT, _WIDTH, 3))
    return (np.stack(waves, -1) + noise).clip(0, 255).astype(np.uint8)


def _file(kind: str, **options: object) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(_drawn()).save(stream, kind, **options)
    return stream.getvalue()


def _test_jpeg(device: Device, decoder: str, seconds: float) -> str:
    """Returns images/s. Raises ValueError if the pixels differ too much from Pillow's."""
    import jax
    import numpy as np
    from PIL import Image

    from jaxdali._device.image.decode import decode
    from jaxdali._device.image.encoded import EncodedBatch

    file = _file("JPEG", quality=90)
    images = _BATCH if device.platform == "cpu" else _GPU_BATCH
    batch = EncodedBatch.from_encoded([file] * images, device=device)
    run = jax.jit(lambda b: decode(b, canvas=(_HEIGHT, _WIDTH), decoder=decoder))
    pixels = np.asarray(run(batch)[:_BATCH])
    with Image.open(io.BytesIO(file)) as image:
        wanted = np.asarray(image.convert("RGB")).astype(np.int16)
    difference = int(np.abs(pixels.astype(np.int16) - wanted).max())
    if difference > _LEVELS[decoder]:
        raise ValueError(f"pixels differ from Pillow's by up to {difference} levels")
    same = "pixels as Pillow's" if difference == 0 else f"within {difference} levels of Pillow"
    return f"{_rate(lambda: run(batch).block_until_ready(), images, seconds)} in batches of {images}, {same}"


def _test_workers(kinds: Sequence[str], seconds: float) -> str:
    """Returns images/s. Raises ValueError if a format is not decoded to the original pixels."""
    import numpy as np

    from jaxdali._base.formats.pixel_decoding import decode_pixels
    from jaxdali._feed._host import decode_image

    files = {kind: _file(kind, **({"lossless": True} if kind == "WebP" else {})) for kind in kinds}
    for kind, file in files.items():
        pixels, status = decode_pixels(file, _HEIGHT * _WIDTH, native=decode_image)
        if pixels is None or not np.array_equal(pixels, _drawn()):
            raise ValueError(f"{kind} was decoded to pixels other than those encoded ({status.name})")

    def once() -> None:
        for file in files.values():
            decode_pixels(file, _HEIGHT * _WIDTH, native=decode_image)

    return f"{_rate(once, len(files), seconds)} in each worker, pixels as drawn"


def _rate(once: Callable[[], object], images: int, seconds: float) -> str:
    began, count = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < seconds or not count:
        once()
        count += images
    return f"{count / passed:.0f} images/s"
