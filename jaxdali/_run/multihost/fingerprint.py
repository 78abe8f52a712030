"""A short hash of a batch, the same for every division among devices and processes. This file loads jax."""

from __future__ import annotations

import contextlib
import hashlib

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.sharding import NamedSharding

from jaxdali._device.image.encoded import EncodedBatch
from jaxdali.errors import ConfigTypeError
from ..executor.device_io.transfer import only_device

__all__ = ["fingerprint"]

# Odd numbers without a pattern: from the golden ratio and the square root of 2. Each gives one 32-bit sum.
_CONSTANTS = (0x9E3779B9, 0x6A09E667)

_UNSIGNED = {8: jnp.uint8, 16: jnp.uint16, 32: jnp.uint32, 64: jnp.uint32}


def fingerprint(batch: object) -> str:
    """A hash of a global batch: two runs that print the same one at a step had the same batch, bit for bit.

    It depends on the values, shapes, dtypes and names of the arrays, and on nothing else: it is the same on one device
    or many, under any sharding, in one process or several. It is computed where the arrays are, in integer arithmetic;
    only 8 bytes per array are read back. It detects accidents, not attacks: one can construct a batch with a chosen
    fingerprint.

    All processes that hold a part of an array take part in its reduction, so each of them must call this for the same
    batch, as with any function under `jax.jit`; all get the same result. Replicas are assumed to be equal.

    Args:
        batch: any pytree of `jax.Array` or `numpy.ndarray`, of any shapes and of all types that JAX has, including
            typed PRNG keys; in one process also arrays of objects, such as strings, by their `repr`. Names are the
            paths of the leaves, so a tuple and a list of the same arrays have equal fingerprints.

    Returns:
        16 hexadecimal digits. Numbers are compared as bits: NaN equals itself, and -0.0 is not 0.0.

    Raises:
        ConfigTypeError: a leaf is not an array, is of a type that JAX does not have (64 bits, without
            `jax_enable_x64`), is traced, holds objects in one of several processes, or belongs to an `EncodedBatch`,
            whose bytes are where the workers happened to put them.

    Example:
        >>> import numpy as np
        >>> from jaxdali import fingerprint
        >>> batch = np.arange(4, dtype=np.int32)
        >>> fingerprint(batch), fingerprint(batch[::-1])
        ('b1197d82c355616c', '712174fc644a2bc5')
    """
    paths, _ = jax.tree_util.tree_flatten_with_path(batch, is_leaf=lambda leaf: isinstance(leaf, EncodedBatch))
    leaves = [(jax.tree_util.keystr(path), leaf) for path, leaf in paths]
    for name, leaf in leaves:
        _check(name, leaf)
    # In one go, after all were dispatched.
    sums = jax.device_get([_of_objects(leaf) if _has_objects(leaf) else _dispatch(leaf) for _, leaf in leaves])
    digest = hashlib.sha256()
    for (name, leaf), of_leaf in zip(leaves, sums, strict=True):
        digest.update(repr((name, str(leaf.dtype), tuple(leaf.shape), [int(one) for one in of_leaf])).encode())
    return digest.hexdigest()[:16]


def _has_objects(leaf: object) -> bool:
    return isinstance(leaf, np.ndarray) and leaf.dtype == object


def _of_objects(leaf: np.ndarray) -> tuple[int, ...]:
    """Returns a hash of strings and other values of the host, which are equal if their types and `repr` are."""
    found = hashlib.sha256(repr([(type(value).__name__, value) for value in leaf.reshape(-1).tolist()]).encode())
    return tuple(np.frombuffer(found.digest()[:8], "<u4").tolist())


