"""Detection, segmentation, and pairs of images and texts. Each trainer's loader precedes its original."""

from __future__ import annotations

import glob
import io
import json
import pathlib
import tarfile

import numpy as np

SIZE, BATCH, OBJECTS, WORDS = 16, 4, 32, 8


def tokenized(text: str) -> np.ndarray:
    """Returns int32[WORDS], one token per letter."""
    return np.frombuffer(text.encode()[:WORDS].ljust(WORDS), np.uint8).astype(np.int32)


def scenic_detr(root, **options):
    """Scenic's DETR: COCO's images; boxes from 0 to 1 given by their centres, padded to the largest number of boxes."""
    import jax.numpy as jnp

    import jaxdali

    def augment(batch, keys):
        flip = jaxdali.random.coin_flip(keys)
        images = jaxdali.image.open(batch["image"]).resize(size=(SIZE, SIZE)).flip(flip)
        (boxes, shapes), (labels, _) = batch["boxes"], batch["labels"]
        boxes = jaxdali.boxes.flip_boxes(boxes, flip)
        real = jnp.arange(OBJECTS) < shapes[:, :1]
        centred = jnp.where(real[..., None], boxes.at[..., :2].add(boxes[..., 2:] / 2), 0)
        return {"inputs": images.normalize(127.5, 127.5).array(), "boxes": centred, "labels": labels}

    data = jaxdali.source.COCO(f"{root}/coco", f"{root}/coco/annotations.json", ratio=True, include_iscrowd=False)
    ragged = {"boxes": OBJECTS, "labels": OBJECTS}
    return jaxdali.Loader(data, augment, batch_size=BATCH, ragged=ragged, shuffle=True, **options)


def scenic_detr_original(root):
    import torch
    from PIL import Image

    class Scenes(torch.utils.data.Dataset):
        def __init__(self):
            with open(f"{root}/coco/annotations.json") as file:
                table = json.load(file)
            self.images, self.objects = table["images"], {image["id"]: [] for image in table["images"]}
            self.classes = {category["id"]: 1 + k for k, category in enumerate(table["categories"])}
            for one in table["annotations"]:
                if not one.get("iscrowd") and min(one["bbox"][2:]) >= 0.1:
                    self.objects[one["image_id"]].append(one)

        def __len__(self):
            return len(self.images)

        def __getitem__(self, index):
            image = self.images[index]
            pixels = Image.open(f"{root}/coco/{image['file_name']}").convert("RGB").resize((SIZE, SIZE))
            x = np.asarray(pixels, np.float32) / 127.5 - 1
            found = self.objects[image["id"]]
            boxes, labels = np.zeros((OBJECTS, 4), np.float32), np.zeros(OBJECTS, np.int32)
            for row, one in enumerate(found):
                left, top, width, height = np.array(one["bbox"]) / np.tile([image["width"], image["height"]], 2)
                boxes[row], labels[row] = (
                    (left + width / 2, top + height / 2, width, height),
                    self.classes[one["category_id"]],
                )
            if np.random.rand() < 0.5:
                x, boxes[: len(found), 0] = x[:, ::-1], 1 - boxes[: len(found), 0]
            return {"inputs": x, "boxes": boxes, "labels": labels}

    def collate(samples):
        return {name: np.stack([sample[name] for sample in samples]) for name in samples[0]}

    while True:
        yield from torch.utils.data.DataLoader(Scenes(), BATCH, shuffle=True, drop_last=True, collate_fn=collate)


