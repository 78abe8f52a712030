"""Shared memory, claims and leases; see ffi/ring/ring.h for what each call promises."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

RECORD_SIZE: int
RECORD_DECODED: int
RECORD_SEEN: int
RECORD_RAW: int
STATUS_SHIFT: int
MAX_DIMS: int
WORD_STATES: tuple[str, ...]

_T = TypeVar("_T")

Plan = tuple[bool, tuple[int, Sequence[int]] | None]

class ShortOfMemory(RuntimeError):
    """More shared memory was asked for than there is."""

class RingDamaged(RuntimeError):
    """What lies in shared memory cannot have come there by the ring's own code. `slot`, `output` and `sample` of the batch:
    None where it is not known, or all are concerned.
    """

    slot: int | None
    output: int | None
    sample: int | None

class TensorExport:
    def __dlpack__(self, **arguments: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class Lease:
    """The right to read a slot: a read-only buffer of its whole capacity."""

    def __buffer__(self, flags: int, /) -> memoryview: ...
    @property
    def generation(self) -> int: ...
    @property
    def capacity(self) -> int: ...
    @property
    def address(self) -> int: ...
    def copy(self, used: int) -> Lease: ...
    def tensor(
        self,
        offset: int,
        shape: Sequence[int],
        dtype: int,
        device_id: int = 0,
        device_type: int = 1,
        holds: bool = True,
    ) -> TensorExport: ...
    def lock(self, lock: Any, unlock: Any) -> bool: ...
    def tell_at_end(self, notice: Any) -> None: ...

class Ring:
    """A ring of slots."""

    @staticmethod
    def create(
        slots: int, chunks: int, outputs: int, batch_size: int, capacity: int, stride: int, events: Ring | None = None
    ) -> Ring: ...
    @staticmethod
    def attach(control_fd: int, data_fd: int, events: Ring | None = None) -> Ring: ...
    @property
    def control_fd(self) -> int: ...
    @property
    def data_fd(self) -> int: ...
    @property
    def closing(self) -> bool: ...
    @property
    def free_slots(self) -> int: ...
    @property
    def slots(self) -> int: ...
    def capacities(self) -> list[int]: ...
    @property
    def allocated(self) -> list[int]: ...
    @property
    def growths(self) -> int: ...
    @property
    def shrinks(self) -> int: ...
    def take_free(self) -> int: ...
    def divide_into(self, chunks: int, /) -> None:
        """Cuts batches from the second one on into at most so many chunks."""
    def publish(
        self,
        slot: int,
        ticket: int,
        epoch: int,
        iteration: int,
        first_sample: int,
        samples: int,
        plans: list[Plan],
        only: int = 0,
    ) -> None: ...
    def state(self, slot: int, /) -> int: ...
    def wait(self, slot: int, timeout_s: float, /) -> int: ...
    def wait_event(self, timeout_s: float, /) -> None: ...
    def wake_workers(self) -> None:
        """Has every worker look for work: the one that was woken for it may have been stopped."""
    def retire(self, slot: int, /) -> bool: ...
    def reopen(self, slot: int, chunk: int, owner: int, /) -> bool: ...
    def ticket(self, slot: int, /) -> int: ...
    def only(self, slot: int, /) -> int:
        """The owner whose batch this is; 0: anybody's."""
    def release(self, slot: int, /) -> None: ...
    def show(self, slot: int, capacity: int, /) -> None: ...
    def owned_by(self, owner: int, /) -> list[tuple[int, int]]: ...
    def close(self) -> None: ...
    def lease(self, slot: int, /) -> Lease: ...
    def used(self, slot: int, /) -> int: ...
    def holes(self, slot: int, /) -> int: ...
    def read(
        self, slot: int, capacity: int
    ) -> tuple[int, int, list[tuple[int, int, tuple[int, ...]] | None], bytes]: ...
    def records(self, slot: int, /) -> bytes: ...
    def raw(self, slot: int, /) -> int: ...
    def samples(self, slot: int, /) -> int: ...
    def stored(self, slot: int, offset: int, size: int) -> bytes: ...
    def copy_records(self, slot: int, source: Ring) -> None: ...
    def batch_info(self, slot: int, /) -> tuple[int, int, int]: ...
    def chunk_info(self, slot: int, /) -> list[tuple[int, int, int, int, int]]: ...
    def write(
        self, slot: int, chunk: int, sample: int, values: Sequence[Any], first_output: int = 0, numbers: bool = False
    ) -> int: ...
    def write_output(self, slot: int, sample: int, output: int, value: Any, flags: int = 0) -> bool: ...
    def write_image(
        self,
        slot: int,
        sample: int,
        output: int,
        file: np.ndarray,
        max_image_pixels: int,
        indices: bool,
        flags: int,
    ) -> bool:
        """Decodes a file to the sample of an output; False, with the record as it was, where `decode_image` gives None."""
    def write_images(
        self,
        slot: int,
        samples: Sequence[int],
        output: int,
        files: Sequence[np.ndarray],
        max_image_pixels: int,
        indices: bool,
        flags: int,
        threads: int,
    ) -> list[bool]:
        """Does what `write_image` does for several samples, side by side on threads that end with the call."""
    def note_headers(self, slot: int, start: int, stop: int) -> None:
        """Notes in the records of rows, which this process has written, what the headers of their JPEG files say. Then
        `describe_files` does not read the files.
        """
    def write_batch(self, slot: int, output: int, values: Any) -> bool: ...
    def pack_rows(self, slot: int, start: int, stop: int) -> bytes: ...
    def unpack_rows(self, slot: int, start: int, stop: int, records: bytes, data: Any) -> None:
        """Stores what `pack_rows` of another ring returned; `data` are the bytes of its slot. Raises a ValueError."""
    def set_samples(self, slot: int, samples: int, /) -> None: ...
    def advance(self, slot: int, chunk: int, sample: int, /) -> None: ...
    def finish(self, slot: int, chunk: int, ticket: int, owner: int, state: int, /) -> None: ...

