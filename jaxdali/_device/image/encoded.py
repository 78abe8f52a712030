"""A batch of encoded images, as arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, SingleDeviceSharding
from jax.typing import ArrayLike

from jaxdali._base import formats
from jaxdali._base.aliases import Device
from jaxdali._base.batch import ALIGNMENT, DEFAULT_MAX_IMAGE_PIXELS, ROW_FIELDS, Codec, Row, Status
from jaxdali._base.cpus import decode_processes
from jaxdali._base.gallery import as_html
from jaxdali.errors import ConfigError
from ..ffi import load
from .decoding_log import log_presence
from .encoded_text import batch_as_html, batch_as_text, shape_text
from .failure_log import LoggedFailures
from .misuse import NoArray

__all__ = ["EncodedBatch", "sizes_of_rows"]

# Capacities are powers of two from here on, so that few programs are compiled. 64 KiB is a small
# photograph.
_MIN_CAPACITY = 1 << 16

# From this EXIF orientation on, height and width are swapped.
_SWAPPED = 5

# A row with this in all columns is CORRUPT to every decoder (its STATUS is not in `Status`).
_NO_ROW = -1


def _join(parts: Sequence[Any]) -> Any:
    """Joins buffers of files. Those of a GPU are in host memory, where its programs cannot compute anything."""
    if any(isinstance(part, jax.core.Tracer) or part.sharding.memory_kind != "pinned_host" for part in parts):
        return jnp.concatenate(parts, axis=1)
    return jax.device_put(np.concatenate([np.asarray(part) for part in parts], axis=1), parts[0].sharding)


@dataclasses.dataclass(frozen=True)
class _Files:
    """The pytree key of the files, which vmap's error shows when their number differs from that of the rows."""

    name: str = "bytes"

    def __str__(self) -> str:
        return ".bytes (all files: decode without jax.vmap, a whole batch at once)"


