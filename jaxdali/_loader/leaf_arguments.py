"""The arguments of a Loader that name leaves: `ragged`, `host`, `indexed` and `optional`."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._feed.source.registered_class import Registered
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import ConfigError, check_integer

__all__ = ["LeafArguments", "Path"]

Path = tuple[Any, ...]


@dataclasses.dataclass(frozen=True)
class LeafArguments:
    """Those arguments, as the user gave them. A name may be that of a leaf, or of a dict, list or object with leaves below.

    Attributes:
        ragged, host, indexed, optional: as for `Loader`.
    """

    ragged: Any = ()
    host: Any = ()
    indexed: Any = ()
    optional: Any = ()

    def structure_of(self, sample: object) -> Structure:
        """Returns the nesting of a sample. Raises SourceDataError if it has none."""
        from .pytree_classes import registered  # loads jax

        whole = [] if isinstance(self.host, str) or not isinstance(self.host, Collection) else map(as_path, self.host)
        kept = set(whole)

        def known(value: object, path: Path) -> Registered | None:
            return None if path in kept else registered(value)

        return Structure(sample, known)

    def hosted(self, structure: Structure) -> set[Path]:
        """Returns the paths of the leaves that `host` names. Raises ConfigError if it names something else."""
        return _paths("host", self.host, structure, structure.paths)

    def files(self, argument: str, structure: Structure, files: Sequence[Path]) -> set[Path]:
        """Returns the paths of the files that `indexed` or `optional` names. Raises ConfigError if it names no file."""
        return _paths(argument, getattr(self, argument), structure, files)

    def extents(self, structure: Structure, leaves: Sequence[object]) -> dict[Path, tuple[int, ...]]:
        """Returns the paths of the leaves that `ragged` names, and the extents that each is padded to.

        Args:
            leaves: those of the first sample; None for one that stays on the host.

        Raises:
            ConfigError: it names something whose shape cannot differ, or the extents are no such integers.
        """
        ragged = self.ragged
        if isinstance(ragged, str | bytes) or not isinstance(ragged, Collection):
            raise ConfigError(
                "ragged must be a tuple or list of leaves, e.g. ragged=('ids',), or a dict of leaves and what they are "
                f"padded to, e.g. ragged={{'ids': 512}}, got {ragged!r}"
            )
        found = dict(zip(structure.paths, leaves, strict=True))
        declared: dict[Path, tuple[int, ...]] = {}
        for given in sorted(ragged, key=lambda one: len(as_path(one))):  # what is said of a leaf itself comes last
            below = structure.below(as_path(given))
            differing = [path for path in below if _may_differ(found[path])]
            if not differing:
                raise ConfigError(_why_not_ragged(given, below, found))
            extents = _read_extents(given, ragged[given]) if isinstance(ragged, Mapping) else ()
            declared.update(dict.fromkeys(differing, extents))
        return declared

    def with_ragged(self, path: Path) -> Any:
        """Returns `ragged` as the user would write it with one more leaf."""
        leaf = shortest(path)
        return {**self.ragged, leaf: None} if isinstance(self.ragged, Mapping) else (*self.ragged, leaf)


def as_path(given: object) -> Path:
    """Returns the keys and indices that lead to what an argument names."""
    return given if isinstance(given, tuple) else (given,)


def shortest(path: Path) -> Any:
    """Returns the name of a leaf as the user would write it."""
    return path[0] if len(path) == 1 else path


def _paths(argument: str, given: object, structure: Structure, known: Sequence[Path]) -> set[Path]:
    if isinstance(given, str | bytes) or not isinstance(given, Collection):
        raise ConfigError(f"{argument} must be a tuple or list of leaves, e.g. {argument}=('id',), got {given!r}")
    paths: set[Path] = set()
    for leaf in given:
        found = set(structure.below(as_path(leaf))) & set(known)
        if not found:
            what = "leaf" if argument == "host" else "file"
            raise ConfigError(
                f"{argument} names {leaf!r}, but samples have no such {what}; "
                f"they have: {', '.join(repr(shortest(path)) for path in known) or 'none'}"
            )
        paths |= found
    return paths


def _why_not_ragged(given: object, below: Sequence[Path], found: Mapping[Path, object]) -> str:
    """Returns what is wrong with a name in `ragged`, at and below which no shape can differ."""
    if not below:
        arrays = ", ".join(repr(shortest(path)) for path, leaf in found.items() if _may_differ(leaf))
        return (
            f"ragged names {given!r}, but samples have no such leaf; those whose shapes could differ are: "
            f"{arrays or 'none'}"
        )
    if len(below) > 1 or len(below[0]) != len(as_path(given)):
        return (
            f"ragged names {given!r}, which is nested, with {len(below)} leaves, and not an array; have samples "
            "hold a flat list of the numbers, or an array made with np.asarray"
        )
    leaf, what = found[below[0]], "has no axes"
    if not isinstance(leaf, np.ndarray):
        what = "stays on the host" if leaf is None else "is an image file, which comes in an EncodedBatch"
    return f"ragged names {given!r}, whose shape cannot differ: it {what}; leave it out"


def _read_extents(leaf: object, given: object) -> tuple[int, ...]:
    """Raises ConfigError if the extents are not integers, or not ascending."""
    if given is None:
        return ()
    extents = given if isinstance(given, tuple | list) else (given,)
    checked = tuple(check_integer(f"ragged[{leaf!r}]", extent, 1) for extent in extents)
    if not checked or list(checked) != sorted(set(checked)):
        raise ConfigError(f"ragged[{leaf!r}] must be an integer, or several in ascending order, got {given!r}")
    return checked


def _may_differ(leaf: object) -> bool:
    return isinstance(leaf, np.ndarray) and leaf.ndim > 0