class Claimant:
    """Takes work from rings that share their events, in the name of `owner`; of those that are `kept` its own chunks only,
    as long as something happens.
    """

    def __init__(self, rings: Sequence[Ring], owner: int, kept: Sequence[bool] = ()) -> None: ...
    def next(self, timeout_s: float = -1.0) -> tuple[int, ...] | None:
        """(ring, slot, chunk, ticket, epoch, iteration, first sample, start, stop) of a chunk; None: nothing came."""

class FileSample:
    """A sample that is the content of a file, read into the slot itself. `path` as `os.fsencode` makes it."""

    def __init__(self, path: bytes) -> None: ...
    @property
    def path(self) -> bytes: ...

class RowReader:
    """Writes samples of a format into slots."""

    def write(self, ring: Ring, slot: int, chunk: int, sample: int, indices: np.ndarray) -> int:
        """Samples `indices`, from row `sample` on, until one is refused; how many were written. Python's code for the format
        reads what was refused, or says what is wrong with it.
        """

class PlainRows(RowReader):
    def __init__(
        self,
        paths: Sequence[bytes],
        places: np.ndarray,
        bounds: np.ndarray,
        dtypes: Sequence[tuple[int, int]],
        in_tar: bool,
        /,
    ) -> None: ...

class RecordioRows(RowReader):
    def __init__(self, paths: Sequence[bytes], places: np.ndarray, bounds: np.ndarray, /) -> None: ...

class ExampleRows(RowReader):
    def __init__(
        self,
        paths: Sequence[bytes],
        places: np.ndarray,
        bounds: np.ndarray,
        features: Sequence[tuple[bytes, int, bool, Sequence[int]]],
        /,
    ) -> None: ...

class DatumRows(RowReader):
    def __init__(
        self, paths: Sequence[bytes], places: np.ndarray, bounds: np.ndarray, image: bool, label: bool, /
    ) -> None: ...

class TensorsRows(RowReader):
    def __init__(
        self,
        paths: Sequence[bytes],
        places: np.ndarray,
        bounds: np.ndarray,
        image: bool,
        numbers: int,
        label_of_one: bool,
        /,
    ) -> None: ...

class ArrayRows(RowReader):
    """Rows of arrays, one per output. Raises ValueError where a ring takes none of an array, or one is in several pieces."""

    def __init__(self, arrays: list[np.ndarray]) -> None: ...

class NpyRows(RowReader):
    def __init__(self, paths: Sequence[bytes], whole: bool) -> None: ...
    def learn(
        self,
        dtype: int,
        shape: Sequence[int],
        begin: Sequence[int],
        end: Sequence[int],
        before: Sequence[int],
        dims: Sequence[int],
        fill: bytes,
    ) -> None:
        """What is wanted of arrays of a type and shape: `begin` to `end` of them, `before` behind the begin of an output of
        `dims`, in which `fill` is around that.
        """

def walk_tfrecords(path: bytes, offset: int, most: int) -> tuple[bytes, int]:
    """Where records of a file begin, from the one at byte `offset` on, in int64; and where the next one does. Ends after
    `most` records, and before what is damaged or unusual. Raises nothing.
    """

def walk_recordio(path: bytes, offset: int, most: int) -> tuple[bytes, int]:
    """Likewise, of the first parts of records."""

def walk_tar(path: bytes, offset: int, most: int) -> tuple[bytes, bytes, int]:
    """Likewise, of the files of an archive: their names, with a zero behind each, and int64[n, 2], the first byte and the
    size of their data.
    """