@jax.tree_util.register_pytree_with_keys_class
@dataclasses.dataclass(frozen=True, eq=False)
class EncodedBatch(NoArray):
    """`N` encoded images, in one buffer per device, or `[N, T]` of them, such as the frames of N clips. A pytree;
    `sharding` is static.

    Attributes:
        bytes: `uint8[D, capacity]`; the files, each at a multiple of 64 bytes. `D` is the number of parts into which
            `sharding` cuts the batch, 1 without one; the rows of part `d` refer to `bytes[d]`. `capacity` is a size
            class, not the sum of the files. It is in host memory: a GPU's batch has the memory kind `pinned_host`.
        rows: `int32[N, 8]`, or `int32[N, T, 8]`; columns as in `jaxdali.image.Row`.
        sizes: `int32[N, 3]`, or `int32[N, T, 3]`; height and width after EXIF orientation, and 3; zeros for a row whose
            STATUS is not OK.
        sharding: None, or the `NamedSharding` of `rows`, of which only the first dimension counts.
        failures: None, or where calls without an `on_error` log the images that failed, instead of raising. A
            `Loader(on_error="zeros")` sets it on the batches it gives to its function.
    """

    bytes: Any
    rows: Any
    sizes: Any
    sharding: NamedSharding | None = None
    failures: LoggedFailures | None = None
    _instead = (
        "it holds files; jaxdali.image.open(batch) or decode(batch, canvas=(height, width)) makes pixels of them. Bytes of "
        "another kind, such as b'3' of a label, become numbers in source.map(data, lambda s: {**s, 'cls': int(s['cls'])})"
    )

    def tree_flatten_with_keys(self) -> tuple[Any, Any]:
        """For JAX: the arrays with their names, and what is static."""
        keys = (_Files(), *map(jax.tree_util.GetAttrKey, ("rows", "sizes", "failures")))
        return tuple(zip(keys, (self.bytes, self.rows, self.sizes, self.failures), strict=True)), (self.sharding,)

    def tree_flatten(self) -> tuple[Any, Any]:
        """For JAX: the arrays, and what is static."""
        return (self.bytes, self.rows, self.sizes, self.failures), (self.sharding,)

    @classmethod
    def tree_unflatten(cls, static: Any, children: Any) -> EncodedBatch:
        """For JAX: a batch of `static` and `children`, which `tree_flatten` returned."""
        (sharding,), (files, rows, sizes, failures) = static, children
        return cls(files, rows, sizes, sharding, failures)

    @property
    def present(self) -> jax.Array:
        """`bool[N]`, or `bool[N, T]`: which images there are. The others are MISSING: their samples have `None` in their
        place. Works inside `jit`. An image that cannot be decoded is present.
        """
        log_presence()
        return self.rows[..., Row.STATUS] != Status.MISSING

    def __len__(self) -> int:
        return self.rows.shape[0]

    def __repr__(self) -> str:
        return batch_as_text(self)

    def _repr_html_(self) -> str:
        return as_html(lambda: batch_as_html(self), self)

    def take(self, indices: ArrayLike) -> EncodedBatch:
        """Selects and reorders images; the files are not copied. Works inside `jit`.

        Args:
            indices: `int[M]`; negative ones count from the end. An index out of range is an IndexError if its value is
                known; otherwise it selects an image that is CORRUPT.

        Raises:
            ConfigError: `indices` is not a vector of integers, or the batch is sharded: each device only holds the
                files of its own images.
        """
        self._check_one_part("take")
        traced = isinstance(indices, jax.core.Tracer)
        if not traced:
            indices = np.asarray(indices)
            if indices.size == 0:
                indices = indices.astype(np.int32)
        if indices.ndim != 1 or not jnp.issubdtype(indices.dtype, jnp.integer):
            raise ConfigError(f"expected a vector of integers as indices, got {shape_text(indices)}")
        if not traced:
            outside = (indices < -len(self)) | (indices >= len(self))
            if outside.any():
                raise IndexError(f"index {indices[outside][0]} is out of range for a batch of {len(self)}")
        return dataclasses.replace(
            self,
            rows=jnp.take(self.rows, indices, axis=0, mode="fill", fill_value=_NO_ROW),
            sizes=jnp.take(self.sizes, indices, axis=0, mode="fill", fill_value=0),
            failures=None if self.failures is None else self.failures.take(indices),
        )

    def __getitem__(self, key) -> EncodedBatch:
        """`batch[start:stop:step]`, or `batch[indices]` like `take`. Always returns a batch."""
        if isinstance(key, slice):
            self._check_one_part("slicing")
            failures = None if self.failures is None else self.failures.take(np.arange(len(self), dtype=np.int32)[key])
            return dataclasses.replace(self, rows=self.rows[key], sizes=self.sizes[key], failures=failures)
        if np.ndim(key) == 0:
            raise TypeError(
                f"an EncodedBatch is indexed by a slice or a vector of indices, got {key!r}; "
                "batch[i:i+1] is the batch of image i."
            )
        return self.take(key)

    def _check_one_part(self, action: str) -> None:
        if self.bytes.shape[0] != 1:
            raise ConfigError(
                f"{action} would mix the {self.bytes.shape[0]} parts of a sharded batch, but each "
                "device holds the files of its own images only; do it before sharding, or decode "
                "first."
            )

    @staticmethod
    def concatenate(batches: Iterable[EncodedBatch]) -> EncodedBatch:
        """Joins batches on one device, in order. Copies the files. Works inside `jit`.

        Args:
            batches: at least one.

        Raises:
            ConfigError: there is no batch, or one is sharded.
        """
        batches = list(batches)
        if not batches:
            raise ConfigError("concatenate needs at least one batch, got none.")
        rows, start = [], 0
        for batch in batches:
            batch._check_one_part("concatenate")
            rows.append(batch.rows + _offset_shift(start))
            start += batch.bytes.shape[1]
        return EncodedBatch(
            bytes=_join([batch.bytes for batch in batches]),
            rows=jnp.concatenate(rows),
            sizes=jnp.concatenate([batch.sizes for batch in batches]),
            failures=LoggedFailures.concatenate(
                [batch.failures for batch in batches], [len(batch) for batch in batches]
            ),
        )

    @staticmethod
    def stack(batches: Iterable[EncodedBatch]) -> EncodedBatch:
        """Makes a batch of `[N, T]` images of T batches of N, such as a Loader makes of a list of T files: image `[n, t]` is
        image n of `batches[t]`. Works inside `jit`. Copies no files if all batches have the same `bytes`, which those of
        one list do in the function of a Loader, and as it hands them out.

        Args:
            batches: at least one; all of N images, and with the same sharding.

        Raises:
            ConfigError: there is no batch, or they differ in N or in their sharding, or have a second axis already.
        """
        batches = list(batches)
        if not batches:
            raise ConfigError("stack needs at least one batch, got none.")
        first = batches[0]
        for batch in batches:
            if np.ndim(batch.rows) != 2 or batch.rows.shape != first.rows.shape or batch.sharding != first.sharding:
                raise ConfigError(
                    f"stack expects batches of as many images with one sharding; got {first!r} and {batch!r}"
                )
        rows, files = [batch.rows for batch in batches], first.bytes
        if any(batch.bytes is not files for batch in batches):
            starts = np.cumsum([0, *(batch.bytes.shape[1] for batch in batches)]).tolist()
            rows = [one + _offset_shift(start) for one, start in zip(rows, starts, strict=False)]
            files = _join([batch.bytes for batch in batches])
        return EncodedBatch(
            bytes=files,
            rows=jnp.stack(rows, axis=1),
            sizes=jnp.stack([batch.sizes for batch in batches], axis=1),
            sharding=first.sharding,
            failures=LoggedFailures.stack([batch.failures for batch in batches], len(first)),
        )

    def ravel(self) -> EncodedBatch:
        """The images of `[N, T]` as a batch of `N * T`, those of a sample together. Works inside `jit`."""
        if np.ndim(self.rows) == 2:
            return self
        failures = None if self.failures is None else self.failures.ravel()
        rows, sizes = self.rows.reshape(-1, ROW_FIELDS), self.sizes.reshape(-1, self.sizes.shape[-1])
        return dataclasses.replace(self, rows=rows, sizes=sizes, failures=failures)

    @classmethod
    def from_encoded(
        cls,
        items: Sequence[Any],
        *,
        max_image_pixels: int = DEFAULT_MAX_IMAGE_PIXELS,
        device: Device | None = None,
    ) -> EncodedBatch:
        """Makes a batch from the contents of files.

        JPEG files are copied; PNG, WebP, BMP, TIFF, PNM, GIF, TGA, JPEG 2000 and AVIF are decoded here, to Pillow's
        pixels, PNG and WebP on as many threads as there are CPUs, which end with the call. A file that cannot be used
        becomes a row whose STATUS says why; `decode` then fails or returns zeros. Other formats are UNSUPPORTED.

        Args:
            items: contents of files: `bytes`, or arrays `uint8[n]`; `None` for an image that is MISSING.
                Or N lists of T of them, for a batch of `[N, T]`.
            max_image_pixels: an image with more pixels is TOO_LARGE; its header tells, before memory is allocated.
            device: where to put the batch; None: JAX's default device.

        Raises:
            ConfigError: an item is neither `bytes` nor a vector of uint8, or lists differ in length.
            BackendUnavailable: the compiled modules are missing.
        """
        if isinstance(items, bytes | bytearray | memoryview):
            raise ConfigError("from_encoded expects a list of files, got the bytes of one; put it into a list.")
        stacked = bool(items) and all(isinstance(item, list | tuple) for item in items)
        if stacked and len({len(item) for item in items}) > 1:
            raise ConfigError(
                f"the lists of files have lengths from {min(map(len, items))} to {max(map(len, items))}; expected as many "
                "in each: fill them up with None, whose images are MISSING"
            )
        files = [file for item in items for file in item] if stacked else items
        payloads = _payloads([_as_vector(index, file) for index, file in enumerate(files)], max_image_pixels)
        buffer, rows, sizes = _pack(payloads, max_image_pixels)
        if stacked:
            rows, sizes = (part.reshape(len(items), -1, part.shape[1]) for part in (rows, sizes))
        rows, sizes = jax.device_put((rows, sizes), device)
        (place,) = rows.devices()
        # The host reads the files, for a GPU, too.
        memory = SingleDeviceSharding(place, memory_kind="pinned_host") if place.platform == "gpu" else place
        return cls(jax.device_put(buffer[np.newaxis], memory), rows, sizes)


