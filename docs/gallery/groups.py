"""All groups of examples, in the order in which pages show them."""

from __future__ import annotations

from .example import Example, Group
from .functions import augment, auto_aug, image, levels
from .operators import (
    decoders,
    detection,
    geometry,
    maps,
    neighbours,
    numbers,
    readers,
    sounds,
    tensors,
)
from .operators import levels as operator_levels

__all__ = ["GALLERIES", "OPERATORS", "all_examples", "examples_of"]

OPERATORS: list[Group] = [
    readers.GROUP,
    decoders.GROUP,
    geometry.GROUP,
    operator_levels.GROUP,
    neighbours.GROUP,
    maps.GROUP,
    detection.GROUP,
    sounds.GROUP,
    numbers.RANDOM,
    numbers.REDUCTIONS,
    tensors.SHAPES,
    tensors.PARTS,
    tensors.FILLED,
]
# By the page that shows them.
GALLERIES: dict[str, list[Group]] = {
    "image": [
        image.DECODING,
        image.GEOMETRY,
        levels.LEVELS,
        levels.NEIGHBOURS,
        image.MAPS,
        image.VOLUMES,
    ],
    "augment": [augment.AUGMENT, augment.MIXING],
    "auto_aug": [auto_aug.POLICIES, auto_aug.AUGMENTATIONS],
}


def all_examples() -> list[Example]:
    """Returns all examples: those of operators, and those of each gallery."""
    groups = [
        *OPERATORS,
        *(group for several in GALLERIES.values() for group in several),
    ]
    return [example for group in groups for example in group.examples]


def examples_of(group: Group) -> dict[str, list[Example]]:
    """Returns the examples of a group by the name of what they show."""
    return {name: [example for example in group.examples if example.name == name] for name in group.names}
