"""What happens to whole batches after `augment`: rows are mixed, and stacked by device. This file loads jax."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from jaxdali._base.aliases import Device, PyTree
from jaxdali._device.ffi.compat import without_mesh
from jaxdali._device.random.keys import sample_keys, to_words
from jaxdali._run.executor.device_io.transfer import allows_transfers, only_device
from jaxdali.errors import ConfigError
from .advice import advice
from .host_draws import warns_of_host_draws
from .host_leaves import HostLeaf
from .loader_arguments import check_parameters

__all__ = ["Mixer", "sharding_of"]

_OPERATOR = 1  # operator number of `mix` in its key; that of `augment` is 0


def sharding_of(devices: Sequence[Device] | None, sharding: object, device: object, mix: Any) -> PyTree:
    """Returns the sharding that `devices` stand for, or the given one.

    Raises:
        ConfigError: `devices` are not distinct devices of this process, or several of `devices`, `sharding` and
            `device` are given; or `mix` is not a function.
    """
    if mix is not None and not callable(mix):
        raise ConfigError(f"mix must be a function of (batch, key), got {mix!r}")
    check_parameters("mix", mix, ("batch", "key"))
    if devices is None:
        return sharding
    if sharding is not None or device is not None:
        raise ConfigError("devices= excludes device= and sharding=: a sharding names its devices")
    given = list(devices) if hasattr(devices, "__iter__") else []
    own = all(one in jax.local_devices(backend=one.platform) for one in given)
    if not given or len(set(given)) != len(given) or not own:
        raise ConfigError(
            f"devices= expects distinct jax.Devices of this process, such as jax.local_devices()[:2], got {devices!r}"
        )
    return NamedSharding(Mesh(np.array(given), ("devices",)), PartitionSpec("devices"))


class Mixer:
    """Calls the user's `mix` on global batches.

    Args:
        mix: a function of (batch, key); None: rows are not mixed.
        names: what `mix` is given by name: `step` or `epoch`.
        seed: of the Loader.
        sharding: of the result, a prefix of it; None: everything is on `device`.
        stacked: number of devices that batches are stacked for; None: they are not.
        batch_size: of the global batch.
    """

    def __init__(
        self,
        mix: Callable[..., Any] | None,
        names: Collection[str],
        seed: int,
        sharding: Any,
        device: object,
        stacked: int | None,
        batch_size: int,
    ):
        self._mix = mix
        self._names = names
        self._seed = seed
        self._sharding = sharding
        self._device = device
        self._stacked = stacked
        self._batch_size = batch_size
        self._guard: str | None = None
        self._compiled = jax.jit(self._run, out_shardings=sharding)
        self._stack = jax.jit(self._stack_all, out_shardings=sharding)

    @property
    def is_needed(self) -> bool:
        """Whether batches change here at all."""
        return self._mix is not None or self._stacked is not None

    def spec(self, spec: PyTree) -> PyTree:
        """Returns the spec of the result of `__call__`, from the spec of its argument.

        Raises:
            ConfigError: `mix` returns something that does not have a row per sample, or does not fit the sharding.
        """
        if not self.is_needed:
            return spec
        words, step = jax.ShapeDtypeStruct((2,), np.uint32), jax.ShapeDtypeStruct((), np.uint32)
        with self._context(), warns_of_host_draws("mix", self._mix, "its key, such as jax.random.uniform(key)"):
            try:
                found = jax.eval_shape(self._run, spec, words, words, *([step] if "step" in self._names else []))
            except Exception as error:
                leaves = [jax.tree_util.keystr(path, simple=True) for path, _ in jax.tree.leaves_with_path(spec)]
                if note := advice(error, leaves, "mix"):
                    error.add_note(note)
                raise
        if self._sharding is None:
            return found
        try:
            shardings = jax.tree.leaves(jax.tree.broadcast(self._sharding, found))
        except ValueError as error:
            raise ConfigError(f"sharding= does not fit what mix returns: {error}") from error
        leaves, tree = jax.tree.flatten(found)
        placed = zip(leaves, shardings, strict=True)
        return tree.unflatten([jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=own) for leaf, own in placed])

    def __call__(self, batch: PyTree, epoch: int, iteration: int, step: int) -> PyTree:
        """Returns a global batch, mixed and stacked; deterministic in (seed, epoch, iteration), and in the step, counted
        through all epochs, if `mix` takes that.
        """
        if not self.is_needed:
            return batch
        with self._context():
            asked = [to_words(np.asarray(step))[1]] if "step" in self._names else []
            return self._compiled(batch, to_words(np.asarray(epoch)), to_words(np.asarray(iteration)), *asked)

    def stack(self, arrays: PyTree) -> PyTree:
        """Returns arrays `[batch_size, ...]` as `[devices, N, ...]`, placed like batches."""
        if self._stacked is None:
            return arrays
        with self._context():
            return self._stack(arrays)

    def rows_of(self, values: np.ndarray) -> np.ndarray:
        """Does the same for leaves that stay on the host."""
        return values if self._stacked is None else values.reshape(self._stacked, -1)

    @contextlib.contextmanager
    def _context(self) -> Iterator[None]:
        settings: Any = jax.config  # whose attributes type checkers do not know
        self._guard = settings.jax_transfer_guard_host_to_device
        with contextlib.ExitStack() as held:
            held.enter_context(allows_transfers())  # of the numbers that the key is made from
            if self._sharding is None:
                held.enter_context(only_device(self._device))
            else:  # the arrays themselves say where they are
                held.enter_context(jax.disable_jit(False))
                if not self._suits(jax.sharding.get_mesh()):
                    held.enter_context(without_mesh())
            yield

    def _suits(self, mesh: Mesh) -> bool:
        """Whether JAX computes with our arrays where the user has set this mesh, which `mix` may then refer to."""
        shardings = [one for one in jax.tree.leaves(self._sharding) if isinstance(one, NamedSharding)]
        return mesh.empty or all(one.mesh == mesh or _is_alike(one.mesh, mesh) for one in shardings)

    def _run(self, batch: PyTree, epoch: jax.Array, iteration: jax.Array, step: jax.Array | None = None) -> PyTree:
        if self._mix is not None:
            (key,) = sample_keys(self._seed, _OPERATOR, epoch, iteration[None])
            known = {"step": step, "epoch": epoch[1]}
            with jax.transfer_guard_host_to_device(self._guard):  # the user's function is traced here
                batch = self._mix(batch, key, **{name: known[name] for name in self._names})
            self._check(batch)
        return batch if self._stacked is None else self._stack_all(batch)

    def _stack_all(self, arrays: PyTree) -> PyTree:
        parts = self._stacked
        assert parts is not None
        return jax.tree.map(lambda array: array.reshape(parts, len(array) // parts, *array.shape[1:]), arrays)

    def _check(self, batch: PyTree) -> None:
        leaves = jax.tree_util.tree_leaves_with_path(batch)
        if not leaves and not isinstance(batch, HostLeaf):
            raise ConfigError(f"mix must return arrays with a row per sample, [{self._batch_size}, ...], got {batch!r}")
        for path, leaf in leaves:
            if np.shape(leaf)[:1] != (self._batch_size,):
                name = jax.tree_util.keystr(path) or "the batch"
                raise ConfigError(
                    f"mix must return arrays with a row per sample, got shape {np.shape(leaf)} of {name} for a batch of "
                    f"{self._batch_size} rows; expected ({self._batch_size}, ...)"
                )


def _is_alike(one: Any, other: Mesh) -> bool:
    """Whether two meshes have the same devices in one order, and all their axes are Auto."""
    types = {*one.axis_types, *other.axis_types}
    return types == {AxisType.Auto} and [*one.devices.flat] == [*other.devices.flat]
