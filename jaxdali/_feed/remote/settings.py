"""What couriers and actors are told besides the sources."""

from __future__ import annotations

import dataclasses
import platform
from importlib import metadata

from .ray_workers import Ray

__all__ = ["Settings", "Versions", "pieces_of"]


@dataclasses.dataclass(frozen=True)
class Versions:
    """What has to be the same on both sides: sources are pickled, and jaxdali's own messages have no versions."""

    python: str
    jaxdali: str
    ray: str

    @classmethod
    def here(cls) -> Versions:
        major, minor, _ = platform.python_version_tuple()
        versions = {one.name: one.version for one in metadata.distributions(name="ray")}
        return cls(f"{major}.{minor}", metadata.version("jaxdali"), versions.get("ray", "none"))

    def difference(self, other: Versions) -> str:
        """Says what differs, such as "Python 3.11 here and 3.12 there"; empty if nothing does."""
        names = {"python": "Python", "jaxdali": "jaxdali", "ray": "Ray"}
        pairs = [(words, getattr(self, name), getattr(other, name)) for name, words in names.items()]
        return ", ".join(f"{words} {mine} here and {theirs} there" for words, mine, theirs in pairs if mine != theirs)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What couriers are told.

    Attributes:
        whole: whether each source is asked for whole batches, so that its requests cannot be cut.
        restarts, timeout_s: as for `WorkerPool`; here they are about actors.
    """

    workers: Ray
    whole: tuple[bool, ...]
    restarts: int
    timeout_s: float | None

    def actors_of(self, courier: int) -> range:
        """Returns the indices of a courier's actors."""
        count = self.workers.couriers or 1
        first, behind = (self.workers.num_workers * one // count for one in (courier, courier + 1))
        return range(first, behind)


def pieces_of(workers: Ray) -> int:
    """Returns into how many pieces a batch is cut: those ahead are enough for all actors, so each piece may be large."""
    return min(-(-workers.num_workers * workers.in_flight // workers.batches_ahead), workers.num_workers)