def _check(name: str, leaf: object) -> None:
    where = f"leaf {name}" if name else "the batch"
    if isinstance(leaf, EncodedBatch):
        raise ConfigTypeError(
            f"fingerprint expects arrays, but {where} is an EncodedBatch, whose bytes are laid out differently each "
            "time; take the fingerprint of the result of jaxdali.image.decode"
        )
    if isinstance(leaf, Tracer):
        raise ConfigTypeError(
            f"fingerprint expects arrays, but {where} is traced: call it outside of jit, on the result"
        )
    if not isinstance(leaf, jax.Array | np.ndarray):
        raise ConfigTypeError(
            f"fingerprint expects a pytree of jax.Array or numpy.ndarray, but {where} is {type(leaf).__name__}"
        )
    if _has_objects(leaf) and jax.process_count() > 1:
        raise ConfigTypeError(
            f"{where} stays on the host, and each of the {jax.process_count()} processes has rows of its own, which no "
            "other process sees: take the fingerprint of the batch without it"
        )
    if isinstance(leaf, np.ndarray) and not _has_objects(leaf) and not _is_of_jax(leaf.dtype):
        raise ConfigTypeError(
            f"fingerprint expects types that JAX has, but {where} is {leaf.dtype}; convert it, or set jax_enable_x64"
        )


def _is_of_jax(dtype: np.dtype) -> bool:
    numbers = jnp.issubdtype(dtype, np.number) or dtype == np.bool_
    return numbers and jax.dtypes.canonicalize_dtype(dtype) == dtype


def _dispatch(leaf: jax.Array | np.ndarray) -> tuple[jax.Array, ...]:
    with _context(leaf):
        if isinstance(leaf, np.ndarray):
            leaf = jax.device_put(leaf, jax.local_devices()[0])
        return _sums(leaf)


def _context(leaf: jax.Array | np.ndarray) -> contextlib.AbstractContextManager[object]:
    """The JAX settings that the array needs: the user may have set another mesh."""
    if isinstance(leaf, np.ndarray):
        return only_device(jax.local_devices()[0])
    if isinstance(leaf.sharding, NamedSharding) and isinstance(leaf.sharding.mesh, jax.sharding.Mesh):
        return jax.set_mesh(leaf.sharding.mesh)
    if len(leaf.sharding.device_set) == 1:
        return only_device(next(iter(leaf.sharding.device_set)))
    return contextlib.nullcontext()


@jax.jit
def _sums(array: jax.Array) -> tuple[jax.Array, ...]:
    """Returns, for each constant, the sum modulo 2**32 of a hash of every element and its index. Sums do not depend on
    the order of elements, so they do not depend on how the array is sharded.
    """
    words = _words(array)
    if words.ndim == 0:
        words = words[None]
    row = jax.lax.broadcasted_iota(jnp.uint32, words.shape, 0)
    inner = jnp.zeros_like(row)  # the index within the row, in C order
    stride = 1
    for axis in range(words.ndim - 1, 0, -1):
        inner += jax.lax.broadcasted_iota(jnp.uint32, words.shape, axis) * np.uint32(stride % (1 << 32))
        stride *= words.shape[axis]
    sums = []
    for constant in _CONSTANTS:
        hashed_index = _mixed(_mixed(inner + np.uint32(constant)) + row)
        sums.append(jnp.sum(_mixed(hashed_index + words), dtype=jnp.uint32))
    # Scalars: the compiler can only replicate them on all devices.
    return tuple(sums)


def _words(array: jax.Array) -> jax.Array:
    """Returns the bits of each element as uint32; larger elements get an extra axis."""
    if jnp.issubdtype(array.dtype, jax.dtypes.prng_key):
        return jax.random.key_data(array).astype(jnp.uint32)
    if array.dtype == jnp.bool:
        return array.astype(jnp.uint32)
    if jnp.issubdtype(array.dtype, jnp.complexfloating):
        return jnp.stack([_words(array.real), _words(array.imag)], axis=-1)
    info = jnp.finfo if jnp.issubdtype(array.dtype, jnp.floating) else jnp.iinfo
    bits = info(array.dtype).bits
    unsigned = getattr(jnp, f"uint{bits}") if bits not in _UNSIGNED else _UNSIGNED[bits]
    return jax.lax.bitcast_convert_type(array, unsigned).astype(jnp.uint32)


def _mixed(word: jax.Array) -> jax.Array:
    """Permutes 32-bit words so that every bit of the result depends on every bit: MurmurHash3's finalizer."""
    word = (word ^ (word >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    word = (word ^ (word >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return word ^ (word >> np.uint32(16))
