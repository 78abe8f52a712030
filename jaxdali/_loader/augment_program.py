"""The user's function as a device program. This file loads jax."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._base.aliases import Device, PyTree
from jaxdali._base.batch import ROW_FIELDS
from jaxdali._base.user_warnings import warn_user
from jaxdali._device.ffi.error_texts import speaks_of_refs
from jaxdali._device.image.decoding_log import logged_decodings, logged_presence
from jaxdali._device.image.encoded import EncodedBatch
from jaxdali._device.image.failure_log import FailureLog, LoggedFailures
from jaxdali._device.image.images import Images
from jaxdali._device.random.draw_log import Draws, logged_draws
from jaxdali._device.random.keys import sample_keys
from jaxdali._feed.ring.columns import Column
from jaxdali._run.executor.condition import Condition
from jaxdali._run.executor.decode_failures import Decoded
from jaxdali._run.executor.device_io.canvas import Canvas, Need
from jaxdali._run.executor.device_io.transfer import Padded, only_device
from jaxdali.errors import ConfigError
from .advice import advice, warn_of_unpacked
from .host_draws import warns_of_host_draws
from .host_leaves import all_values
from .sample_spec import SampleSpec

__all__ = ["LoaderProgram"]

# The capacity of a ring's smallest slot (ffi/ring/ring.cc), which element_spec shows for files.
_SLOT_BYTES = 1 << 20


class LoaderProgram:
    """A `DeviceProgram` that calls `augment`.

    Args:
        logs_failures: whether a failed decode without `on_error` gives zeros, and its statuses are part of the result.
        names: what `augment` is given by name: `mask`, `step` or `epoch`.

    Attributes:
        logs_failures: as given.
        decodings: those that `augment` asked for when `element_spec` traced it, see `logged_decodings`.
        asks_for_presence: whether it asked then which images there are.
    """

    def __init__(
        self,
        augment: Callable[..., Any] | None,
        sample_spec: SampleSpec,
        seed: int,
        logs_failures: bool,
        names: Collection[str],
    ):
        self.stacked: Mapping[int, int] = sample_spec.stacked
        others = {first + k for first, files in self.stacked.items() for k in range(1, files)}
        on_device = (index for index, column in enumerate(sample_spec.columns) if not column.host)
        self.inputs: Sequence[int] = [index for index in on_device if index not in others]
        self.needs: Sequence[Need] = ()  # the user's function chooses the sizes of its canvases
        self._augment = augment
        self._leaves = sample_spec.leaves
        self._columns = sample_spec.columns
        self._structure = sample_spec.structure
        self.seed = seed
        self.logs_failures = logs_failures
        self._names = names
        self.takes_mask, self.takes_step = "mask" in names, "step" in names
        self.decodings: Sequence[tuple[int, bool]] = ()
        self.asks_for_presence = False

    def with_log(self) -> LoaderProgram:
        """Returns the program that gives zeros where this one fails, and the statuses."""
        program = copy.copy(self)
        program.logs_failures = True
        return program

    def __call__(
        self, values: Sequence[Any], origin: Any, indices: jax.Array, canvases: tuple[Canvas | int | None, ...]
    ) -> tuple[Any, dict[Decoded, jax.Array], dict[str, Condition]]:
        *values, mask = values if self.takes_mask else (*values, None)
        values = all_values(list(self._unstacked(values)), self._columns)
        if self._augment is None:
            return self._structure.unflatten(values), {}, {}
        keys = sample_keys(origin[0], 0, origin[1], indices)
        # The low word of the epoch, and the step, which is there if it was asked for.
        known = {"mask": mask, "epoch": origin[1][1], "step": origin[-1]}
        named = {name: known[name] for name in self._names}
        if not self.logs_failures:
            outputs = self._augment(self._structure.unflatten(values), keys, **named)
            _check_rows(outputs, len(keys))
            return outputs, {}, {}
        values, log, places = _with_logs(values)
        outputs = _without_logs(self._augment(self._structure.unflatten(values), keys, **named))
        _check_rows(outputs, len(keys))
        statuses = log.close()
        return outputs, {Decoded(column, ""): statuses[part] for column, part in places.items()}, {}

    def _unstacked(self, values: Sequence[Any]) -> Iterator[Any]:
        """Yields the values of all columns that devices see. All files are in one slot, so batches of them share one array,
        by which `EncodedBatch.stack` knows that nothing needs to be copied.
        """
        slots = [value.bytes for value in values if isinstance(value, EncodedBatch)]
        for index, value in zip(self.inputs, values, strict=True):
            if not isinstance(value, EncodedBatch):
                yield value
            elif index not in self.stacked:
                yield dataclasses.replace(value, bytes=slots[0])
            else:
                for file in range(self.stacked[index]):
                    yield EncodedBatch(slots[0], value.rows[:, file], value.sizes[:, file])

    def element_spec(
        self, batch_size: int, device: Device, leaves: Sequence[bytes | np.ndarray] | None = None
    ) -> PyTree:
        """Returns the spec of what `augment` returns for a batch of samples like the first. Only traces.

        Args:
            leaves: those of other samples; None: the first one's.
        """
        canvases = ()
        leaves = self._leaves if leaves is None else leaves
        files = self.stacked
        values = [
            _leaf_spec(
                leaves[index], self._columns[index], (batch_size, files[index]) if index in files else (batch_size,)
            )
            for index in self.inputs
        ]
        if self.takes_mask:
            values.append(jax.ShapeDtypeStruct((batch_size,), np.bool_))
        origin = (jax.ShapeDtypeStruct((2,), np.uint32),) * 2
        if self.takes_step:
            origin = (*origin, jax.ShapeDtypeStruct((), np.uint32))
        indices = jax.ShapeDtypeStruct((batch_size, 2), np.uint32)
        warn_of_unpacked(self._augment, self._structure.paths)
        watched = warns_of_host_draws("augment", self._augment, "its keys, such as jaxdali.random.uniform(keys)")
        draws: list[Draws] = []

        def traced(values: Any, origin: Any, indices: Any) -> Any:
            with logged_draws() as found:
                outputs = self(values, origin, indices, canvases)[0]
            draws.extend(found)
            return outputs

        with only_device(device), logged_decodings() as decodings, logged_presence() as asked, watched:
            try:
                spec = jax.eval_shape(traced, values, origin, indices)
            except Exception as error:
                self.explain(error)
                raise
        self.decodings = list(decodings)
        self.asks_for_presence = bool(asked)
        _warn_of_draws(draws, batch_size, [value.shape for value in values if isinstance(value, jax.ShapeDtypeStruct)])
        return spec

    def explain(self, error: Exception) -> None:
        """Adds notes to JAX's error about the user's function that say what to do."""
        if (words := advice(error, self._structure.names)) and words not in getattr(error, "__notes__", ()):
            error.add_note(words)
        if self.logs_failures and speaks_of_refs(error):
            error.add_note(
                'Loader(on_error="zeros"), or one of several on CPUs, notes failed images in a jax.Ref, where '
                "they are decoded, which JAX does not support inside vmap, shard_map, export and functions with "
                'derivatives of their own. Decode outside of them, or with decode(..., on_error="zeros") there, which '
                "returns the statuses"
            )


def _with_logs(values: Sequence[Any]) -> tuple[list[object], FailureLog, dict[int, slice]]:
    """Returns the columns, those of files with the log; the log for all their images; and each column's place in it."""
    places: dict[int, slice] = {}
    size = 0
    for column, value in enumerate(values):
        if isinstance(value, EncodedBatch):
            places[column] = slice(size, size + len(value))
            size += len(value)
    log = FailureLog(size)
    logged = list(values)
    for column, part in places.items():
        failures = LoggedFailures(jnp.arange(part.start, part.stop, dtype=jnp.int32), log)
        logged[column] = dataclasses.replace(values[column], failures=failures)
    return logged, log, places


