"""The tables of guides from other libraries: what they have, and the code that replaces it."""

from __future__ import annotations

import itertools
import pathlib
import re
from typing import Any

import house_rules
import jax
import numpy as np

import jaxdali

__all__ = ["PAGES", "namespace", "page_text", "result", "rows", "samples", "write_files"]

# By page: the section whose rows have the same samples on both sides, and the one whose rows do not.
PAGES = {
    "guides/torch_dataloader.md": ("Arguments with a counterpart", "Arguments that go away, or become something else"),
    "guides/tf_data.md": ("Methods with a counterpart", "Methods that become something else"),
    "guides/grain.md": ("Methods with a counterpart", "Classes that become arguments"),
}


def page_text(page: str) -> str:
    return (house_rules.ROOT / "docs" / page).read_text()


def write_files(folder: pathlib.Path) -> None:
    """The files that rows read."""
    (folder / "lines.txt").write_text("one\ntwo\n")
    (folder / "table.csv").write_text("1,2\n3,4\n")
    (folder / "records.bin").write_bytes(bytes(range(8)))


def rows(page: str, section: str) -> list[tuple[str, str, str]]:
    """(what the other library has, the code here, what is said of it) of the tables of a section."""
    found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", page_text(page), re.MULTILINE | re.DOTALL)
    assert found is not None, section
    lines = [line.strip().strip("|").split(" | ") for line in found[1].splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line] for line in lines[1:]]
    return [(theirs.strip("`"), ours.strip("`"), "".join(said)) for theirs, ours, *said in cells]


def namespace(page: str) -> dict[str, Any]:
    """What the page's programs define, and what its tables may use."""
    defined: dict[str, Any] = {
        "data": range(10),
        "words": [{"ids": np.arange(1 + index % 7, dtype=np.int32)} for index in range(12)],
    }
    for program in re.findall(r"```python\n(.*?)```", page_text(page), re.DOTALL):
        exec(program.replace("workers=2", "workers=0"), defined)
    return defined


def result(code: str, defined: dict[str, Any]) -> Any:
    """What a row's code gives; `loader` is one at its beginning."""
    loader = jaxdali.Loader(range(10), batch_size=4, epochs=1, workers=0, last_batch="mask")
    return eval(code, {**defined, "loader": loader})


def samples(data: Any) -> list[Any]:
    """All samples of data, of a Loader (without what fills up the last batch), or of a stream, as lists of leaves."""
    if isinstance(data, jaxdali.Loader):
        batches = [(jax.tree.leaves(batch), data.mask(step)) for step, batch in data.enumerate()]
        found = [[leaf[k] for leaf in leaves] for leaves, mask in batches for k in np.flatnonzero(mask)]
    elif isinstance(data, jaxdali.source.Iterable):
        loader = jaxdali.Loader(data, lambda batch, keys, mask: (batch, mask), batch_size=1, epochs=1, workers=0)
        found = [
            jax.tree.map(lambda leaf: np.asarray(leaf)[0], batch)
            for batch, mask in itertools.islice(loader, 100)
            if mask[0]
        ]
    else:
        found = [data[index] for index in range(len(data))]
    return [[np.asarray(leaf).tolist() for leaf in jax.tree.leaves(sample)] for sample in found]
