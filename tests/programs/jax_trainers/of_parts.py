"""Samples that lack images, have several files, or several sequences. Each trainer's loader precedes one that does without
what the Loader has for such samples: `None` for images, lists of files, `pack` of several sequences, objects as samples.
"""

from __future__ import annotations

import functools
import io
import pathlib
from typing import Any, NamedTuple

import flax.struct
import numpy as np
from PIL import Image

__all__ = ["TRAINERS", "before"]

SIZE, BATCH, FRAMES = 16, 4, 3
MEAN, STD = 255 * np.float32([0.485, 0.456, 0.406]), 255 * np.float32([0.229, 0.224, 0.225])


class Graph(NamedTuple):
    """One of jraph's graphs."""

    nodes: np.ndarray
    edges: np.ndarray
    senders: np.ndarray
    receivers: np.ndarray


@flax.struct.dataclass
class Scene:
    """What a detector is given."""

    image: Any
    boxes: Any
    labels: Any


def _paths(root: str) -> list[pathlib.Path]:
    return sorted(pathlib.Path(root, "voc").glob("*.jpg"))


def _blank() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "JPEG")
    return file.getvalue()


# IMAGES THAT MAY BE MISSING -------------------------------------------------------------------------------------------


def dialogues(root, **options):
    """LLaVA's instructions: some are about a picture, others are text alone."""
    from jaxdali import Loader, image

    class Data(list):
        def __getitem__(self, index):
            file = _paths(root)[index].read_bytes() if index % 3 != 2 else None
            return {"image": file, "tokens": np.arange(5) + index}

    def augment(batch, keys):
        files = batch["image"]
        pixels = image.open(files).resize(size=(SIZE, SIZE)).normalize(MEAN, STD).array()
        return {"pixels": pixels, "present": files.present, "tokens": batch["tokens"]}

    return Loader(Data(range(12)), augment, batch_size=BATCH, shuffle=True, **options)


def dialogues_before(root, **options):
    import jax.numpy as jnp

    from jaxdali import Loader, image

    blank = _blank()

    class Data(list):
        def __getitem__(self, index):
            present = index % 3 != 2
            file = _paths(root)[index].read_bytes() if present else blank
            return {"image": file, "present": np.bool_(present), "tokens": np.arange(5) + index}

    def augment(batch, keys):
        present = batch["present"]
        pixels = image.open(batch["image"]).resize(size=(SIZE, SIZE)).normalize(MEAN, STD).array()
        pixels = jnp.where(present[:, None, None, None], pixels, 0)
        return {"pixels": pixels, "present": present, "tokens": batch["tokens"]}

    return Loader(Data(range(12)), augment, batch_size=BATCH, shuffle=True, **options)


def scans(root, **options):
    """Photographs with depth, in tar archives: the depth of some was not measured."""
    from jaxdali import Loader, image, source

    def augment(batch, keys):
        depth = batch["depth.jpg"]
        return {
            "rgb": image.open(batch["rgb.jpg"]).resize(size=(SIZE, SIZE)).array(),
            "depth": image.open(depth, color="GRAY").resize(size=(SIZE, SIZE)).array(),
            "measured": depth.present,
        }

    data = source.WebDataset([f"{root}/scans.tar"], ["rgb.jpg", "depth.jpg"])
    return Loader(data, augment, batch_size=BATCH, shuffle=True, **options)


def scans_before(root, **options):
    import jax.numpy as jnp

    from jaxdali import Loader, image, source

    blank = _blank()

    def filled(sample):
        depth = sample["depth.jpg"]
        return {**sample, "depth.jpg": depth or blank, "measured": np.bool_(depth)}

    def augment(batch, keys):
        measured = batch["measured"]
        depth = image.open(batch["depth.jpg"], color="GRAY").resize(size=(SIZE, SIZE)).array()
        return {
            "rgb": image.open(batch["rgb.jpg"]).resize(size=(SIZE, SIZE)).array(),
            "depth": jnp.where(measured[:, None, None, None], depth, 0),
            "measured": measured,
        }

    data = source.map(source.WebDataset([f"{root}/scans.tar"], ["rgb.jpg", "depth.jpg"]), filled)
    return Loader(data, augment, batch_size=BATCH, shuffle=True, **options)