def segmentation(root, **options):
    """Semantic segmentation: the same part of an image and of its mask, whose class numbers are preserved."""
    import jaxdali

    def augment(batch, keys):
        for_window, for_flip = jaxdali.random.split(keys, 2)
        image, mask = jaxdali.image.open(batch["image"]), jaxdali.image.open(batch["mask"], color="GRAY")
        window = jaxdali.random.resized_crop_window(for_window, image.extents, area=(0.25, 1.0))
        flip = jaxdali.random.coin_flip(for_flip)
        image = image.resized_crop(window, (SIZE, SIZE)).flip(flip).normalize(0, 255)
        mask = mask.resized_crop(window, (SIZE, SIZE), filter="nearest").flip(flip)
        return {"inputs": image.array(), "label": mask.array()[..., 0], "id": batch["id"]}

    def read(paths):
        image, mask = (pathlib.Path(path).read_bytes() for path in paths)
        return {"image": image, "mask": mask, "id": np.int32(paths[0][-6:-4])}

    pairs = list(zip(sorted(glob.glob(f"{root}/voc/*.jpg")), sorted(glob.glob(f"{root}/voc/*.png")), strict=True))
    data = jaxdali.source.map(pairs, read)
    return jaxdali.Loader(data, augment, batch_size=BATCH, indexed=["mask"], shuffle=True, **options)


def segmentation_original(root):
    import grain
    from PIL import Image

    class Prepare(grain.transforms.RandomMap):
        def random_map(self, path, rng):
            image, mask = Image.open(path).convert("RGB"), Image.open(path.replace(".jpg", ".png"))
            share = rng.uniform(0.25, 1.0) ** 0.5
            width, height = round(image.width * share), round(image.height * share)
            left, top = rng.integers(image.width - width + 1), rng.integers(image.height - height + 1)
            box = (left, top, left + width, top + height)
            x = np.asarray(image.crop(box).resize((SIZE, SIZE)), np.float32) / 255
            y = np.asarray(mask.crop(box).resize((SIZE, SIZE), Image.Resampling.NEAREST))
            if rng.random() < 0.5:
                x, y = x[:, ::-1], y[:, ::-1]
            return {"inputs": x, "label": y, "id": np.int32(path[-6:-4])}

    data = grain.MapDataset.source(sorted(glob.glob(f"{root}/voc/*.jpg"))).seed(0).shuffle().repeat()
    return iter(data.random_map(Prepare()).batch(BATCH, drop_remainder=True).to_iter_dataset())


def clip_pairs(root, **options):
    """CLIP from tar archives: an image and the tokens of its caption."""
    import jaxdali

    def augment(batch, keys):
        window = jaxdali.random.resized_crop_window(keys, batch["image"].sizes, area=(0.9, 1.0))
        images = jaxdali.image.decode_resample(batch["image"], window, (SIZE, SIZE), mean=127.5, std=127.5)
        return {"image": images, "tokens": batch["tokens"]}

    data = jaxdali.source.WebDataset(sorted(glob.glob(f"{root}/shard-*.tar")), ["jpg", "txt"])
    data = jaxdali.source.map(data, lambda one: {"image": one["jpg"], "tokens": tokenized(one["txt"].decode()[-2:])})
    return jaxdali.Loader(data, augment, batch_size=BATCH, shuffle=True, **options)


def clip_pairs_original(root):
    from PIL import Image

    def samples():
        for path in sorted(glob.glob(f"{root}/shard-*.tar")):
            with tarfile.open(path) as archive:
                parts = {}
                for member in archive:
                    stem, _, kind = member.name.rpartition(".")
                    parts.setdefault(stem, {})[kind] = archive.extractfile(member).read()
                    if len(parts[stem]) == 2:
                        yield parts.pop(stem)

    def prepare(one, rng):
        image = Image.open(io.BytesIO(one["jpg"])).convert("RGB")
        share = rng.uniform(0.9, 1.0) ** 0.5
        width, height = int(image.width * share), int(image.height * share)
        left, top = rng.integers(image.width - width + 1), rng.integers(image.height - height + 1)
        image = image.crop((left, top, left + width, top + height)).resize((SIZE, SIZE))
        return {"image": np.asarray(image, np.float32) / 127.5 - 1, "tokens": tokenized(one["txt"].decode()[-2:])}

    rng = np.random.default_rng(0)
    while True:
        buffer = [prepare(one, rng) for one in samples()]
        rng.shuffle(buffer)
        for first in range(0, len(buffer) - BATCH + 1, BATCH):
            rows = buffer[first : first + BATCH]
            yield {name: np.stack([row[name] for row in rows]) for name in rows[0]}
