"""What a case of the catalogue is: one use of an operator as users write it, for DALI and jaxdali alike."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["FLOAT", "SIDE", "SIDES", "Case", "Dali", "Later", "constant", "image_pair", "read"]


@dataclasses.dataclass(frozen=True)
class Dali:
    """One of the two packages, how large what is cut out shall be, and how many samples a batch has."""

    fn: Any
    types: Any
    side: int
    batch: int


@dataclasses.dataclass(frozen=True)
class Case:
    """One use of an operator.

    Attributes:
        inputs: kinds of its inputs, of `catalogue_inputs`.
        call: `(dali, *inputs)`; without inputs `(dali, number of the application)`. Returns a node or a list of them.
        text: what it is given, for the table.
        drawn: numbers are drawn, which no other system draws alike: types and numbers of axes are compared alone.
        off: this share of the values may be further from DALI's than `apart`.
        apart: levels of integers, or the share of the largest number of floats; not given: 1, or 1e-4.
    """

    inputs: tuple[str, ...]
    call: Callable[..., Any]
    text: str = ""
    drawn: bool = False
    off: float = 0.0
    apart: float | None = None


@dataclasses.dataclass(frozen=True)
class Later:
    """An argument that depends on the package or the size, and how it is shown."""

    text: str
    of: Callable[[Dali], Any]

    def __str__(self) -> str:
        return self.text


SIDE = Later("side", lambda dali: dali.side)
SIDES = Later("side", lambda dali: [dali.side, dali.side])


def constant(name: str) -> Later:
    """A constant of `types`."""
    return Later(name, lambda dali: getattr(dali.types, name))


FLOAT = constant("FLOAT")


def read(dali: Dali, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with the values of those that come later."""
    return {name: value.of(dali) if isinstance(value, Later) else value for name, value in given.items()}


def image_pair(name: str, first: Mapping[str, Any], second: Mapping[str, Any], **options: Any) -> list[Case]:
    """An operator on images with these arguments; the second time images differ in size."""

    def case(kind: str, given: Mapping[str, Any]) -> Case:
        def call(dali: Dali, images: Any) -> Any:
            function: Any = functools.reduce(getattr, name.split("."), dali.fn)
            return function(images, **read(dali, given))

        return Case((kind,), call, ", ".join(f"{key}={value}" for key, value in given.items()), **options)

    return [case("images", first), case("ragged", second)]
