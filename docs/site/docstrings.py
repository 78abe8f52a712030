"""What griffe, which reads docstrings for the site, has to be told of ours."""

from __future__ import annotations

import re
from typing import Any

import griffe

__all__ = ["Ours"]


class Ours(griffe.Extension):
    """Has griffe take `Example:` for a section of code, as it does `Examples:`, and Markdown find lists after a sentence."""

    def on_object(self, *, obj: griffe.Object, **given: Any) -> None:
        if obj.docstring is not None:
            text = re.sub(r"^(\s*)Example:$", r"\1Examples:", obj.docstring.value, flags=re.MULTILINE)
            obj.docstring.value = re.sub(r"(^(?! *[*-] ).*\S)\n(?= *[*-] )", r"\1\n\n", text, flags=re.MULTILINE)