@dataclasses.dataclass(frozen=True)
class _Payload:
    """What goes into the buffer for one file: JPEG bytes, or pixels that are already decoded."""

    content: np.ndarray
    codec: Codec
    status: Status = Status.OK

    @classmethod
    def from_file(cls, content: np.ndarray | None, max_image_pixels: int) -> _Payload:
        """Makes the payload of a file that native code does not decode."""
        if content is None:
            return cls(np.zeros((0, 0, 3), np.uint8), Codec.RAW, Status.MISSING)
        kind = formats.recognise(content)
        if kind is None or kind == "jpeg":
            # The JPEG header parser also finds out what is wrong with something that is not an image.
            return cls(content, Codec.JPEG)
        pixels, status = formats.decode_pixels(content, max_image_pixels)
        if pixels is None:
            pixels = np.zeros((0, 0, 3), np.uint8)
        return cls(pixels, Codec.of_pixels(pixels.dtype), status)


def _payloads(contents: Sequence[np.ndarray | None], max_image_pixels: int) -> list[_Payload]:
    """Returns what becomes of each file. Native code decodes them side by side, on the CPUs of this process."""
    files = {
        index: content
        for index, content in enumerate(contents)
        if content is not None and formats.recognise(content) in formats.NATIVE
    }
    decoded = load.cpu_module().decode_images(list(files.values()), max_image_pixels, False, decode_processes())
    known = dict(zip(files, decoded, strict=True))
    return [
        _Payload.from_file(content, max_image_pixels)
        if (pixels := known.get(index)) is None
        else _Payload(pixels, Codec.of_pixels(pixels.dtype))
        for index, content in enumerate(contents)
    ]


