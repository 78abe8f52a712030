"""One key per sample: a function of only (seed, operator, epoch, global sample index)."""

from __future__ import annotations

import functools
import operator as _operator
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from jaxdali.errors import ConfigError, check_integer
from ..ffi import calls
from ..ffi.platforms import two_ways

__all__ = ["IMPLEMENTATION", "sample_keys", "split", "to_words", "words_of"]

IMPLEMENTATION = "threefry2x32"
_WORD = np.dtype("<u4")
_SPLIT = 0x73706C74  # "splt"; differs from the streams of draws, which are small numbers


def sample_keys(
    seed: int | jax.Array | np.ndarray,
    operator: int,
    epoch: int | jax.Array | np.ndarray,
    indices: Sequence[int] | jax.Array | np.ndarray,
) -> jax.Array:
    """Makes the key of each sample of a batch.

    A key is Threefry-2x32 (20 rounds), whatever JAX's default generator is:
    `key = (seed's high word, low word)`, and then for each word w of operator, epoch and index,
    high words first: `key = threefry2x32(key, (0, w))`. So the draws of a sample do not depend on
    the batch it is in, on devices, workers or JAX's configuration.

    Args:
        seed: 0 to 2**64 - 1, or its two words `uint32[2]` (high, low), which may be traced.
        operator: 0 to 2**64 - 1: which of several random operators draws.
        epoch: 0 to 2**64 - 1, or `uint32[2]`, which may be traced: then a new epoch needs no new
            program.
        indices: index of each sample in its epoch, 0 to 2**63 - 1: integers on the host, `[N]`; or
            their words `uint32[N, 2]` (high, low), which may be traced. `to_words` makes words.

    Returns:
        Typed threefry keys, `[N]`.

    Raises:
        ConfigError: a value is negative, not an integer, too large, or has another shape.

    Example:
        >>> import jax
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=7, operator=0, epoch=3, indices=[4, 5])
        >>> jax.random.key_data(keys)
        Array([[2690970740, 3331909066],
               [3898491646, 1685198444]], dtype=uint32)
    """
    words = [_words_of(operator, "operator"), _words_of(epoch, "epoch")]
    data = _sample_keys(_index_words(indices), _words_of(seed, "seed"), *words)
    return jax.random.wrap_key_data(data, impl=IMPLEMENTATION)


def _generic(indices, seed, operator, epoch):
    key = jax.random.wrap_key_data(seed, impl=IMPLEMENTATION)
    for words in (operator, epoch):
        key = jax.random.fold_in(jax.random.fold_in(key, words[0]), words[1])
    fold = jax.vmap(lambda word: jax.random.fold_in(jax.random.fold_in(key, word[0]), word[1]))
    return jax.random.key_data(fold(indices))


def _native(indices, seed, operator, epoch):
    key = calls.threefry(seed[None], operator[None, None], epoch[None, None], (1, 1, 2), counted=False)
    nothing, shape = np.zeros((1, 1, 0), np.uint32), (indices.shape[0], 1, 2)
    return calls.threefry(key[0], nothing, indices[:, None], shape, counted=False)[:, 0]


_sample_keys = two_ways("jaxdali_sample_keys", lambda indices, *_: (indices.shape, jnp.uint32), _generic, _native)


def split(keys: jax.Array, number: int = 2) -> jax.Array:
    """Makes several keys from each: one for every draw of a sample.

    A draw is a function of its key. So the same function draws the same numbers twice from the same keys, and draws
    from one key are not independent of each other:

        for_brightness, for_contrast = jaxdali.random.split(keys, 2)

    Key i of a sample is `fold_in(fold_in(key, 0x73706C74), i)`, with `jax.random.fold_in`. It depends on nothing else,
    not even on `number`, and differs from everything that the functions of `jaxdali.random` derive from the key itself.

    Args:
        keys: typed threefry keys `[N]`, e.g. those that a Loader gives to `augment`.
        number: at least 1, known while tracing.

    Returns:
        Typed threefry keys, `[number, N]`.

    Raises:
        ConfigError: `keys` are of another kind, or `number` is not an integer from 1 on.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2])
        >>> random.split(keys, number=2).shape
        (2, 3)
    """
    check_keys(keys)
    number = check_integer("number", number, 1)

    def several(key):
        key = jax.random.fold_in(key, _SPLIT)
        return jax.vmap(lambda index: jax.random.fold_in(key, index))(jnp.arange(number, dtype=jnp.uint32))

    return jax.vmap(several, out_axes=1)(keys)


