"""Draws what examples were given, and what they gave."""

from __future__ import annotations

import functools
import io
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from .example import Pair, Results

__all__ = [
    "as_image",
    "as_webp",
    "boxes_on_images",
    "images",
    "levels",
    "masks_on_images",
    "of",
    "of_first",
    "of_sound",
    "signals",
    "spectra",
    "whole_batches",
]

# Of a file. Noise is what needs so much.
LARGEST_BYTES = 30 * 1024

_PLOT = (320, 160)
_INK, _PAPER, _MARK = (63, 81, 181), (255, 255, 255), (255, 64, 32)


def as_webp(picture: Image.Image) -> bytes:
    """Returns a picture as a file."""
    for quality in (80, 60, 40, 20):
        stream = io.BytesIO()
        picture.save(stream, "WEBP", quality=quality, method=4)
        if stream.tell() <= LARGEST_BYTES:
            break
    return stream.getvalue()


def as_image(sample: Any, layout: str = "HWC") -> Image.Image:
    """Returns a sample as a picture: levels as they are, other numbers from their smallest, black, to their largest."""
    pixels = np.asarray(sample)
    if layout.startswith("F"):
        return _beside([as_image(frame, layout[1:]) for frame in pixels])
    if layout.startswith("C"):
        pixels = np.moveaxis(pixels, 0, -1)
    if pixels.dtype != np.uint8:
        low, high = pixels.min(), pixels.max()
        pixels = ((pixels - low) * (255 / max(high - low, 1e-6))).astype(np.uint8)
    if pixels.ndim == 3 and pixels.shape[-1] == 1:
        pixels = pixels[..., 0]
    return Image.fromarray(pixels).convert("RGB")


def _beside(pictures: Sequence[Image.Image]) -> Image.Image:
    """Pictures in a row, each smaller."""
    small = [one.resize((one.width // 2, one.height // 2)) for one in pictures]
    sheet = Image.new(
        "RGB",
        (sum(one.width + 4 for one in small) - 4, max(one.height for one in small)),
        _PAPER,
    )
    left = 0
    for one in small:
        sheet.paste(one, (left, 0))
        left += one.width + 4
    return sheet


def of(name: str, layout: str = "") -> Callable[[Results], Pair]:
    """Shows an input before, and the first output after.

    Args:
        name: of the input.
        layout: of the output, if it does not know it.
    """

    def draw(results: Results) -> Pair:
        after = results.outputs[0]
        before = results.inputs[name]
        return as_image(before, _layout(before)), as_image(
            after.sample, layout or after.layout or _layout(after.sample)
        )

    return draw


images = of("images")


def _layout(sample: Any) -> str:
    """What a sample without a layout is: an image, or a sequence or volume."""
    return "FHWC" if np.ndim(sample) == 4 else "HWC"


def whole_batches(results: Results) -> Pair:
    """Both images of the batch, since not all augmentations change every one."""
    before, after = results.batches["images"], results.outputs[0].batch
    return _beside([as_image(one) for one in before]), _beside([as_image(one) for one in after])


def boxes_on_images(results: Results) -> Pair:
    """Boxes, the last output, on images, the first one."""
    image, boxes = results.outputs[0], results.outputs[-1]
    return (
        with_boxes(as_image(results.inputs["images"]), results.inputs["boxes"]),
        with_boxes(as_image(image.sample, image.layout or "HWC"), boxes.sample),
    )


def masks_on_images(results: Results) -> Pair:
    """Masks, the second output, on images, the first one; and boxes, if there is a third one."""
    pairs = []
    image, mask, *more = results.outputs
    for pixels, labels, boxes in (
        (results.inputs["images"], results.inputs["masks"], results.inputs.get("boxes")),
        (image.sample, mask.sample, more[0].sample if more else None),
    ):
        levels = np.where(labels > 0, (pixels + np.asarray(_MARK, np.float32)) / 2, pixels).astype(np.uint8)
        pairs.append(as_image(levels) if boxes is None else with_boxes(as_image(levels), boxes))
    return pairs[0], pairs[1]


def with_boxes(picture: Image.Image, boxes: Any) -> Image.Image:
    """Draws boxes, left, top, right and bottom as fractions, on a picture."""
    picture = picture.copy()
    draw = ImageDraw.Draw(picture)
    for box in np.asarray(boxes).reshape(-1, 4):
        draw.rectangle(
            [float(one) * extent for one, extent in zip(box, picture.size * 2, strict=True)],
            outline=_MARK,
            width=3,
        )
    return picture


def curve(numbers: Any) -> Image.Image:
    """Plots a signal: a line, or where there are many numbers, in each column of pixels from the smallest to the largest."""
    numbers = np.asarray(numbers, np.float64).ravel()
    width, height = _PLOT
    low, high = min(numbers.min(), 0.0), max(numbers.max(), 0.0)
    scale = (height - 9) / max(high - low, 1e-9)
    picture = Image.new("RGB", _PLOT, _PAPER)
    draw = ImageDraw.Draw(picture)
    zero = 4 + (high - 0) * scale
    draw.line([0, zero, width, zero], fill=(200, 200, 200))
    if len(numbers) < width:
        step = width / (len(numbers) - 1)
        draw.line([(k * step, 4 + (high - one) * scale) for k, one in enumerate(numbers)], fill=_INK, width=2)
        return picture
    edges = np.linspace(0, len(numbers), width + 1).astype(int)
    for x, (first, last) in enumerate(itertools.pairwise(edges)):
        part = numbers[first : max(last, first + 1)]
        draw.line(
            [
                x,
                4 + (high - part.max()) * scale,
                x,
                4 + (high - part.min()) * scale + 1,
            ],
            fill=_INK,
        )
    return picture


def heat(numbers: Any, decibels: bool = True) -> Image.Image:
    """Shows a spectrum, frequencies upwards: dark is quiet."""
    numbers = np.atleast_2d(np.asarray(numbers, np.float64))
    if decibels:
        numbers = 10 * np.log10(np.maximum(numbers, numbers.max() * 1e-8))
    low, high = np.percentile(numbers, (10, 99))  # the first coefficients of cosines are far from the others
    level = ((numbers - low) / max(high - low, 1e-9)).clip(0, 1)[::-1]
    # From dark blue by violet and orange to a pale yellow.
    colors = np.array([[13, 8, 60], [120, 20, 130], [230, 90, 60], [252, 250, 190]], np.float64)
    pixels = np.stack([np.interp(level, np.linspace(0, 1, 4), colors[:, k]) for k in range(3)], -1)
    return Image.fromarray(pixels.astype(np.uint8)).resize(_PLOT, Image.Resampling.NEAREST)


def signals(results: Results) -> Pair:
    """A signal before and after."""
    return curve(results.inputs["signal"]), curve(results.outputs[0].sample)


def of_first(results: Results) -> Pair:
    """The image of a file, by Pillow, and the output."""
    file, after = results.inputs["files"], results.outputs[0]
    before = Image.open(io.BytesIO(file.tobytes())) if file.ndim == 1 else as_image(file)
    return before, as_image(after.sample, after.layout or "HWC")


def of_sound(results: Results) -> Pair:
    """The bytes of a file, and the signal in it."""
    return curve(results.inputs["sounds"]), curve(results.outputs[0].sample)


def spectra(results: Results, decibels: bool = True) -> Pair:
    """A signal, or the spectrum that was given, and the spectrum that follows."""
    before = heat(results.inputs["spectrum"]) if "spectrum" in results.inputs else curve(results.inputs["signal"])
    return before, heat(results.outputs[0].sample, decibels)


levels = functools.partial(spectra, decibels=False)
