"""Images that are not decoded yet, while the device function is traced, and what operators do to them.

Where only a resized window of each image is used, the images need not exist: see `jaxdali.planner.fusion`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from .values import Context

__all__ = ["Decoding", "Planned", "Step", "Undecoded"]


@dataclasses.dataclass(frozen=True)
class Decoding:
    """How an operator's files are decoded.

    Attributes:
        on_error: "raise" or "zeros"; None: as the pipeline says.
        options: of `jaxdali.image.decode` and `decode_resample`.
        canvas: (height, width) of every batch; None: as its images want it.
        sample_bytes: expected of an image that a GPU has decoded ahead; 0: nothing is.
    """

    on_error: str | None
    options: dict[str, Any]
    canvas: tuple[int, int] | None = None
    sample_bytes: int = 0


@dataclasses.dataclass(frozen=True)
class Planned:
    """What is known beforehand of images that are not decoded yet.

    Attributes:
        extent: (height, width) that all of them have; None: they differ.
        resampled: they are resized or mirrored, so no window can be cut out of the file any more.
        finished: they are normalised, so nothing can be done before decoding any more.
    """

    extent: tuple[int, int] | None = None
    resampled: bool = False
    finished: bool = False


@dataclasses.dataclass(frozen=True)
class Undecoded:
    """Images that are not decoded yet, while the device function is traced.

    Attributes:
        window: int32[N, 4], of each file (top, left, height, width).
        resampled: the window is resized, so nothing can be cut out of it any more.
        mirrored: None or flags, a scalar or `[N]`.
        options: of `decode_resample`, how to normalise.
    """

    window: Any
    resampled: bool = False
    mirrored: Any = None
    options: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def extents(self) -> Any:
        return self.window[:, 2:]

    def cut(self, window: Any) -> Undecoded:
        """A window of the windows."""
        import jax.numpy as jnp

        return dataclasses.replace(
            self, window=jnp.concatenate([self.window[:, :2] + window[:, :2], window[:, 2:]], axis=1)
        )

    def mirror(self, flags: Any) -> Undecoded:
        """Mirrors left to right, where a flag is not 0."""
        import jax.numpy as jnp

        flags = jnp.asarray(flags) != 0
        return dataclasses.replace(self, mirrored=flags if self.mirrored is None else self.mirrored ^ flags)

    def resize(self) -> Undecoded:
        """Resizes; to what is in the plan."""
        return dataclasses.replace(self, resampled=True)

    def normalize(self, **options: Any) -> Undecoded:
        """Normalises, with options of `decode_resample`."""
        return dataclasses.replace(self, options=options)


@dataclasses.dataclass(frozen=True)
class Step:
    """What an operator does to images that are not decoded yet.

    Attributes:
        plan: what is known behind the operator; None: it needs pixels.
        apply: `(context, images, params) -> images`, while the device function is traced; nodes among the parameters are
            arrays by then.
    """

    plan: Callable[[Planned], Planned | None]
    apply: Callable[[Context, Undecoded, Mapping[str, Any]], Undecoded]
