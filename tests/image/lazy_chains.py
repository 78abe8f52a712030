"""Chains of operations on images: as done to lazy images, and step by step by the NumPy reference."""

from __future__ import annotations

import dataclasses
from typing import Any

import image_reference as reference
import numpy as np

from jaxdali._device.image.sizes import resized_extents
from jaxdali.image import Images

SIZE = (13, 17)


@dataclasses.dataclass
class Stepwise:
    """A batch as arrays of different sizes."""

    images: list[np.ndarray]

    def stacked(self, canvas: tuple[int, int]) -> np.ndarray:
        """Puts the images on a canvas, with zeros around them."""
        first = self.images[0]
        out = np.zeros((len(self.images), *canvas, first.shape[2]), first.dtype)
        for row, image in zip(out, self.images, strict=True):
            row[: image.shape[0], : image.shape[1]] = image
        return out


def draw(structure: str, extents: np.ndarray, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draws the operands of a structure's operations (one letter each) for images of these extents."""
    operands = []
    extents = extents.copy()
    samples = len(extents)
    for letter in structure:
        drawn: dict[str, Any] = {}
        match letter:
            case "c":  # each image has a window of its own
                size = rng.integers(1, extents + 1)
                drawn["windows"] = np.concatenate([rng.integers(0, extents - size + 1), size], axis=1).astype(np.int32)
                extents = size
            case "w":  # windows of one size, at different places
                size = np.minimum(extents.min(axis=0), (9, 11))
                corner = rng.integers(0, extents - size + 1)
                drawn["windows"] = np.concatenate([corner, corner * 0 + size], axis=1).astype(np.int32)
                extents = corner * 0 + size
            case "f":
                drawn["horizontal"], drawn["vertical"] = rng.integers(0, 2, (2, samples)).astype(np.int32)
            case "r":
                extents = np.broadcast_to(np.asarray(SIZE), extents.shape)
            case "s":  # each image has a size of its own
                drawn["shorter"] = rng.integers(12, 20, samples).astype(np.float32)
                extents = resized_extents(extents, resize_shorter=drawn["shorter"]).extents
            case "b":
                drawn["brightness"], drawn["contrast"] = rng.uniform(0.5, 1.5, (2, samples)).astype(np.float32)
            case "n":
                drawn["mean"] = rng.uniform(0, 255, 3).astype(np.float32)
                drawn["std"] = rng.uniform(1, 80, (samples, 3)).astype(np.float32)
        operands.append(drawn)
    return operands


def astray(
    structure: str, extents: np.ndarray, operands: list[dict[str, Any]], rng: np.random.Generator
) -> tuple[list[dict[str, Any]], np.ndarray]:
    """Moves some windows out of their images. Returns the operands, and `bool[N]`: whose windows were moved."""
    moved, failed = [], np.zeros(len(extents), np.bool_)
    for letter, drawn in zip(structure, operands, strict=True):
        if "windows" in drawn:
            windows = drawn["windows"].copy()
            for k in np.flatnonzero(rng.random(len(windows)) < 0.3):
                axis, pixels = rng.integers(2), int(rng.choice([1, 9, 2**31 - 100]))
                beyond = extents[k, axis] - windows[k, 2 + axis] + pixels
                windows[k, axis] = rng.choice([-pixels, beyond])
                failed[k] = True
            drawn, extents = {**drawn, "windows": windows}, windows[:, 2:]
        if letter == "r":
            extents = np.broadcast_to(np.asarray(SIZE), extents.shape)
        if letter == "s":
            extents = resized_extents(extents, resize_shorter=drawn["shorter"]).extents
        moved.append(drawn)
    return moved, failed


def lazily(images: Images, structure: str, operands: list[dict[str, Any]]) -> Images:
    """Applies the operations to images that are not computed yet."""
    for letter, drawn in zip(structure, operands, strict=True):
        match letter:
            case "c":
                images = images.cut(drawn["windows"])
            case "w":
                images = images.cut(drawn["windows"], (9, 11))
            case "f":
                images = images.flip(**drawn)
            case "r":
                images = images.resample(SIZE)
            case "s":
                images = images.resize(resize_shorter=drawn["shorter"])
            case "b":
                images = images.brightness_contrast(**drawn)
            case "n":
                images = images.normalize(**drawn)
            case "t":
                images = images.cast(np.float32)
            case "l":
                images = images.to_layout("CHW")
    return images


def stepwise(images: list[np.ndarray], structure: str, operands: list[dict[str, Any]]) -> list[np.ndarray]:
    """Applies the operations to arrays, one after the other."""
    for letter, drawn in zip(structure, operands, strict=True):
        images = [_step(image[None], letter, drawn, k)[0] for k, image in enumerate(images)]
    return images


def _step(image: np.ndarray, letter: str, drawn: dict[str, Any], k: int) -> np.ndarray:
    own = {name: value[k : k + 1] if np.ndim(value) and len(value) != 3 else value for name, value in drawn.items()}
    match letter:
        case "c" | "w":
            top, left, height, width = own["windows"][0]
            return image[:, top : top + height, left : left + width]
        case "f":
            return reference.flip(image, **own)
        case "r":
            return reference.resize(image, SIZE)
        case "b":
            return reference.brightness_contrast(image, **own)
        case "n":
            return reference.normalize(image, **own)
        case "t":
            return image.astype(np.float32)
        case "l":
            return image.transpose(0, 3, 1, 2)
    raise AssertionError(letter)