def check_keys(keys) -> None:
    """Checks keys.

    Raises:
        ConfigError: they are not typed threefry keys `[N]`.
    """
    if not (isinstance(keys, jax.Array) and jnp.issubdtype(keys.dtype, jax.dtypes.prng_key)):
        raise ConfigError(
            f"keys are {getattr(keys, 'dtype', type(keys).__name__)}; expected typed keys [N], "
            "e.g. from jaxdali.random.sample_keys or jax.random.key(seed, impl='threefry2x32')."
        )
    if keys.ndim != 1:
        advice = "" if keys.ndim else " Draw for all samples at once, without jax.vmap; one key is key[None]."
        raise ConfigError(
            f"keys are {keys.dtype}{list(keys.shape)}; expected threefry2x32 keys [N], one per sample.{advice}"
        )
    if str(jax.random.key_impl(keys)) != IMPLEMENTATION:
        raise ConfigError(
            f"keys are {keys.dtype}{list(keys.shape)}; expected threefry2x32 keys [N]. With other "
            "generators a draw depends on its place in the batch."
        )


def to_words(values: npt.ArrayLike) -> np.ndarray:
    """Splits integers into 32-bit words: `uint32[..., 2]`, (high, low).

    JAX without x64 has no 64-bit integers, and `fold_in` takes 32 bits (more raise, or wrap
    silently). NumPy only, so it costs no transfer.

    Args:
        values: an integer, or an array of an integer dtype; none negative.

    Raises:
        ConfigError: a value is negative, not an integer, or 2**64 and above.
    """
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ConfigError(f"{values!r} is not an integer of 64 bits; expected 0 to 2**64 - 1.")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise ConfigError(f"{int(array.min())} is negative; expected 0 to 2**64 - 1.")
    return words_of(array.astype("<u8"))


def words_of(numbers: np.ndarray | range) -> np.ndarray:
    """Like `to_words`, for a 64-bit array, or consecutive integers, whose values are known to be valid."""
    if isinstance(numbers, range):
        if numbers.stop <= 1 << 32:
            words = np.add(_upper_halves(len(numbers)), np.uint64(numbers.start << 32))
            return words.view(_WORD).reshape(-1, 2)
        numbers = np.arange(numbers.start, numbers.stop)
    # The low word comes first in memory. A copy in the other order would take three times as long.
    pairs = np.ascontiguousarray(numbers).reshape(-1).view("<u4").reshape(*numbers.shape, 2)
    words = np.empty_like(pairs)
    words[..., 0], words[..., 1] = pairs[..., 1], pairs[..., 0]
    return words


@functools.lru_cache(maxsize=16)
def _upper_halves(count: int) -> np.ndarray:
    """Returns integers whose words are (0, 0) to (0, count - 1): the low word, which is the second, is their upper half in
    memory.
    """
    return np.arange(count, dtype="<u8") << np.uint64(32)


def _words_of(value, name: str):
    """The two words of a 64-bit number."""
    if isinstance(value, (jax.Array, np.ndarray)) and value.ndim:
        if value.shape != (2,) or value.dtype != jnp.uint32:
            raise ConfigError(
                f"{name} is {value.dtype}{list(value.shape)}; expected an integer or its words uint32[2] (high, low)."
            )
        return jnp.asarray(value)
    try:
        return jnp.asarray(to_words(_operator.index(value)))
    except (TypeError, jax.errors.TracerIntegerConversionError):
        raise ConfigError(
            f"{name} is {value!r}; expected a Python integer or its words uint32[2] (high, low), "
            "e.g. jaxdali.random.to_words(value)."
        ) from None


def _index_words(indices):
    if isinstance(indices, (jax.Array, np.ndarray)) and indices.ndim == 2:
        if indices.shape[1] != 2 or indices.dtype != jnp.uint32:
            raise ConfigError(
                f"indices are {indices.dtype}{list(indices.shape)}; expected words uint32[N, 2] (high, low)."
            )
        return jnp.asarray(indices)
    if isinstance(indices, jax.Array) or np.ndim(indices) != 1:
        raise ConfigError(
            f"indices are {type(indices).__name__} of shape {np.shape(indices)}; expected integers "
            "on the host, [N], or words uint32[N, 2] made by jaxdali.random.to_words."
        )
    return jnp.asarray(to_words(indices))