def _pack(payloads: list[_Payload], max_image_pixels: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packs payloads into one buffer and describes them: returns `uint8[capacity]`, rows, sizes."""
    sizes_bytes = np.array([payload.content.nbytes for payload in payloads], np.uint64)
    strides = -(-sizes_bytes.astype(np.int64) // ALIGNMENT) * ALIGNMENT
    offsets = (np.cumsum(strides) - strides).astype(np.uint64)
    capacity = max(_MIN_CAPACITY, 1 << (int(strides.sum()) - 1).bit_length())
    buffer = _aligned_empty(capacity)
    for payload, offset in zip(payloads, offsets.tolist(), strict=True):
        buffer[offset : offset + payload.content.nbytes] = payload.content.reshape(-1).view(np.uint8)

    rows = np.zeros((len(payloads), ROW_FIELDS), np.int32)
    sizes = np.zeros((len(payloads), 3), np.int32)
    is_jpeg = np.array([payload.codec == Codec.JPEG for payload in payloads], bool)
    rows[is_jpeg], sizes[is_jpeg] = load.cpu_module().probe_rows(
        buffer, offsets[is_jpeg], sizes_bytes[is_jpeg], max_image_pixels
    )
    for index in np.flatnonzero(~is_jpeg):
        payload = payloads[index]
        height, width, channels = payload.content.shape
        row = rows[index]
        row[Row.OFFSET] = offsets[index] // ALIGNMENT
        row[Row.SIZE] = payload.content.nbytes
        row[Row.HEIGHT], row[Row.WIDTH], row[Row.COMPONENTS] = height, width, channels
        row[Row.CODEC], row[Row.ORIENTATION], row[Row.STATUS] = payload.codec, 1, payload.status
        if payload.status == Status.OK:
            sizes[index] = height, width, 3
    return buffer, rows, sizes


def _aligned_empty(size: int) -> np.ndarray:
    """`uint8[size]`, uninitialized, aligned such that JAX can use it on the CPU without a copy."""
    block = np.empty(size + ALIGNMENT, np.uint8)
    start = -block.ctypes.data % ALIGNMENT
    return block[start : start + size]


def _as_vector(index: int, item: bytes | np.ndarray | None) -> np.ndarray | None:
    if item is None:
        return None
    if isinstance(item, bytes | bytearray | memoryview):
        return np.frombuffer(item, np.uint8)
    if isinstance(item, np.ndarray) and item.dtype == np.uint8 and item.ndim == 1:
        return np.ascontiguousarray(item)
    raise ConfigError(
        f"item {index} is {shape_text(item)}; expected the contents of a file, as bytes or as an "
        "array uint8[n]. Read it first, e.g. with pathlib.Path(name).read_bytes()."
    )


def sizes_of_rows(rows: jax.Array) -> jax.Array:
    """Returns `EncodedBatch.sizes` of rows that a header or a decoder described. Works inside `jit`."""
    height, width = rows[..., Row.HEIGHT], rows[..., Row.WIDTH]
    turned = rows[..., Row.ORIENTATION] >= _SWAPPED
    extents = jnp.where(turned, width, height), jnp.where(turned, height, width), jnp.full_like(height, 3)
    return jnp.where(rows[..., Row.STATUS, None] == Status.OK, jnp.stack(extents, axis=-1), 0)


def _offset_shift(start: int) -> np.ndarray:
    """What to add to rows whose bytes move back by `start` bytes."""
    units, rest = divmod(start, ALIGNMENT)
    if rest or units >= 2**31:
        raise ConfigError(
            f"a batch would start at byte {start}; expected a multiple of {ALIGNMENT} below {ALIGNMENT * 2**31}."
        )
    shift = np.zeros(ROW_FIELDS, np.int32)
    shift[Row.OFFSET] = units
    return shift