def sample_lines(names: bytes, places: bytes) -> tuple[bytes, int]:
    """An index's lines, and how many, of what `walk_tar` found.

    Raises:
        ValueError: there are more names than places, or fewer.
    """

def number_lines(first: np.ndarray, second: np.ndarray, between: str) -> bytes:
    """A line for each row of two columns, int64[n]: their numbers, with one character `between` them."""

def available_memory(root: str = "") -> tuple[int, str]:
    """Bytes that this process could still get, and what has no more: of the machine and its memory cgroups."""

def resample(signal: np.ndarray, out: np.ndarray, step: float, quality: float) -> None:
    """Writes `out`, float32[n], of which sample k lies at `k * step` of those of `signal`, float32[m]: by a windowed
    sinc of a quality from 0 (3 lobes) over 50 (16) to 100 (64).
    """

def yuv_to_rgb(
    luma: np.ndarray,
    blue: np.ndarray,
    red: np.ndarray,
    matrix: tuple[int, int, int, int, int, int],
    at_left: bool,
    out: np.ndarray,
) -> None:
    """Writes `out`, uint8[height, width, 3]: a frame in red, green and blue, as libswscale makes it.

    Args:
        luma: uint8[height, width], whose lines may be apart.
        blue: uint8, the chroma plane of blue: as many lines and columns, or half of them.
        red: likewise.
        matrix: see ColorMatrix in ffi/video/yuv_to_rgb.h.
        at_left: where chroma of half as many columns is: at the left one of two, or between them.
    """

def copy_oriented(pixels: np.ndarray, orientation: int, out: np.ndarray) -> None:
    """Turns pixels, without the GIL.

    Args:
        pixels: uint8[height, width, 3], contiguous.
        orientation: how they are turned, as EXIF numbers it, 1 to 8.
        out: the pixels that are written, uint8[height, width, 3], contiguous, of the extents after turning.

    Raises:
        ValueError: the extents or the orientation are others.
    """

def decode_image(file: np.ndarray, max_image_pixels: int, indices: bool) -> np.ndarray | None:
    """Decodes an ordinary PNG or WebP file to Pillow's pixels, without the GIL.

    Args:
        file: uint8[n].
        max_image_pixels: the most pixels.
        indices: keep indices into a palette as the one channel; else there are three channels of its colors.

    Returns:
        uint8[height, width, C], or uint16 for a file of 16 bits a channel, with its 1 to 4 channels, without
        transparency that is no channel. None for a file of another format, or one that is damaged, too large, animated,
        or has parts that only Pillow reads, such as Exif data.
    """

def decode_images(
    files: Sequence[np.ndarray], max_image_pixels: int, indices: bool, threads: int
) -> list[np.ndarray | None]:
    """Does what `decode_image` does for several files, side by side on threads that end with the call."""

def permute(values: np.ndarray, length: int, keys: np.ndarray, backward: bool) -> None:
    """Puts in the place of each of `values`, uint64[n] below `length`, the one that a keyed permutation takes it to, or
    `backward` where it came from, see ffi/host/permutation.h.

    Args:
        keys: uint64[8].
    """

def describe_files(
    data: Any, records: np.ndarray, max_image_pixels: int, as_stored: bool, rows: np.ndarray, sizes: np.ndarray
) -> None:
    """Fills the rows of an encoded batch, and the sizes of its images, by the records of files, and by the headers of those
    of which `Ring.note_headers` noted nothing.

    Args:
        data: `uint8[capacity]`, the slot.
        records: `uint8[N, RECORD_SIZE]`, as `Ring.read` gives them.
        max_image_pixels: an image of more pixels gets the status TOO_LARGE.
        as_stored: images are not turned as EXIF says.
        rows: `int32[N, 8]`, zeros; see `jaxdali._base.batch.Row`.
        sizes: `int32[N, 3]`, zeros; see `EncodedBatch.sizes`.
    """

def crc32c(data: bytes) -> int:
    """CRC-32C of some bytes: RFC 3720's, that TFRecord files have."""

def append_result(kept: list[_T], function: Callable[..., _T], *arguments: object) -> None:
    """Appends `function(*arguments)` to `kept`. An interrupt comes before the call or when its result is kept, but not
    between the two, unless `function` is Python's code: then inside it.
    """

def set_buffers(growth_factor: float, shrink_threshold: float) -> None:
    """How slots grow and shrink in this process."""

def watch_parent(pidfd: int, exit_code: int, lost_code: int, connection: int = -1) -> None:
    """Ends this process as soon as the process behind `pidfd` is gone, or the other end of the socket `connection` is
    closed (-1: there is none), whoever holds the GIL; with `lost_code` where that can no longer be known, because somebody
    closed its descriptor.
    """

def die_with_parent() -> None:
    """Has this process killed when the thread that started it ends, also while it is stopped."""
