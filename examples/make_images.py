"""Writes a small image folder that looks like a real one: JPEGs of many sizes and kinds.

    python examples/make_images.py FOLDER

The pictures are drawn (lakes and towns, two classes), with a camera's noise, and are the same
on every run. They include landscape and portrait formats from 320x240 to 1024x768; 4:4:4, 4:2:2,
4:2:0 and gray files; progressive ones; and one stored sideways with an EXIF orientation.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib

import numpy as np
from PIL import Image, ImageDraw

CLASSES = ("lake", "town")
SIZES = ((320, 240), (400, 300), (500, 375), (640, 427), (640, 480), (800, 600), (1024, 768))

# Pillow's numbers for chroma subsampling.
SUBSAMPLING = {"4:4:4": 0, "4:2:2": 1, "4:2:0": 2}

EXIF_ORIENTATION = 0x0112
ROTATE_TO_VIEW = 6  # the viewer rotates the stored image by 90 degrees clockwise


@dataclasses.dataclass(frozen=True)
class Kind:
    """How one picture is stored.

    Attributes:
        size: width and height in pixels, as displayed.
        chroma: "4:4:4", "4:2:2", "4:2:0" or "gray".
        progressive: stored in several scans.
        sideways: stored rotated, with EXIF orientation 6.
    """

    size: tuple[int, int]
    chroma: str
    progressive: bool = False
    sideways: bool = False


def kind_of(index: int) -> Kind:
    """The kind of picture number `index`: sizes and chroma take turns, so that all pairs occur."""
    width, height = SIZES[index % len(SIZES)]
    portrait = index % 3 == 2
    chroma = ("4:2:0", "4:4:4", "4:2:0", "4:2:2", "gray")[index % 5]
    return Kind(
        size=(height, width) if portrait else (width, height),
        chroma=chroma,
        progressive=index % 8 == 5,
        sideways=index % 12 == 6,
    )


def sky_and_ground(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """`uint8[height, width, 3]`: a sky that pales towards the horizon above rolling ground."""
    y = np.linspace(0, 1, height)[:, None, None]
    zenith, horizon = rng.uniform((30, 70, 130), (90, 130, 230)), rng.uniform(190, 250, 3)
    column = zenith + (horizon - zenith) * np.minimum(1, y / 0.55)
    picture = np.repeat(column, width, axis=1)
    x = np.linspace(0, 2 * np.pi, width)
    for depth in range(3):
        ridge = 0.5 + 0.1 * depth + 0.06 * np.sin((depth + 1) * x + rng.uniform(0, 6))
        ridge += 0.015 * np.sin(11 * x * rng.uniform(0.8, 1.2))
        below = y[:, :, 0] > ridge[None, :]
        picture[below] = rng.uniform((40, 80, 30), (110, 140, 80)) * (1 - 0.22 * depth)
    return picture.clip(0, 255).astype(np.uint8)


def draw_lake(rng: np.random.Generator, draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """A sun, a lake with waves and a boat."""
    radius = height // int(rng.integers(9, 14))
    x, y = int(rng.uniform(0.15, 0.85) * width), int(rng.uniform(0.12, 0.3) * height)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(255, 240, 170))
    shore = int(0.72 * height)
    draw.rectangle((0, shore, width, height), fill=(40, 90, 140))
    for wave in range(shore + 4, height, 7):
        start = int(rng.uniform(0, 0.6) * width)
        draw.line((start, wave, start + width // 3, wave), fill=(120, 170, 210), width=2)
    x, y = int(rng.uniform(0.2, 0.7) * width), int(0.8 * height)
    length = width // 10
    draw.polygon([(x, y), (x + length, y), (x + length * 3 // 4, y + 12), (x + 9, y + 12)], "brown")
    draw.polygon([(x + length // 2, y - length), (x + length // 2, y), (x + length, y)], "white")


def draw_town(rng: np.random.Generator, draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """A row of houses with lit windows."""
    ground = int(0.92 * height)
    x = 0
    while x < width:
        house = int(rng.uniform(0.08, 0.17) * width)
        top = int(rng.uniform(0.2, 0.6) * height)
        wall = tuple(int(c) for c in rng.integers(60, 230, 3))
        draw.rectangle((x, top, x + house - 3, ground), fill=wall)
        draw.polygon([(x, top), (x + house - 3, top), (x + house // 2, top - house // 3)], "maroon")
        pane = max(6, house // 5)
        for row in range(top + pane, ground - pane, 2 * pane):
            for column in range(x + pane // 2, x + house - pane - 3, 2 * pane):
                light = (250, 220, 120) if rng.random() < 0.4 else (40, 50, 70)
                draw.rectangle((column, row, column + pane, row + pane), fill=light)
        x += house


def draw_picture(label: int, width: int, height: int, seed: int) -> Image.Image:
    """An RGB picture of class `label`, which depends only on the arguments."""
    rng = np.random.default_rng(seed)
    picture = Image.fromarray(sky_and_ground(rng, width, height))
    draw = ImageDraw.Draw(picture)
    (draw_lake, draw_town)[label](rng, draw, width, height)
    noise = rng.normal(0, 5, (height, width, 3))
    return Image.fromarray((np.asarray(picture) + noise).clip(0, 255).astype(np.uint8))


def save(picture: Image.Image, path: pathlib.Path, kind: Kind) -> None:
    """Writes `picture` as a JPEG of that kind."""
    options: dict = {"quality": 90, "progressive": kind.progressive}
    if kind.chroma == "gray":
        picture = picture.convert("L")
    else:
        options["subsampling"] = SUBSAMPLING[kind.chroma]
    if kind.sideways:
        exif = Image.Exif()
        exif[EXIF_ORIENTATION] = ROTATE_TO_VIEW
        options["exif"] = exif
        picture = picture.transpose(Image.Transpose.ROTATE_90)
    picture.save(path, "JPEG", **options)


def make_images(folder: str | pathlib.Path, count: int = 24) -> list[tuple[str, int]]:
    """Writes `count` JPEGs to class folders below `folder`, and a `file_list.txt` next to these.

    Returns:
        (path below `folder`, label) of each, as in the lines of file_list.txt.
    """
    folder = pathlib.Path(folder)
    entries = []
    for index in range(count):
        label = index % len(CLASSES)
        name = f"{CLASSES[label]}/{CLASSES[label]}_{index // len(CLASSES):02d}.jpg"
        kind = kind_of(index)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        save(draw_picture(label, *kind.size, seed=index), folder / name, kind)
        entries.append((name, label))
    write_file_list(folder, entries)
    return entries


def write_file_list(folder: pathlib.Path, entries: list[tuple[str, int]]) -> None:
    """Writes `folder`/file_list.txt with a line "path label" for each entry."""
    lines = "".join(f"{name} {label}\n" for name, label in entries)
    (folder / "file_list.txt").write_text(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where to write; made if it does not exist")
    parser.add_argument("--count", type=int, default=24, help="how many images (default 24)")
    arguments = parser.parse_args()
    written = make_images(arguments.folder, arguments.count)
    print(f"wrote {len(written)} JPEGs and file_list.txt to {arguments.folder}")
