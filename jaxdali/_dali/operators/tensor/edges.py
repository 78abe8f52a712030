"""Computes where windows begin and end along axes, from any of the arguments for that."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import GraphError
from ...graph.call import DataNode, Params
from ..image_extents import limits_of
from ..values import Context

__all__ = ["BEGINS", "ENDS", "Edges"]

BEGINS, ENDS = ("start", "rel_start"), ("end", "rel_end", "shape", "rel_shape")


@dataclasses.dataclass(frozen=True, eq=False)
class Edges:
    """The windows of a call.

    Attributes:
        given: by argument, numbers for each axis, or the values of a node, `[N, axes]`; one number is for all axes.
        written: the same with the nodes themselves.
    """

    given: Params
    written: Params

    @classmethod
    def of(cls, context: Context, params: Params, inputs: Sequence[Any]) -> Edges:
        """Reads the arguments of a call, which have one number, or one for each of the axes.

        Args:
            inputs: replace the parameters: anchor and shape, `[N, axes]`.
        """
        call = context.call
        given = {name: params[name] for name in (*BEGINS, *ENDS) if params[name] is not None}
        written = {name: call.params[name] for name in given}
        if inputs:
            names = [
                ("rel_" if params[flag] and one.dtype.kind == "f" else "") + name
                for flag, name, one in zip(
                    ("normalized_anchor", "normalized_shape"), ("start", "shape"), inputs, strict=True
                )
            ]
            written = dict(zip(names, call.inputs[1:], strict=True))
            given = {name: _known(written[name], one) for name, one in zip(names, inputs, strict=True)}
        return cls(given, written)

    def along(self, index: int, extent: Any) -> tuple[Any, Any]:
        """Returns where windows begin and end along one of the axes, each an integer or `int32[N]`.

        Args:
            extent: that of samples, an integer or `int32[N]`.
        """
        start = self._edge(index, extent, "rel_start", "start")
        if start is None:
            start = 0 if isinstance(extent, int) else extent * 0
        end = self._edge(index, extent, "rel_end", "end")
        if end is not None:
            return start, end
        size = "rel_shape" if "rel_shape" in self.given else "shape" if "shape" in self.given else None
        if size is None:
            return start, extent
        same = size.replace("shape", "start")
        if same in self.given:  # both have the same unit, so only the sum is rounded
            return start, self._whole(index, size, extent, self._number(index, same))
        return start, start + self._whole(index, size, extent)

    def size(self, index: int, start: Any, end: Any) -> Any:
        """Returns the size of windows: an integer if it is the same for all windows, whatever the data are."""
        fixed = self._fixed(index)
        return end - start if fixed is None or isinstance(end - start, int) else fixed

    def most(self, index: int, canvas: int) -> int:
        """Returns a limit on the size along one of the axes, for windows that may leave their samples.

        Raises:
            GraphError: it is not known beforehand.
        """
        sizes = {}
        # Where a window begins does not affect its size.
        shapes = [name for name in ("shape", "rel_shape") if name in self.given]
        for name in shapes or (*BEGINS, *ENDS):
            if name not in self.given:
                continue
            limits = self._limits(index, name)
            if limits is None:
                raise GraphError(
                    f"{name}= of windows that are filled up must have limits that are known beforehand: give numbers, or a "
                    'node of fn.random.uniform(range=); or out_of_bounds_policy="trim_to_shape"'
                )
            scale = canvas if name.startswith("rel_") else 1
            sizes[name.removeprefix("rel_")] = [limit * scale for limit in limits]
        if "shape" in sizes:
            return max(int(np.ceil(sizes["shape"][1])) + 1, 0)
        end = sizes["end"][1] if "end" in sizes else canvas
        return max(int(np.ceil(end - sizes.get("start", [0])[0])) + 1, 0)

    def _limits(self, index: int, name: str) -> tuple[float, float] | None:
        numbers, written = self.given[name], self.written[name]
        if isinstance(numbers, tuple):
            return (numbers[min(index, len(numbers) - 1)],) * 2
        limits = limits_of(written) if isinstance(written, DataNode) else None
        return limits if limits is not None and np.isfinite(limits).all() else None

    def _fixed(self, index: int) -> int | None:
        """Returns the size if it does not depend on where windows begin, else None."""
        shape, start = self.given.get("shape"), self.given.get("start")
        if not isinstance(shape, tuple) or "rel_start" in self.given:
            return None
        number = shape[min(index, len(shape) - 1)]
        kind = np.int32 if start is None else start.dtype if not isinstance(start, tuple) else np.float32
        # If both have fractions, the sum is rounded, and sizes may differ by one.
        whole = number == int(number) or np.dtype(kind).kind in "iu"
        return _rounded(number) if whole else None

    def _edge(self, index: int, extent: object, relative: str, absolute: str) -> Any:
        name = relative if relative in self.given else absolute if absolute in self.given else None
        return None if name is None else self._whole(index, name, extent)

    def _number(self, index: int, name: str) -> Any:
        numbers = self.given[name]
        if isinstance(numbers, tuple):
            return np.float32(numbers[min(index, len(numbers) - 1)])
        return numbers[:, min(index, numbers.shape[1] - 1)].astype(np.float32)

    def _whole(self, index: int, name: str, extent: Any, more: object = None) -> Any:
        """Returns positions, with halves rounded away from zero."""
        import jax.numpy as jnp
        from jax import lax

        number = self._number(index, name)
        number = number if more is None else number + more
        if name.startswith("rel_"):
            number = number * (np.float32(extent) if isinstance(extent, int) else extent.astype(np.float32))
        if isinstance(number, np.floating):
            return _rounded(number)
        return lax.round(jnp.asarray(number, np.float32), lax.RoundingMethod.AWAY_FROM_ZERO).astype(np.int32)


def _known(node: DataNode, values: Any) -> Any:
    """Returns the numbers of a constant as if they were an argument; for other nodes, their values, `[N, axes]`."""
    if node.call.operator.name != "constant" or np.size(node.call.params["value"]) != values.shape[1]:
        return values
    return tuple(float(one) for one in np.ravel(node.call.params["value"]))


def _rounded(number: Any) -> int:
    return int(math.copysign(math.floor(abs(float(number)) + 0.5), number))
