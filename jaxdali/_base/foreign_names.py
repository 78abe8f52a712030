"""Names of torchvision and other libraries that users look for, and what does that here."""

from __future__ import annotations

__all__ = ["meant_by"]

_WINDOW = (
    "images.resized_crop(jaxdali.random.resized_crop_window(keys, images.extents), (224, 224)), of image.open(files)"
)
_JITTER = "jaxdali.augment.color_jitter(images, keys, ...)"
_DATA = "data are anything with __len__ and __getitem__, or of jaxdali.source, such as jaxdali.source.ImageFolder(path)"

# By module, what to write for names, which are told apart by their letters alone: RandAugment is rand_augment.
_MEANT: dict[str, dict[str, str]] = {
    "": {
        "dataloader": "jaxdali.Loader(data, augment, batch_size=)",
        "dataset": _DATA,
        "iterabledataset": _DATA,
        "datasource": _DATA,
        "imagefolder": "jaxdali.source.ImageFolder(path)",
        "transforms": "a Loader's augment, a function of yours that uses jaxdali.image and jaxdali.augment",
        "decoders": "jaxdali.fn.decoders",
        "readers": "jaxdali.fn.readers",
        "imshow": "jaxdali.show(batch)",
    },
    "fn": {
        "totensor": 'fn.crop_mirror_normalize(images, mean=0, std=255, output_layout="CHW"), floats from 0 to 1',
        "centercrop": "fn.crop(images, crop=(224, 224)), whose window is in the middle unless it is told otherwise",
        "colorjitter": "fn.color_twist(images, brightness=, contrast=, saturation=, hue=)",
        "horizontalflip": "fn.flip(images, horizontal=fn.random.coin_flip())",
        "randomhorizontalflip": "fn.flip(images, horizontal=fn.random.coin_flip())",
        "decodejpeg": "fn.decoders.image(files)",
        "imagedecoder": "fn.decoders.image(files)",
        "filereader": "fn.readers.file(file_root=)",
    },
    "image": {
        "centercrop": "jaxdali.image.open(files).center_crop(height, width)",
        "crop": "jaxdali.image.open(files).crop(height, width)",
        "randomcrop": _WINDOW,
        "resizedcrop": _WINDOW,
        "randomresizedcrop": _WINDOW,
        "totensor": "jaxdali.image.open(files).normalize(mean, std).array(), which is [N, H, W, C]",
        "decodejpeg": "jaxdali.image.decode(files, canvas=(height, width)), or jaxdali.image.open(files)",
        "decodeimage": "jaxdali.image.decode(files, canvas=(height, width)), or jaxdali.image.open(files)",
        "imread": "jaxdali.image.open(jaxdali.EncodedBatch.from_encoded([file, ...]))",
        "hflip": "jaxdali.image.open(files).flip(), or jaxdali.image.flip",
        "horizontalflip": "jaxdali.image.open(files).flip(), or jaxdali.image.flip",
        "colorjitter": _JITTER,
    },
    "augment": {
        "randaugment": "jaxdali.augment.rand_augment(images, keys, n=2, m=9), a function of a batch",
        "autoaugment": "jaxdali.augment.auto_augment(images, keys), a function of a batch",
        "trivialaugment": "jaxdali.augment.trivial_augment_wide(images, keys), a function of a batch",
        "trivialaugmentwide": "jaxdali.augment.trivial_augment_wide(images, keys), a function of a batch",
        "colorjitter": f"{_JITTER}, a function of a batch",
        "randomerasing": "jaxdali.augment.random_erasing(images, keys, ...), a function of a batch",
        "cutout": "jaxdali.augment.random_erasing(images, keys, ...), a function of a batch",
        "mixup": "jaxdali.random.mixup(key, images, labels), in Loader(mix=)",
        "cutmix": "jaxdali.random.cutmix(key, images, labels), in Loader(mix=)",
        "randomcrop": _WINDOW,
        "randomresizedcrop": _WINDOW,
        "flip": "jaxdali.image.open(files).flip(jaxdali.random.coin_flip(keys))",
        "randomflip": "jaxdali.image.open(files).flip(jaxdali.random.coin_flip(keys))",
        "randomhorizontalflip": "jaxdali.image.open(files).flip(jaxdali.random.coin_flip(keys))",
    },
    "random": {
        "bernoulli": "jaxdali.random.coin_flip(keys, probability)",
        "key": "the keys that a Loader gives to augment, or jaxdali.random.sample_keys(seed, operator, epoch, indices)",
        "prngkey": "the keys that a Loader gives to augment, or jaxdali.random.sample_keys(seed, operator, epoch, indices)",
        "randint": "jaxdali.random.choice(keys, ...)",
        "integers": "jaxdali.random.choice(keys, ...)",
        "foldin": "jaxdali.random.split(keys, n), which makes keys for n draws",
        "shuffle": "jaxdali.random.permutation, or Loader(shuffle=True) for the order of samples",
    },
}


def meant_by(room: str, name: str) -> str:
    """Returns what to write for another library's name; empty if it is not known.

    Args:
        room: the module, such as "image"; empty: the package.
    """
    return _MEANT.get(room, {}).get(name.replace("_", "").lower(), "")
