"""Describes the inputs and arguments of an operator in its declaration."""

from __future__ import annotations

import dataclasses
from typing import Any

from .argument_kinds import ONE_NUMBER, Kind

__all__ = ["COMMON", "REQUIRED", "Chosen", "Input", "Old", "Only", "Param", "PerSample", "Static"]


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


# Replaces a default.
REQUIRED = _Required()


@dataclasses.dataclass(frozen=True)
class Input:
    """A node that an operator works on, given by position.

    Attributes:
        takes: "numbers", of any shape; "images"; "mosaics", images of one channel; "files" of images;
            "sounds" or "videos", files of those;
            "windows", numbers that say where one is; "truth", one BOOL per sample; "count", one integer per sample;
            "extents", the shape of an image; "boxes", and "labels", one for each; or "mask_ids", "polygons" and "vertices".
        optional: it may be left out, or be None.
        several: any number of nodes, at least one; only the last input can be so.
        assumed: layouts of samples that have none, of which the one with their number of axes counts.
        computed: its numbers are computed with; False if only shapes and types count, or if numbers are just converted.
        bounded: its numbers are extents, whose upper limits must be known before there is data, as of `Param.bounded`.
        in_order: the axes of images count in the order that they have; by default height and width are where the layout
            has "H" and "W".
    """

    name: str
    doc: str
    takes: str = "numbers"
    optional: bool = False
    several: bool = False
    assumed: tuple[str, ...] = ()
    computed: bool = True
    bounded: bool = False
    in_order: bool = False


@dataclasses.dataclass(frozen=True)
class Param:
    """An argument of an operator.

    Attributes:
        kind: what it may be; None is read as "not given" if that is the default.
        default: `REQUIRED` if it must be given.
        per_sample: it may be a node with one value per sample.
        ragged: the operator takes nodes whose samples differ in shape, and is given the node's `BatchValue`.
        chosen: it may be a node of values of an enumeration: the operator is computed with each of them.
        bounded: the same as `ragged`, and upper limits of the node's numbers must be known before there is data; see
            `operators.extent_bounds`.
        hint: it changes no result.
        hidden: users cannot give it.
        instead: what the user can do if it is a node, but cannot be one.
    """

    name: str
    kind: Kind
    default: object
    doc: str
    per_sample: bool = False
    ragged: bool = False
    chosen: bool = False
    bounded: bool = False
    hint: bool = False
    hidden: bool = False
    instead: str = ""


def Static(name: str, kind: Kind, default: object, doc: str, instead: str = "") -> Param:
    """Declares an argument that is known when the graph is defined."""
    return Param(name, kind, default, doc, instead=instead)


def PerSample(
    name: str, default: object, doc: str, kind: Kind = ONE_NUMBER, ragged: bool = False, bounded: bool = False
) -> Param:
    """Declares an argument that may be a node, with one value per sample."""
    return Param(name, kind, default, doc, per_sample=True, ragged=ragged or bounded, bounded=bounded)


def Chosen(name: str, kind: Kind, default: object, doc: str) -> Param:
    """Declares an argument that chooses a computation: a value of an enumeration, or a node with one per sample."""
    return Param(name, kind, default, doc, chosen=True)


@dataclasses.dataclass(frozen=True)
class Only:
    """An argument of DALI's for which only one value is honoured: the one that describes this package.

    Attributes:
        alternative: what the user can do if another value is wanted.
    """

    value: Any
    alternative: str


# Arguments that all operators have.
COMMON = ("device", "name", "preserve", "bytes_per_sample_hint")


@dataclasses.dataclass(frozen=True)
class Old:
    """An argument that is deprecated in DALI: it is accepted with a warning.

    Attributes:
        now: the new name of the argument; empty if it has no effect any more.
    """

    now: str = ""
