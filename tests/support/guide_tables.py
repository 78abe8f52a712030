"""The tables of the guide from torchvision: each row has a transform, the code that replaces it, and the difference."""

from __future__ import annotations

import io
import re
from typing import Any

import house_rules
import jax
import jax.numpy as jnp
import numpy as np
from PIL import Image

import jaxdali

__all__ = ["PAGES", "given", "names", "namespace", "rows"]

PAGES = ("guides/torchvision.md", "guides/torchvision_colors.md")


def _texts() -> list[str]:
    return [(house_rules.ROOT / "docs" / page).read_text() for page in PAGES]


def namespace() -> dict[str, Any]:
    """What the pages' programs define."""
    defined: dict[str, Any] = {}
    for text in _texts():
        for program in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            exec(program, defined)
    return defined


def rows() -> dict[str, str]:
    """Code by the transforms that it replaces, as the first column has them."""
    cells = [
        line.strip("| \n").split(" | ") for text in _texts() for line in text.splitlines() if line.startswith("| ")
    ]
    return {first: code.strip("`") for first, code, *_ in cells if (first, code) != ("v2", "here")}


def names() -> set[str]:
    """The names of transforms in the first column."""
    return {
        name for first in rows() for name in re.findall(r"\b[A-Z][A-Za-z]*[a-z][A-Za-z]*\b|\bRGB\b|\bJPEG\b", first)
    }


def given() -> dict[str, Any]:
    """What the code of a row may use, of two images."""
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (2, 48, 64, 3), dtype=np.uint8)
    files = []
    for one in pixels:
        file = io.BytesIO()
        Image.fromarray(one).save(file, "JPEG")
        files.append(file.getvalue())
    corners = rng.uniform(0.1, 0.4, (2, 3, 2)).astype(np.float32)
    return {
        "x": jnp.asarray(pixels),
        "files": jaxdali.EncodedBatch.from_encoded(files),
        "keys": jax.random.split(jax.random.key(0), 2),
        "more": jax.random.split(jax.random.key(1), 2),
        "labels": jnp.eye(2),
        "b": jnp.asarray(np.concatenate([corners, corners + 0.3], axis=2)),
        "counts": jnp.array([3, 2]),
        "points": jnp.asarray(rng.uniform(0, 1, (2, 5, 2)), jnp.float32),
        "clips": jnp.zeros((2, 4, 8, 8, 3)),
    }
