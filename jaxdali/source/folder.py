"""A folder of images, one sub-folder a class."""

from __future__ import annotations

import os

import numpy as np

from ..errors import ConfigError

__all__ = ["ImageFolder"]

# The image formats that every decoder path here reads (jaxdali.formats).
EXTENSIONS = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")


class ImageFolder:
    """Encoded images below `root`, labelled by their sub-folder: a map-style source for `Loader`.

    `data[i]` is `{"image": bytes, "label": np.int32}`: the file's bytes and the index of its sub-folder in
    sorted order. Files are ordered by path. Only names are read at construction.

    Args:
        root: a folder with one sub-folder a class.
        extensions: lower-case endings of the files that count.

    Raises:
        ConfigError: `root` has no sub-folder, or no image in any of them.
    """

    def __init__(self, root: str | os.PathLike[str], extensions: tuple[str, ...] = EXTENSIONS):
        self.root = os.path.abspath(root)
        with os.scandir(self.root) as entries:
            self.classes = sorted(entry.name for entry in entries if entry.is_dir())
        if not self.classes:
            raise ConfigError(f"ImageFolder wants one sub-folder a class, but {self.root} has none")
        self.paths: list[str] = []
        labels = []
        for label, name in enumerate(self.classes):
            folder = os.path.join(self.root, name)
            for parent, folders, files in os.walk(folder):
                folders.sort()
                for file in sorted(files):
                    if file.lower().endswith(extensions):
                        self.paths.append(os.path.join(parent, file))
                        labels.append(label)
        if not self.paths:
            raise ConfigError(f"no file below {self.root} ends in one of {', '.join(extensions)}")
        self.labels = np.asarray(labels, np.int32)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, index: int) -> dict[str, object]:
        with open(self.paths[index], "rb") as file:
            return {"image": file.read(), "label": self.labels[index]}
