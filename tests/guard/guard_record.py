"""What a stage of the guard knows so far: a file of JSON that is written whole after each step, so that it can go on."""

from __future__ import annotations

import json
import os
import pathlib
import threading
from typing import Any

_writing = threading.Lock()


class Record:
    """A dictionary in a file.

    Args:
        path: the file; need not exist.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.values: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def save(self) -> None:
        with _writing:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_suffix(".part")
            part.write_text(json.dumps(self.values, indent=1))
            os.replace(part, self.path)