def _without_logs(outputs: PyTree) -> PyTree:
    """Removes the logs from what the user's function returns: its batches are handed out as if there was no log."""
    return jax.tree.map(
        lambda leaf: dataclasses.replace(leaf, failures=None) if _is_encoded(leaf) else leaf,
        outputs,
        is_leaf=_is_encoded,
    )


def _check_rows(outputs: PyTree, rows: int) -> None:
    """Checks that the outputs are batches.

    Raises:
        ConfigError: something that `augment` returned does not have one row per sample, several rows per sample (such
            as two views of each), or no axis at all.
    """
    leaves = jax.tree_util.tree_leaves_with_path(outputs, is_leaf=_is_encoded)
    if not leaves:
        raise ConfigError(f"augment must return arrays with a row per sample, [{rows}, ...], got {outputs!r}")
    for path, leaf in leaves:
        if isinstance(leaf, Images):
            name = jax.tree_util.keystr(path)
            raise ConfigError(
                f"augment returned images that are not computed yet{f', as {name}' if name else ''}: call .array() on what "
                "jaxdali.image.open and its methods return"
            )
        shape = leaf.rows.shape if _is_encoded(leaf) else np.shape(leaf)
        if shape and (shape[0] == 0 or shape[0] % rows):
            name = jax.tree_util.keystr(path)
            raise ConfigError(
                f"augment must return arrays with a row per sample, got shape {shape}{f' of {name}' if name else ''} for a "
                f"batch of {rows} rows; expected ({rows}, ...), or () of a number for the whole batch"
            )


