"""Contact sheets: a grid of thumbnails with a caption under each."""

from __future__ import annotations

import math
import pathlib

import numpy as np
from PIL import Image, ImageDraw

THUMBNAIL = 200  # the longer side, in pixels
CAPTION = 16  # height of the line of text below
GAP = 8


class ContactSheet:
    """Collects thumbnails; `save` lays them out. Only thumbnails are kept in memory."""

    def __init__(self, columns: int = 6):
        self.columns = columns
        self._cells: list[tuple[Image.Image, str]] = []

    def add(self, image: np.ndarray, caption: str) -> None:
        """Adds `image: uint8[height, width, 3]` (RGB)."""
        picture = Image.fromarray(image)
        picture.thumbnail((THUMBNAIL, THUMBNAIL))
        self._cells.append((picture, caption))

    def save(self, path: str | pathlib.Path) -> None:
        """Writes the sheet; the format follows from the path's suffix."""
        columns = max(1, min(self.columns, len(self._cells)))
        rows = math.ceil(len(self._cells) / columns)
        width, height = THUMBNAIL + GAP, THUMBNAIL + CAPTION + GAP
        sheet = Image.new("RGB", (GAP + columns * width, GAP + rows * height), "white")
        draw = ImageDraw.Draw(sheet)
        for index, (picture, caption) in enumerate(self._cells):
            left, top = GAP + index % columns * width, GAP + index // columns * height
            inset = (THUMBNAIL - picture.width) // 2, (THUMBNAIL - picture.height) // 2
            sheet.paste(picture, (left + inset[0], top + inset[1]))
            draw.text((left, top + THUMBNAIL + 2), caption, fill="black")
        sheet.save(path)
