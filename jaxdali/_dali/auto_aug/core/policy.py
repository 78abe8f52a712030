"""Policies of AutoAugment."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from jaxdali.errors import ConfigError, check_integer
from .augmentation import Augmentation

__all__ = ["Policy"]

Step = tuple[Augmentation, float, int | None]


class Policy:
    """A policy: the sub-policies that AutoAugment chooses from.

    Args:
        name: for people.
        num_magnitude_bins: the number of bins that magnitudes of augmentations are divided into.
        sub_policies: one of them is chosen for each sample, with equal probability. Each is a sequence of steps: an
            augmentation, the probability of doing it, and its magnitude bin (None if it has no magnitudes).

    Raises:
        ConfigError: a step is something else.

    Attributes:
        name, num_magnitude_bins: as given.
        sub_policies: as given; if two augmentations have the same name, all are numbered, as in "0__rotate".
    """

    def __init__(self, name: str, num_magnitude_bins: int, sub_policies: Sequence[Sequence[Step]]):
        check_integer("num_magnitude_bins", num_magnitude_bins, 1)
        if not isinstance(sub_policies, list | tuple) or not all(isinstance(one, list | tuple) for one in sub_policies):
            raise ConfigError(f"the policy {name!r} expects a list of lists of steps, got {sub_policies!r:.80}")
        self.name = name
        self.num_magnitude_bins = num_magnitude_bins
        self.sub_policies = _with_unique_names([tuple(map(self._step, several)) for several in sub_policies])

    @property
    def augmentations(self) -> Mapping[str, Augmentation]:
        """All augmentations in it, by name."""
        return {one.name: one for one in sorted(_augmentations(self.sub_policies), key=lambda one: one.name)}

    def __repr__(self) -> str:
        rows = [str([(one.name, p, mag) for one, p, mag in steps]) for steps in self.sub_policies]
        several = [f"{name!r}: {one!r}" for name, one in self.augmentations.items()]
        return (
            f"Policy(name={self.name!r}, num_magnitude_bins={self.num_magnitude_bins}, "
            f"sub_policies=[{_lines(rows)}], augmentations={{{_lines(several)}}})"
        )

    def _step(self, step: object) -> Step:
        where = f"the policy {self.name!r}"
        if not isinstance(step, list | tuple) or len(step) != 3:
            raise ConfigError(f"a step of {where} must be (augmentation, probability, magnitude bin), got {step!r:.80}")
        one, probability, magnitude = step
        if not isinstance(one, Augmentation):
            raise ConfigError(
                f"a step of {where} must begin with an augmentation, made by @augmentation, got {one!r:.80}"
            )
        if isinstance(probability, bool) or not isinstance(probability, int | float) or not 0 <= probability <= 1:
            raise ConfigError(f"the probability of {one.name} in {where} must be from 0 to 1, got {probability!r:.80}")
        if probability == 0:
            warnings.warn(f"{one.name} has probability 0 in a step of {where}", stacklevel=3)
        if magnitude is None and one.mag_range is not None:
            raise ConfigError(f"{one.name} has magnitudes, so its step in {where} must say which bin, got None")
        if magnitude is not None:
            check_integer(f"the magnitude bin of {one.name} in {where}", magnitude, 0, self.num_magnitude_bins - 1)
            if one.mag_range is None:
                warnings.warn(
                    f"{one.name} has no magnitudes, so the bin {magnitude} in {where} has no effect", stacklevel=3
                )
        return one, probability, magnitude


def _augmentations(sub_policies: Sequence[Sequence[Step]]) -> list[Augmentation]:
    return list(dict.fromkeys(step[0] for steps in sub_policies for step in steps))


def _with_unique_names(sub_policies: list[tuple[Step, ...]]) -> list[tuple[Step, ...]]:
    several = _augmentations(sub_policies)
    if len({one.name for one in several}) == len(several):
        return sub_policies
    digits = len(str(len(several) - 1))
    named = {one: one.augmentation(name=f"{number:0{digits}}__{one.name}") for number, one in enumerate(several)}
    return [tuple((named[one], p, mag) for one, p, mag in steps) for steps in sub_policies]


def _lines(several: Sequence[str]) -> str:
    return "".join(("\n\t" if number == 0 else ",\n\t") + one for number, one in enumerate(several))
