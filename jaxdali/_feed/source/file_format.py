"""What a source says about its files: how they are recognised, and which index they have. Imports no NumPy, for which
`jaxdali --help` would wait.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

__all__ = ["FileFormat"]


@dataclasses.dataclass(frozen=True)
class FileFormat:
    """A file format. A class of `jaxdali.source` has it as `_format`; the command line and the tests find it there.

    Attributes:
        name: what users call it.
        endings: a regular expression for the ends of file names. None: names do not tell it.
        begins: whether some bytes are the first ones of such a file. None: they do not tell it.
        head: how many bytes `begins` looks at.
        index: `(path, watch) -> (text of the file's index, number of samples)`; `watch(offset, size)` is told the progress.
            None: files need no index.
        unit: what samples are called, in the plural.
        columns: whether the class takes `columns`, the names of what it reads of a sample.
    """

    name: str
    endings: str | None = None
    begins: Callable[[bytes], bool] | None = None
    head: int = 0
    index: Callable[[str, Callable[[int, int], None]], tuple[bytes, int]] | None = None
    unit: str = "samples"
    columns: bool = False

    @staticmethod
    def of(source: object) -> FileFormat | None:
        """Returns the format that a source or its class reads; None if it reads no files."""
        return getattr(source, "_format", None)

    def place_in(self, name: str) -> int:
        """Returns where in a file's name an ending of this format ends; -1 if the name has none."""
        found = None if self.endings is None else re.search(self.endings, name, re.IGNORECASE)
        return -1 if found is None else found.end()
