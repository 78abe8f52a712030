"""What griffe, which reads docstrings for the site, has to be told of ours."""

from __future__ import annotations

import importlib
import re
from typing import Any

import griffe
import public_api

__all__ = ["Ours"]


class Ours(griffe.Extension):
    """Shows signatures and docstrings as users may read them.

    `Example:` is a section of code, as `Examples:` is, and lists are found after a sentence, too. Classes show no base that
    is not public. A default is the value of a constant and not its name behind the doors.
    """

    def __init__(self) -> None:
        super().__init__()
        self._public = {thing.__name__ for _, thing in public_api.public_objects() if isinstance(thing, type)}

    def on_object(self, *, obj: griffe.Object, **given: Any) -> None:
        if obj.docstring is not None:
            text = re.sub(r"^(\s*)Example:$", r"\1Examples:", obj.docstring.value, flags=re.MULTILINE)
            obj.docstring.value = re.sub(r"(^(?! *[*-] ).*\S)\n(?= *[*-] )", r"\1\n\n", text, flags=re.MULTILINE)

    def on_class(self, *, cls: griffe.Class, **given: Any) -> None:
        cls.bases = [base for base in cls.bases if self._is_public(str(base).rpartition(".")[2].partition("[")[0])]

    def on_function(self, *, func: griffe.Function, **given: Any) -> None:
        for parameter in (one for function in (func, *(func.overloads or ())) for one in function.parameters):
            if re.fullmatch(r"_?[A-Z][A-Z0-9_]+", str(parameter.default)):
                module = importlib.import_module(func.module.path)
                value = getattr(module, str(parameter.default))
                if value is None or isinstance(value, bool | int | float | str | tuple):
                    parameter.default = repr(value)

    def _is_public(self, base: str) -> bool:
        return base in self._public or hasattr(__import__("builtins"), base)