def _is_encoded(value: Any) -> bool:
    return isinstance(value, EncodedBatch)


def _leaf_spec(leaf: bytes | np.ndarray, column: Column, shape: tuple[int, ...]) -> object:
    if isinstance(leaf, bytes):
        return EncodedBatch(
            bytes=jax.ShapeDtypeStruct((1, _SLOT_BYTES), np.uint8),
            rows=jax.ShapeDtypeStruct((*shape, ROW_FIELDS), np.int32),
            sizes=jax.ShapeDtypeStruct((*shape, 3), np.int32),
        )
    (batch_size,) = shape
    spec = jax.ShapeDtypeStruct((batch_size, *leaf.shape), jax.dtypes.canonicalize_dtype(leaf.dtype))
    if column.extents:
        width = next((width for width in column.extents if width >= leaf.shape[0]), column.extents[-1])
        spec = jax.ShapeDtypeStruct((batch_size, width, *leaf.shape[1:]), spec.dtype)
    if column.shapes == "ragged":
        return Padded((spec, jax.ShapeDtypeStruct((batch_size, leaf.ndim), np.int32)))
    return spec


def _warn_of_draws(draws: Sequence[Draws], rows: int, shapes: Collection[tuple[int, ...]]) -> None:
    """Warns once if a function drew twice from the same keys, and if the shape that it drew was that of the batch.

    Args:
        draws: the log of its draws.
        rows: samples in a batch.
        shapes: those of the batch's leaves.
    """
    for drawn in draws:
        if len(drawn.shapes) > 1:
            warn_user(
                f"augment calls jaxdali.random.{drawn.function} {len(drawn.shapes)} times with the same keys, and equal "
                "keys draw equal numbers: what one draws follows from the other. one, two = jaxdali.random.split(keys, 2) "
                "makes keys for two draws; if equal numbers are wanted, draw once and use the result twice",
                UserWarning,
            )
            break
    # Draws that are large themselves, or like nothing in the batch, may begin with its number by chance; one axis may
    # be as long as the batch by chance, too.
    for drawn in draws:
        for shape in drawn.shapes:
            whole = (shape in shapes and len(shape) > 1) or len(shape) > 3
            if drawn.keys == rows > 1 and shape[:1] == (rows,) and whole:
                warn_user(
                    f"augment calls jaxdali.random.{drawn.function}(keys, {shape}), whose shape is that of each key's draw: "
                    f"{rows} keys draw {(rows, *shape)}. For an array like the batch's leave its first axis out: "
                    f"{shape[1:]}",
                    UserWarning,
                )
                return
