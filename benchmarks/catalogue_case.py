"""Defines a case of the catalogue: one use of an operator as users write it, for DALI and jaxdali alike."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["FLOAT", "SIDE", "SIDES", "Case", "Dali", "Later", "constant", "image_pair", "read"]


@dataclasses.dataclass(frozen=True)
class Dali:
    """One of the two packages, the side of windows to cut out, and the number of samples in a batch."""

    fn: Any
    types: Any
    side: int
    batch: int


@dataclasses.dataclass(frozen=True)
class Case:
    """One use of an operator.

    Attributes:
        inputs: kinds of its inputs, from `catalogue_inputs`.
        call: takes `(dali, *inputs)`, or `(dali, number of the application)` without inputs. Returns one or more nodes.
        text: its arguments, for the table.
        drawn: the operator draws random numbers, which differ between systems; only dtypes and ranks are compared.
        off: fraction of the values that may differ from DALI's by more than `apart`.
        apart: allowed difference in levels of integers, or relative to the largest float; None: 1, or 1e-4.
    """

    inputs: tuple[str, ...]
    call: Callable[..., Any]
    text: str = ""
    drawn: bool = False
    off: float = 0.0
    apart: float | None = None


@dataclasses.dataclass(frozen=True)
class Later:
    """An argument that depends on the package or the size, and how to show it."""

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
    """Replaces each `Later` among the arguments by its value."""
    return {name: value.of(dali) if isinstance(value, Later) else value for name, value in given.items()}


def image_pair(name: str, first: Mapping[str, Any], second: Mapping[str, Any], **options: Any) -> list[Case]:
    """Two cases of an operator on images with these arguments; in the second one, images differ in size."""

    def case(kind: str, given: Mapping[str, Any]) -> Case:
        def call(dali: Dali, images: Any) -> Any:
            function: Any = functools.reduce(getattr, name.split("."), dali.fn)
            return function(images, **read(dali, given))

        return Case((kind,), call, ", ".join(f"{key}={value}" for key, value in given.items()), **options)

    return [case("images", first), case("ragged", second)]