# SEVERAL FILES A SAMPLE -----------------------------------------------------------------------------------------------


def clips(root, **options):
    """Kinetics as frames: all frames of a clip have one window and one flip, and each its own brightness."""
    from jaxdali import Loader, image, random

    class Data(list):
        def __getitem__(self, index):
            return {"frames": [path.read_bytes() for path in _paths(root)[index : index + FRAMES]], "label": index}

    def augment(batch, keys):
        for_window, for_flip, for_light = random.split(keys, 3)
        frames = image.EncodedBatch.stack(batch["frames"])
        window = random.resized_crop_window(for_window, frames.sizes.min(axis=1))
        light = random.uniform(for_light, (FRAMES,), minval=0.8, maxval=1.2)
        images = image.open(frames).resized_crop(window, (SIZE, SIZE)).flip(random.coin_flip(for_flip))
        images = images.brightness_contrast(brightness=light).normalize(MEAN, STD)
        return {"x": images.array(), "label": batch["label"]}

    return Loader(Data(range(8)), augment, batch_size=BATCH, shuffle=True, **options)


def clips_before(root, **options):
    import jax.numpy as jnp

    from jaxdali import Loader, image, random

    class Data(list):
        def __getitem__(self, index):
            return {"frames": [path.read_bytes() for path in _paths(root)[index : index + FRAMES]], "label": index}

    def augment(batch, keys):
        for_window, for_flip, for_light = random.split(keys, 3)
        sizes = jnp.stack([files.sizes for files in batch["frames"]], axis=1)
        window = random.resized_crop_window(for_window, sizes.min(axis=1))
        light = random.uniform(for_light, (FRAMES,), minval=0.8, maxval=1.2)
        flip = random.coin_flip(for_flip)
        frames = []
        for frame, files in enumerate(batch["frames"]):
            images = image.open(files).resized_crop(window, (SIZE, SIZE)).flip(flip)
            images = images.brightness_contrast(brightness=light[:, frame]).normalize(MEAN, STD)
            frames.append(images.array())
        return {"x": jnp.stack(frames, axis=1), "label": batch["label"]}

    return Loader(Data(range(8)), augment, batch_size=BATCH, shuffle=True, **options)


def cameras(root, **options):
    """Octo's observations: the last few pictures of a robot's camera, fewer where an episode begins, each cropped for
    itself.
    """
    import jax

    from jaxdali import Loader, image, random

    class Data(list):
        def __getitem__(self, index):
            steps = range(index - FRAMES + 1, index + 1)
            return {"camera": [_paths(root)[step].read_bytes() if step >= 0 else None for step in steps]}

    def augment(batch, keys):
        files = image.EncodedBatch.stack(batch["camera"])
        draw = functools.partial(random.resized_crop_window, area=(0.8, 1.0))
        windows = jax.vmap(draw, (0, 1), 1)(random.split(keys, FRAMES), files.sizes)
        pixels = image.open(files).resized_crop(windows, (SIZE, SIZE)).array()
        return {"pixels": pixels, "pad_mask": files.present}

    return Loader(Data(range(8)), augment, batch_size=BATCH, optional=["camera"], shuffle=True, **options)


def cameras_before(root, **options):
    import jax.numpy as jnp

    from jaxdali import Loader, image, random

    blank = _blank()

    class Data(list):
        def __getitem__(self, index):
            steps = np.arange(index - FRAMES + 1, index + 1)
            files = [_paths(root)[step].read_bytes() if step >= 0 else blank for step in steps]
            return {"camera": files, "pad_mask": steps >= 0}

    def augment(batch, keys):
        frames = []
        for frame, (files, own) in enumerate(zip(batch["camera"], random.split(keys, FRAMES), strict=True)):
            window = random.resized_crop_window(own, files.sizes, area=(0.8, 1.0))
            pixels = image.open(files).resized_crop(window, (SIZE, SIZE)).array()
            frames.append(jnp.where(batch["pad_mask"][:, frame, None, None, None], pixels, 0))
        return {"pixels": jnp.stack(frames, axis=1), "pad_mask": batch["pad_mask"]}

    return Loader(Data(range(8)), augment, batch_size=BATCH, shuffle=True, **options)


# SEVERAL SEQUENCES A SAMPLE, AND OBJECTS ------------------------------------------------------------------------------


