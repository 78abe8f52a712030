"""The memory that a compiled program takes, according to XLA, for each set of shapes it was called with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax

__all__ = ["ProgramMemory"]

# XLA's names of the sizes, without the suffix "_in_bytes".
_SIZES = ("argument_size", "output_size", "temp_size", "alias_size", "generated_code_size")


@dataclasses.dataclass
class _Call:
    batch_size: int
    ask: Callable[[], object]
    sizes: dict[str, int] | None = None


class ProgramMemory:
    """Remembers the shapes that a program was called with, and asks XLA about them on demand."""

    def __init__(self) -> None:
        self._calls: dict[Any, _Call] = {}

    def note(
        self, compiled: Any, context: Callable[[], Any], operands: tuple[Any, ...], static: Any, batch_size: int
    ) -> None:
        """Records a call of the program.

        Args:
            compiled: the result of `jax.jit`.
            context: makes the context it is called in.
            operands: trees of JAX or NumPy arrays.
            static: its last argument, which is static.
            batch_size: the number of samples.
        """
        shapes = jax.tree.map(_shape_of, operands)
        leaves, tree = jax.tree.flatten(shapes)
        key = (tree, tuple(leaves), static)
        if key in self._calls:
            return

        def ask() -> object:
            with context():
                return compiled.lower(*shapes, static).compile().memory_analysis()

        self._calls[key] = _Call(batch_size, ask)

    def sizes(self) -> dict[str, list[int]]:
        """Returns sizes in bytes, one entry for each set of shapes, oldest first. They are XLA's own (`argument_size`,
        `output_size`, `temp_size`, `alias_size`, `generated_code_size`) and DALI's four: "real" is what the program
        returns, "reserved" adds what it needs while it runs; those that begin with `max_` are per sample. A program
        that is compiled already is not compiled again.
        """
        result: dict[str, list[int]] = {}
        for call in self._calls.values():
            if call.sizes is None:
                call.sizes = _sizes(call.ask(), call.batch_size)
            for name, size in call.sizes.items():
                result.setdefault(name, []).append(size)
        return result


def _shape_of(array: Any) -> jax.ShapeDtypeStruct:
    # NumPy arrays have no sharding yet.
    return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=getattr(array, "sharding", None))


def _sizes(analysis: object, batch_size: int) -> dict[str, int]:
    own = {name: int(getattr(analysis, f"{name}_in_bytes")) for name in _SIZES}
    real, reserved = own["output_size"], own["output_size"] + own["temp_size"]
    return {
        "real_memory_size": real,
        "max_real_memory_size": -(-real // max(batch_size, 1)),
        "reserved_memory_size": reserved,
        "max_reserved_memory_size": -(-reserved // max(batch_size, 1)),
        **own,
    }
