"""The thumbnails of `view` from batches of a Loader or a Pipeline of a user's program."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

from jaxdali._base.gallery import Shown
from jaxdali.errors import ConfigError
from .user_program import batches_of, load

__all__ = ["pixels_of", "program_cells"]


def program_cells(path: str, count: int) -> tuple[str, list[Shown]]:
    """Returns what a program's batches come from, "Loader" or "Pipeline", and thumbnails of their first images.

    Args:
        path: `program.py:name`.
        count: how many; there are fewer if the data end.

    Raises:
        ConfigError: it names neither, or their batches have no images.
        Exception: what the program raises.
    """
    from jaxdali._dali.show import picture_cells

    found = load(path)
    batches = batches_of(found, path)
    cells: list[Shown] = []
    with contextlib.closing(batches):
        for batch in _batches(found, batches.kind):
            cells += picture_cells(batch, count - len(cells))
            if len(cells) >= count:
                break
    if not cells:
        raise ConfigError(f"{path} gives no batch; see whether its source has samples")
    return batches.kind, cells


def _batches(found: Any, kind: str) -> Iterator[Any]:
    if kind == "Loader":
        yield from found
        return
    with contextlib.suppress(StopIteration):
        while True:
            yield found.run()


def pixels_of(cell: Shown) -> Any:
    """Returns the pixels of a thumbnail, `uint8[height, width, 3]`; None if it has none."""
    import numpy as np
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(cell.png)).convert("RGB")) if cell.png else None