def _pairs() -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    return [{"inputs": rng.integers(1, 99, n), "targets": rng.integers(1, 99, 1 + n // 3)} for n in range(3, 30)]


def translation(root, **options):
    """T5X's translation: inputs and targets packed together, each with segments and positions."""
    from jaxdali import Loader, source

    rows = source.pack(_pairs(), {"inputs": 32, "targets": 12})
    return Loader(rows, batch_size=BATCH, shuffle=True, last_batch="drop", **options)


def translation_before(root, **options):
    from jaxdali import Loader

    lengths, rows = {"inputs": 32, "targets": 12}, []
    for pair in _pairs():
        fits = lambda row: all(sum(map(len, row[name])) + len(pair[name]) <= lengths[name] for name in lengths)  # noqa: B023, E731
        row = next(filter(fits, rows), None)
        if row is None:
            rows.append(row := {name: [] for name in lengths})
        for name in lengths:
            row[name].append(pair[name])

    class Packed(list):
        def __getitem__(self, index):
            row = {}
            for name, texts in rows[index].items():
                ids = [token for text in texts for token in text]
                segments = [number for number, text in enumerate(texts, 1) for _ in text]
                positions = [at for text in texts for at in range(len(text))]
                rest = [0] * (lengths[name] - len(ids))
                row[name] = np.array(ids + rest)
                row[f"{name}_segment_ids"] = np.array(segments + rest, np.int32)
                row[f"{name}_positions"] = np.array(positions + rest, np.int32)
            return row

    return Loader(Packed(rows), batch_size=BATCH, shuffle=True, last_batch="drop", **options)


def _graph(index: int) -> Graph:
    rng = np.random.default_rng(index)
    nodes, edges = 2 + index % 5, 3 + index % 7
    ends = rng.integers(0, nodes, (2, edges), dtype=np.int32)
    return Graph(rng.random((nodes, 2), np.float32), rng.random((edges, 1), np.float32), *ends)


def graphs(root, **options):
    """Graphs of jraph, padded."""
    from jaxdali import Loader

    class Data(list):
        def __getitem__(self, index):
            return {"graph": _graph(index), "label": index % 2}

    return Loader(Data(range(12)), batch_size=BATCH, ragged={"graph": 12}, shuffle=True, **options)


def graphs_before(root, **options):
    from jaxdali import Loader

    class Data(list):
        def __getitem__(self, index):
            return {**_graph(index)._asdict(), "label": index % 2}

    def augment(batch, keys):
        return {"graph": Graph(*(batch[name] for name in Graph._fields)), "label": batch["label"]}

    ragged = dict.fromkeys(Graph._fields, 12)
    return Loader(Data(range(12)), augment, batch_size=BATCH, ragged=ragged, shuffle=True, **options)


def detection(root, **options):
    """A detector in Flax, whose samples and batches are objects of one class."""
    from jaxdali import Loader, image

    class Data(list):
        def __getitem__(self, index):
            return _scene(root, index)

    def augment(scene, keys):
        return scene.replace(image=image.open(scene.image).resize(size=(SIZE, SIZE)).array())

    return Loader(Data(range(12)), augment, batch_size=BATCH, ragged={"boxes": 8, "labels": 8}, **options)


def detection_before(root, **options):
    from jaxdali import Loader, image

    class Data(list):
        def __getitem__(self, index):
            scene = _scene(root, index)
            return {"image": scene.image, "boxes": scene.boxes, "labels": scene.labels}

    def augment(batch, keys):
        pixels = image.open(batch["image"]).resize(size=(SIZE, SIZE)).array()
        return Scene(image=pixels, boxes=batch["boxes"], labels=batch["labels"])

    return Loader(Data(range(12)), augment, batch_size=BATCH, ragged={"boxes": 8, "labels": 8}, **options)


def _scene(root: str, index: int) -> Scene:
    count = 1 + index % 6
    boxes = np.random.default_rng(index).random((count, 4), np.float32)
    return Scene(_paths(root)[index].read_bytes(), boxes, np.arange(count, dtype=np.int32))


TRAINERS = {made.__name__: made for made in (dialogues, scans, clips, cameras, translation, graphs, detection)}


def before(name: str) -> Any:
    """Returns the loader of the same batches that does without."""
    return globals()[f"{name}_before"]
