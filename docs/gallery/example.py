"""An example of an operator or a function: code that pages show and that runs."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PIL import Image

from .kits import Kit

__all__ = ["Example", "Group", "Output", "Pair", "Results"]

# The pictures before and after.
Pair = tuple[Image.Image, Image.Image]


@dataclasses.dataclass(frozen=True)
class Output:
    """An output.

    Attributes:
        text: the type, shape and layout of its first sample, as the program on the page prints them.
        batch: the samples.
        layout: its layout; empty if it has none.
    """

    text: str
    batch: Sequence[Any]
    layout: str = ""

    @property
    def sample(self) -> Any:
        """The first sample."""
        return self.batch[0]


@dataclasses.dataclass(frozen=True)
class Results:
    """What an example was given and what it gave.

    Attributes:
        batches: the samples of each input, by name.
        outputs: what it returned, in order.
    """

    batches: Mapping[str, Sequence[Any]]
    outputs: tuple[Output, ...]

    @property
    def inputs(self) -> dict[str, Any]:
        """The first sample of each input."""
        return {name: batch[0] for name, batch in self.batches.items()}


@dataclasses.dataclass(frozen=True, eq=False)
class Example:
    """An example.

    Attributes:
        name: of what it shows: "fn.rotate", "image.rotate".
        function: takes inputs of the kit by their names, and returns what the program shows.
        gives: what the program prints, a text for each output; "*" stands for what is drawn.
        kit: what it is given.
        drawing: makes the pictures; None if there is nothing to see.
        fed: a line that feeds the pipeline before it runs; such an example is run as a program of its own.
    """

    name: str
    function: Callable[..., Any]
    gives: tuple[str, ...]
    kit: Kit
    drawing: Callable[[Results], Pair] | None = None
    fed: str = ""

    @property
    def text(self) -> str:
        """What it shows, in a sentence or two."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    def is_given(self, texts: Sequence[str]) -> bool:
        """Whether what it printed is what the page says."""
        patterns = [re.escape(text).replace(re.escape("*"), ".*") for text in self.gives]
        return len(texts) == len(patterns) and all(map(re.fullmatch, patterns, texts))

    @property
    def inputs(self) -> list[str]:
        """The names of what it is given."""
        return list(inspect.signature(self.function).parameters)

    @property
    def body(self) -> str:
        """The lines of the function, without its docstring."""
        lines, _ = inspect.getsourcelines(self.function)
        function = ast.parse(textwrap.dedent("".join(lines))).body[0]
        assert isinstance(function, ast.FunctionDef)
        return textwrap.dedent("".join(lines[function.body[1].lineno - 1 :]))


class Group:
    """Operators that belong together, each with an example.

    Args:
        title: heads their table.
        kit: what examples are given if they say nothing else.
        drawing: makes their pictures if they say nothing else.
    """

    def __init__(self, title: str, kit: Kit, drawing: Callable[[Results], Pair] | None = None):
        self.title = title
        self.examples: list[Example] = []
        self._kit = kit
        self._drawing = drawing

    def __call__(self, name: str, *gives: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Makes an example of a function.

        Args:
            name: see `Example`.
            gives: see `Example`.
            options: `kit` or `drawing`, in place of the group's; or `fed`.
        """

        def note(function: Callable[..., Any]) -> Callable[..., Any]:
            own = {"kit": self._kit, "drawing": self._drawing, **options}
            self.examples.append(Example(name, function, gives, **own))
            return function

        return note

    @property
    def names(self) -> list[str]:
        """What it has examples of, in the order of the first ones."""
        return list(dict.fromkeys(example.name for example in self.examples))
