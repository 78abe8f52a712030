from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGNMENT: int
MAX_INSTRUCTIONS: int

def registrations() -> dict[str, Any]:
    """The custom calls: name of the target -> handler, for `jax.ffi.register_ffi_target`."""

def probe_rows(
    buffer: NDArray[np.uint8],
    offsets: NDArray[np.uint64],
    sizes: NDArray[np.uint64],
    max_image_pixels: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Reads the headers of JPEG files and describes each as a row of an encoded batch.

    Args:
        buffer: `uint8[capacity]`, contiguous; holds the files.
        offsets: `uint64[N]`; where each file starts, in bytes, multiples of 64.
        sizes: `uint64[N]`; bytes of each file.
        max_image_pixels: an image of more pixels gets the status TOO_LARGE.

    Returns:
        rows: `int32[N, 8]`, columns as `jaxdali.image.Row`. A file that is not a JPEG is CORRUPT,
            a JPEG that no decoder here reads (lossless, 12 bits, ...) UNSUPPORTED, one that ends
            before its first scan TRUNCATED.
        sizes: `int32[N, 3]`; height, width after orientation, and 3; zeros where not OK.

    Raises:
        ValueError: an offset is not a multiple of 64 or a file does not lie within `buffer`.
    """

def decode_image(file: NDArray[np.uint8], max_image_pixels: int, indices: bool) -> np.ndarray | None:
    """Decodes an ordinary PNG or WebP file to Pillow's pixels; see `_feed/_host.pyi`."""

def decode_images(
    files: list[NDArray[np.uint8]], max_image_pixels: int, indices: bool, threads: int
) -> list[np.ndarray | None]:
    """Decodes several; see `_feed/_host.pyi`."""

def decode_as_device(
    files: list[bytes], *, fancy_upsampling: bool, luma: bool = False, most_window_bytes: int = 384 << 20
) -> list[np.ndarray | None]:
    """Decodes files as one batch, by the kernels of `decoder="cuda"` run lane by lane on this thread.

    Args:
        files: their bytes.
        fancy_upsampling: chroma is interpolated, as libjpeg-turbo does by default.
        luma: the pixels have one channel, the luma of the file.
        most_window_bytes: limit on the memory for coefficients and samples that are made together; an image that takes more
            is made alone.

    Returns:
        `uint8[H, W, 3]` of each, `[H, W, 1]` of luma, as stored, without EXIF orientation; None where a GPU leaves the file
        to libjpeg-turbo.
    """

def is_plain_jpeg(file: NDArray[np.uint8]) -> bool:
    """Whether a file, `uint8[n]`, is of the kind that decoders on a GPU are given; see ffi/decoding/jpeg_scan.h."""

def images(
    data: NDArray[Any],
    info: NDArray[np.int32],
    recipes: Sequence[NDArray[Any]],
    results: Sequence[NDArray[Any]],
    *,
    source: int,
    color: int = 0,
    channels: int = 3,
    bits: int = 8,
    channels_first: Sequence[int],
) -> list[str]:
    """What the custom call `jaxdali_images_v1` does, on NumPy arrays and on one thread; see `calls.images`.

    Args:
        recipes: of each recipe four arrays, one recipe after the other.
        results: of each recipe the array it is written to; then the statuses, `int32[N]`.

    Returns:
        Of each image why it is not OK; empty for those that are.

    Raises:
        ValueError: the arrays do not fit each other, or a program is wrong.
    """

def images_as_device(
    data: NDArray[Any],
    info: NDArray[np.int32],
    recipes: Sequence[NDArray[Any]],
    results: Sequence[NDArray[Any]],
    *,
    source: int,
    color: int = 0,
    channels: int = 3,
    bits: int = 8,
    channels_first: Sequence[int],
) -> None:
    """The same as `images` by the code of the kernels of a GPU, run thread by thread on this one. Arguments as there.

    Raises:
        ValueError: as `images`; or files in other colors than RGB, or of 16 bits, which a GPU leaves to the host.
    """

def row_fields() -> dict[str, int]: ...
def codecs() -> dict[str, int]: ...
def statuses() -> dict[str, int]: ...
def geometry_fields() -> dict[str, int]: ...
def filters() -> dict[str, int]: ...
def instruction_kinds() -> dict[str, int]: ...
