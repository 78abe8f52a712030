"""Images that the first sample does not have: later samples, or the user, say what they are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from jaxdali._base.aliases import Sample
from jaxdali._base.batch import Status
from jaxdali._base.user_warnings import warn_user
from jaxdali._feed.source.leaf_codec import is_file
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import SampleOrigin, SourceDataError
from .leaf_arguments import LeafArguments, shortest

__all__ = ["LOOKED_AT", "completed", "is_absent", "raise_unknown", "warn_of_missing"]

# How many samples are read until it is known what the first one lacks.
LOOKED_AT = 64


def is_absent(leaf: object) -> bool:
    """Whether a leaf is an image that its sample does not have."""
    return leaf is None or (isinstance(leaf, dict) and is_file(leaf) and leaf["bytes"] is leaf["path"] is None)


def completed(samples: Iterator[Sample], arguments: LeafArguments) -> Sample:
    """Returns the first sample, with the files of later ones where it has None and the user has declared nothing.

    Raises:
        ConfigError: `host` or `optional` names something that samples do not have.
        SourceDataError: later samples have something other than a file there.
    """
    sample = next(samples)
    structure = arguments.structure_of(sample)
    leaves = list(structure.flatten(sample))
    pairs = list(zip(structure.paths, leaves, strict=True))
    files = [path for path, leaf in pairs if leaf is None or isinstance(leaf, bytes) or is_file(leaf)]
    declared = arguments.hosted(structure) | arguments.files("optional", structure, files)
    wanted = {index for index, (path, leaf) in enumerate(pairs) if is_absent(leaf) and path not in declared}
    if not wanted:
        return sample
    for other in itertools.islice(samples, LOOKED_AT - 1):
        try:
            found = structure.flatten(other)
        except SourceDataError:
            continue  # its own step says so
        for index in [index for index in wanted if not is_absent(found[index])]:
            _check_file(found[index], structure, index)
            leaves[index] = found[index]
            wanted.remove(index)
        if not wanted:
            break
    return structure.unflatten(leaves)


def _check_file(leaf: object, structure: Structure, index: int) -> None:
    if not (isinstance(leaf, bytes) or is_file(leaf)):
        raise SourceDataError(
            f"{structure.names[index]!r} is None in the first sample, and a {type(leaf).__name__} in a later one, but only "
            "images, the bytes of their files, may be missing. Return a value that stands for it, such as zeros, and a flag "
            f"beside it; or get values on the host, as they are: Loader(..., host=({shortest(structure.paths[index])!r},))",
            SampleOrigin(output=structure.names[index], sample_index=0),
        )


def raise_unknown(structure: Structure, index: int) -> NoReturn:
    """Raises SourceDataError: nobody knows what samples have where the first ones have None."""
    leaf = shortest(structure.paths[index])
    raise SourceDataError(
        f"{structure.names[index]!r} is None in the first sample, and in up to {LOOKED_AT - 1} after it, so it is unknown "
        f"what others hold. If these are images that may be missing, declare it: Loader(..., optional=({leaf!r},)); to get "
        f"values of any type, on the host: host=({leaf!r},)",
        SampleOrigin(output=structure.names[index], sample_index=0),
    )


def warn_of_missing(step: Any, columns: Sequence[int]) -> bool:
    """Warns if a step has images that are missing.

    Args:
        step: an executor's `Step`.
        columns: those of files, of which `augment` did not ask which are there.
    """
    for column in (step.columns[index] for index in columns):
        rows = (column.status == Status.MISSING).nonzero()[0]
        if rows.size:
            name = column.column.name
            warn_user(
                f"{name!r} is None, an image that is missing, whose pixels are zeros, and augment does not ask which images "
                "there are. Use files.present, bool[N], of its batch; or name it in Loader(..., optional=) if you know "
                f"[{step.origin(name, int(rows[0]))}]",
                UserWarning,
            )
            return True
    return False
