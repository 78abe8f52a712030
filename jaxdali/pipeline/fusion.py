"""Finds decoders whose images need not exist: only a resized window of each is used.

`fuse` replaces such a chain of operators, for example `decoders.image`, `random_resized_crop`,
`crop_mirror_normalize`, by one that calls `jaxdali.image.decode_resample`. Its outputs are the same, bit for bit.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from .node import DataNode, Operator
from .value import BatchValue, EncodedValue

__all__ = ["DECODERS", "Decoding", "Planned", "Step", "Undecoded", "fuse"]

DECODERS = ("decoders.image", "decoders.image_random_crop")


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
    """What an operator does to images that are not decoded yet; the `settings` of operators that can.

    Attributes:
        plan: what is known behind the operator; None: it needs pixels.
        apply: `(context, images, arguments) -> images`, while the device function is traced.
        decoding: of a decoder.
    """

    plan: Callable[[Planned], Planned | None]
    apply: Callable[[Any, Undecoded, dict[str, Any]], Undecoded]
    decoding: Decoding | None = None


def fuse(operators: Sequence[Operator], outputs: Sequence[DataNode]) -> list[Operator]:
    """The operators in an order in which they can run, with chains that can be one call replaced by one operator."""
    consumers: dict[DataNode, list[Operator | None]] = collections.defaultdict(list)
    for operator in operators:
        for node in operator.dependencies:
            consumers[node].append(operator)
    for node in outputs:
        consumers[node].append(None)
    fused: dict[Operator, Operator | None] = {}
    for operator in operators:
        if operator.kind in DECODERS:
            chain, extent = _chain(operator, consumers)
            if extent is not None:
                # It stands where the last one stood: what that one takes is computed by then.
                fused |= dict.fromkeys(chain, None) | {chain[-1]: _one_operator(chain, extent)}
    replaced = [fused.get(operator, operator) for operator in operators]
    return [operator for operator in replaced if operator is not None]


def _chain(
    decoder: Operator, consumers: dict[DataNode, list[Operator | None]]
) -> tuple[list[Operator], tuple[int, int] | None]:
    """The longest chain from a decoder on that ends with images of one extent, and that; None: there is none."""
    chain, planned = [decoder], decoder.settings.plan(Planned())
    found: tuple[list[Operator], tuple[int, int] | None] = chain, None
    while not planned.finished:
        users = consumers[chain[-1].outputs[0]]
        operator = users[0] if len(users) == 1 else None
        if operator is None or not isinstance(operator.settings, Step):
            break
        planned = operator.settings.plan(planned)
        if planned is None:
            break
        chain = [*chain, operator]
        if planned.extent is not None:
            found = chain, planned.extent
    return found


def _one_operator(chain: Sequence[Operator], extent: tuple[int, int]) -> Operator:
    decoding: Decoding = chain[0].settings.decoding

    def evaluate(context: Any, inputs: list[EncodedValue], arguments: dict[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        from ..image import decode_resample

        (files,) = inputs
        extents = files.batch.sizes[:, :2]
        images = Undecoded(jnp.concatenate([jnp.zeros_like(extents), extents], axis=1))
        for position, operator in enumerate(chain):
            given = {name: arguments[f"{position}.{name}"] for name in operator.arguments}
            context.operator = operator
            images = operator.settings.apply(context, images, given)
        pixels, status = decode_resample(
            files.batch,
            images.window,
            extent,
            flip=images.mirrored,
            on_error="zeros",
            threads=context.threads,
            affinity=context.affinity,
            **decoding.options,
            **images.options,
        )
        context.report(files.column, decoding.on_error, status)
        return BatchValue(pixels, None, images.options.get("layout", "HWC"))

    last = chain[-1]
    return dataclasses.replace(
        last,
        kind="+".join(operator.kind for operator in chain),
        inputs=chain[0].inputs,
        arguments={
            f"{position}.{name}": value
            for position, operator in enumerate(chain)
            for name, value in operator.arguments.items()
        },
        evaluate=evaluate,
    )
