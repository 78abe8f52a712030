"""Ways to feed a Loader in one program: masks next to images, packed tokens, buckets, a resumed stream, pmap.

    python examples/recipes.py [RECIPE ...]

Each recipe makes a little data itself, and prints what a step would get. Copy the one that is like yours.
"""

from __future__ import annotations

import io
import json
import os
import sys

import numpy as np

TEXTS = [np.random.default_rng(number).integers(1, 1000, 5 + number * 7 % 60).astype(np.int32) for number in range(64)]


def encoded(pixels: np.ndarray, palette: bool = False) -> bytes:
    """A PNG file; with `palette`, the pixels are indices into one."""
    from PIL import Image

    image = Image.fromarray(pixels)
    if palette:
        image.putpalette(np.random.default_rng(0).integers(0, 256, 768, np.uint8).tobytes())
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


class Scenes:
    """Images and masks of 21 classes, like VOC: `{"image": bytes, "mask": bytes, "path": str}`."""

    def __len__(self) -> int:
        return 12

    def __getitem__(self, index: int, rng: np.random.Generator):
        size = 40 + 2 * index, 64
        image, mask = rng.integers(0, 256, (*size, 3), np.uint8), rng.integers(0, 21, size, np.uint8)
        return {"image": encoded(image), "mask": encoded(mask, palette=True), "path": f"scene{index}.png"}


def segmentation() -> str:
    """The same window and flip for the image and its mask, whose classes are preserved."""
    import jaxdali

    def augment(batch, keys):
        for_window, for_flip = jaxdali.random.split(keys, 2)
        image = jaxdali.image.open(batch["image"])
        window = jaxdali.random.resized_crop_window(for_window, image.extents)
        flip = jaxdali.random.coin_flip(for_flip)
        mask = jaxdali.image.open(batch["mask"], color="GRAY").resized_crop(window, (32, 32), filter="nearest")
        image = image.resized_crop(window, (32, 32)).flip(horizontal=flip).normalize(mean=127.5, std=64.0)
        return {"x": image.array(), "y": mask.flip(horizontal=flip).array()[..., 0], "path": batch["path"]}

    with jaxdali.Loader(Scenes(), augment, batch_size=4, indexed=["mask"], shuffle=True, epochs=1) as loader:
        batches = list(loader)
    return f"{batches[0]['x'].shape}, classes to {max(int(batch['y'].max()) for batch in batches)}, {batches[0]['path'][0]}"


def packed() -> str:
    """Rows of 128 tokens with several texts each; segment ids say which tokens may attend to each other."""
    import jaxdali

    data = jaxdali.source.pack(TEXTS, 128)
    with jaxdali.Loader(data, batch_size=4, shuffle=True, epochs=1, last_batch="drop", workers=1) as loader:
        batches = list(loader)
    used = np.mean([np.mean(np.asarray(batch["segment_ids"]) > 0) for batch in batches])
    return f"{batches[0]['ids'].shape}, {used:.0%} of it tokens"


def bucketed() -> str:
    """Batches of texts of similar length, padded to one of three widths: three programs, little padding."""
    import jaxdali

    widths = (16, 32, 64)
    sampler = jaxdali.source.BucketSampler([len(text) for text in TEXTS], 8, widths, seed=1)
    data = [{"ids": text} for text in TEXTS]
    with jaxdali.Loader(data, batch_size=8, sampler=sampler, ragged={"ids": widths}, epochs=1, workers=1) as loader:
        found = sorted({batch["ids"][0].shape[1] for batch in loader})
    return f"widths {found}"


def texts(epoch: int):
    """A stream: data that can only be iterated over, in a different order each time."""
    for number in np.random.default_rng(epoch).permutation(len(TEXTS)):
        yield {"first": TEXTS[number][0], "name": f"text {number}"}


def streamed() -> str:
    """A stream that another Loader resumes from a few numbers."""
    import jaxdali

    with jaxdali.Loader(texts, batch_size=8, epochs=2) as loader:
        batches = iter(loader)
        next(batches)
        record = json.dumps(loader.get_state())
        expected = next(batches)
    with jaxdali.Loader(texts, batch_size=8, epochs=2, workers=0) as loader:
        loader.set_state(json.loads(record))
        assert next(iter(loader))["name"].tolist() == expected["name"].tolist()
    return f"went on with {expected['name'][0]!r}"


def replicated() -> str:
    """Batches `[devices, N, ...]` for `jax.pmap`, with rows mixed across all devices."""
    import jax

    import jaxdali

    def mix(batch, key):
        x, y = jaxdali.random.cutmix(key, batch["x"], batch["y"])
        return {"x": x, "y": y}

    rng = np.random.default_rng(0)
    data = jaxdali.source.Arrays(
        x=rng.random((32, 8, 8, 3), np.float32), y=np.eye(4, dtype=np.float32)[np.arange(32) % 4]
    )
    devices = jax.local_devices()[:2]
    step = jax.pmap(lambda batch: jax.lax.pmean(batch["x"].mean(), "device"), axis_name="device", devices=devices)
    with jaxdali.Loader(data, batch_size=8, mix=mix, devices=devices, shuffle=True, epochs=1, workers=1) as loader:
        shapes = {(batch["x"].shape, step(batch).shape) for batch in loader}
    return f"{shapes}"


RECIPES = {recipe.__name__: recipe for recipe in (segmentation, packed, bucketed, streamed, replicated)}


def main() -> None:
    os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
    for name in sys.argv[1:] or RECIPES:
        print(f"{name}: {RECIPES[name]()}")


if __name__ == "__main__":
    main()
