"""Parquet files, as `view` and `bench` read them: there is no reader of them, so a pipeline calls their source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .image_inputs import Content, size_of_files

__all__ = ["parquet_files"]


def parquet_files(paths: Sequence[str]) -> Content:
    """All columns of Parquet files, of which the first one that is an image in the first row is decoded."""
    from jaxdali import fn
    from jaxdali._base.formats.format_names import recognise
    from jaxdali._dali.pipeline.pipeline import Pipeline
    from jaxdali._feed.source.parquet import Parquet

    data = Parquet(paths)
    first = _leaves(data[0])
    image = next((name for name, value in first.items() if isinstance(value, bytes) and recognise(value)), None)
    names = [name for name in first if name != image]
    names = names if image is None else [image, *names]

    def nodes(_name: str) -> list[Any]:
        workers = Pipeline.current().py_num_workers
        return fn.external_source(source=_Rows(data, names), num_outputs=len(names), batch=False, parallel=workers > 0)

    return Content(
        **{"kind": "Parquet", "unit": "rows" if image is None else "images", "paths": paths, "nodes": nodes},
        encoded=image is not None,
        data=lambda: data if image is None else Parquet(paths, [image]),
        shown=lambda row: _leaves(row)[names[0]],
        bytes_of=lambda: size_of_files(paths),
        count=len(data),
        why=None if image is not None else _no_image(paths[0], list(first)),
    )


class _Rows:
    """Rows one after the other, over and over; of each what is in some of its columns."""

    def __init__(self, data: Any, names: Sequence[str]):
        self.data, self.names = data, list(names)

    def __call__(self, info: Any) -> tuple[Any, ...]:
        import numpy as np

        row = _leaves(self.data[self._index(info.idx_in_epoch)])
        values = [row[name] for name in self.names]
        return tuple(np.frombuffer(one, np.uint8) if isinstance(one, bytes) else np.asarray(one) for one in values)

    def source_info(self, position: int) -> str:
        """What errors call the row at a position."""
        return self.data.source_info(self._index(position))

    def _index(self, position: int) -> int:
        return position % len(self.data)


def _leaves(row: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """The values of a row by names such as "image.bytes"."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        found |= _leaves(value, f"{above}{name}.") if isinstance(value, dict) else {f"{above}{name}": value}
    return found


def _no_image(path: str, names: Sequence[str]) -> str:
    return (
        f"{path}: no column of its first row is an image; there are {', '.join(map(repr, names[:10]))}. `jaxdali bench` "
        "measures how fast they are read"
    )
