"""What an operator's declaration says of its inputs and arguments."""

from __future__ import annotations

import dataclasses
from typing import Any

from .kinds import NUMBERS, Kind

__all__ = ["COMMON", "REQUIRED", "Input", "Old", "Only", "Param", "PerSample", "Static"]


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


# In place of a default.
REQUIRED = _Required()


@dataclasses.dataclass(frozen=True)
class Input:
    """A node that an operator works on, by position.

    Attributes:
        takes: "numbers", of any shape; "images"; "mosaics", images of one channel; "files" of images;
            "sounds" or "videos", files of those;
            "windows", numbers that say where one is; "truth", one BOOL per sample; "count", one integer per sample;
            "extents", the shape of an image; "boxes", and "labels", one for each; or "mask_ids", "polygons" and "vertices".
        optional: it may be left out, or None.
        several: any number of them, one at least; the last input only.
    """

    name: str
    doc: str
    takes: str = "numbers"
    optional: bool = False
    several: bool = False


@dataclasses.dataclass(frozen=True)
class Param:
    """An argument of an operator.

    Attributes:
        kind: what it may be; None is read as "not given" where that is the default.
        default: `REQUIRED` where it must be given.
        per_sample: it may be a node with a value per sample.
        ragged: the operator takes nodes whose samples differ in shape: of a node it is given the `BatchValue`.
        bounded: likewise, whose largest numbers must be known before there is data; see `operators.bounded`.
        hint: it changes no result.
        hidden: users cannot give it.
        instead: what to do where it would be a node, and cannot be one.
    """

    name: str
    kind: Kind
    default: object
    doc: str
    per_sample: bool = False
    ragged: bool = False
    bounded: bool = False
    hint: bool = False
    hidden: bool = False
    instead: str = ""


def Static(name: str, kind: Kind, default: object, doc: str, instead: str = "") -> Param:
    """An argument that is known when the graph is defined."""
    return Param(name, kind, default, doc, instead=instead)


def PerSample(
    name: str, default: object, doc: str, kind: Kind = NUMBERS, ragged: bool = False, bounded: bool = False
) -> Param:
    """An argument that may be a node, with a value per sample."""
    return Param(name, kind, default, doc, per_sample=True, ragged=ragged or bounded, bounded=bounded)


@dataclasses.dataclass(frozen=True)
class Only:
    """An argument of DALI's of which one value is honoured, the one that describes how it is here.

    Attributes:
        alternative: what to do where another one is wanted.
    """

    value: Any
    alternative: str


# What all operators have.
COMMON = ("device", "name", "preserve", "bytes_per_sample_hint")


@dataclasses.dataclass(frozen=True)
class Old:
    """An argument of DALI's that is deprecated there: it is taken, with a warning.

    Attributes:
        now: the argument that it is another name of; empty: it has no effect any more.
    """

    now: str = ""
