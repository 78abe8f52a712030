"""`_cuda12` and `_cuda13`: what is built against a CUDA toolkit of that major."""

from collections.abc import Sequence
from typing import Any

has_nvtx: bool  # the engine's threads show what they do in the timelines of NVIDIA's tools

def registrations() -> dict[str, Any]:
    """The custom calls: name of the target -> handler, for `jax.ffi.register_ffi_target`."""

def open_nvjpeg(candidates: Sequence[str]) -> str:
    """Opens libnvjpeg: the first of these paths or names that can be; returns that one. Once, before any call.

    Raises:
        RuntimeError: none; the text says what was tried and why it failed.
    """

def destroy_idle_decode_streams() -> int:
    """Gives back the device memory of decoders that no call is using; returns how many there were."""

def set_growth_factor(factor: float) -> None:
    """How the device memory of engines grows: so many times what is needed."""

def set_hardware_queues(count: int) -> None:
    """Says how many CUDA has for the streams of this process. Decoders that begin after this know it."""

class DecodeJob:
    """The images of one batch on their way through the engine of a GPU. It is released when nobody holds this any more,
    unless its `notice` was asked for.
    """

    def wait(self, timeout_s: float) -> bool:
        """Waits until it is settled whether they are decoded or given up; False: the time is up. Negative: no limit."""
    @property
    def settled(self) -> bool:
        """Whether `wait` would return True at once."""
    @property
    def wanted(self) -> tuple[int, bool, bool] | None:
        """Other settings (decoder, fancy_upsampling, luma) that a call on the same files had, and found nothing."""
    @property
    def times_used(self) -> int:
        """How many calls have found them."""
    def set_known_rows(self, address: int, /) -> None:
        """Says where an array on the GPU lies that holds the job's rows, in order, and which nobody changes or frees
        before the next call of this; 0: nowhere. Calls with it need not read it.
        """
    def late_failure(self) -> tuple[int, int] | None:
        """(row, status) of an image for which a call with known rows should have raised, but could not know in time.
        To be asked when the call has run.
        """
    def release(self) -> None:
        """Calls that come from now on decode themselves. The device's memory is used again when it is read."""
    def notice(self) -> Any:
        """What releases the job when it is told, and nothing else does but `release`; for `Lease.tell_at_end`."""

def decode_ahead(device: int, files: Any, rows: Any, decoder: int, fancy_upsampling: bool, luma: bool) -> DecodeJob:
    """Has images decoded by the engine of a GPU, after those that came before. Returns at once. Jobs for the same bytes and
    with the same settings are released: others have written there.

    Args:
        device: the GPU's ordinal.
        files: a tensor on the host (`__dlpack__`), `uint8[..., capacity]`; kept until the images are decoded.
        rows: `int32[N, 8]`.
        decoder: index in `jaxdali._base.batch.DECODERS`.
        luma: one channel of each, instead of RGB.
    """

def set_decode_memory(device: int, bytes: int | None, most: int) -> int:
    """Lets the engine of a GPU have at least so many bytes for images; returns how many it may have now.

    Args:
        bytes: None: if nobody has said anything yet, half of what is free, but not more than `most`.
    """

def limit_decode_memory(device: int, bytes: int) -> None:
    """From now on the engine of a GPU takes no more than so many bytes for images; what it has it keeps."""

def reserve_decode_memory(device: int, bytes: int, batches: int, rows: int) -> int:
    """Has memory for so many batches of at most `bytes` and `rows` images at hand, within what the engine of a GPU may have;
    returns for how many there is.
    """

def engine_counts(device: int) -> dict[str, int]:
    """What the engine of a GPU has done, in images: made ahead by `nvjpeg`, on the `host`, `copied`; `failed`; `used` by
    calls that found them, `missed` by calls that made them themselves; calls whose rows had to be `read_back`; batches
    `given_up`. And how it stands: `decode_memory` it may have and has `allocated`, in bytes, `growths` of that beyond what
    was reserved; `most_per_image`, bytes of an image on average in the batch where that was most; `jobs`; images `waiting`
    and `decoded`. And how many `hardware_queues` there are.
    """

def stop_engines() -> None:
    """Ends the engines' threads when they are done with what they have begun, and frees memory that no batch is in."""

class Upload:
    """Copies page-locked memory of the host to arrays on GPUs, again and again. For one thread at a time."""

    def memory(self) -> Any:
        """What is copied, `uint8[size]`. Nobody may write to it between `start` and the end of `wait`."""
    def start(self) -> None:
        """Begins to copy. Nothing that was queued may still use the arrays.

        Raises:
            RuntimeError: CUDA fails.
        """
    def wait(self) -> None:
        """Waits until the copies are made. Raises like `start`."""

def upload(arrays: Any, parts: Sequence[tuple[int, int, int, int]]) -> Upload:
    """Makes an upload.

    Args:
        arrays: kept for as long as it lives.
        parts: (ordinal of a GPU, an address there, where in the memory what goes there begins, its size) of each copy.

    Raises:
        RuntimeError: CUDA fails, or has no page-locked memory.
    """

def page_locking() -> tuple[Any, Any]:
    """The functions that `Lease.lock` wants: one that page-locks memory for CUDA, one that unlocks it."""

def locked_bytes() -> int:
    """How much memory of slots is page-locked now, in bytes."""

class ClipsTicket:
    """A tensor, `uint8[1, 64]` in host memory of the job's GPU, by which `jaxdali_clips_v1` finds the job. It keeps the job
    alive.
    """

    def __dlpack__(self, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class ClipsJob:
    """Packed clips that the video engines of a GPU decode; their bytes are kept until it is settled."""

    def wait(self, timeout_s: float) -> bool:
        """Waits until each clip is decoded, or will not be; False: the time is up."""
    def faults(self) -> list[tuple[int, str, bool]]:
        """(row, why, whether another decoder may have them) of clips without frames. To be asked when all are settled."""
    def supply(self, row: int, pixels: Any) -> None:
        """Gives a clip the frames that another decoder made, `uint8[T, H, W, 3]` as they are shown. It has no fault now.

        Raises:
            RuntimeError: the clip has another shape, or CUDA fails.
        """
    def ticket(self) -> ClipsTicket: ...

def decode_clips(
    device: int, slot: Any, offsets: Sequence[int], sizes: Sequence[int], extents: Sequence[int]
) -> ClipsJob:
    """Has packed clips decoded by the video engines of a GPU, after those that came before. Returns at once.

    Args:
        device: the GPU's ordinal.
        slot: a tensor on the host (`__dlpack__`), `uint8[..., capacity]`.
        offsets, sizes: of each clip in it, in bytes (`records.packed_clip`).
        extents: frames, height and width of the result; clips may have less.

    Raises:
        RuntimeError: a clip is not as it was written, or CUDA fails.
    """

def video_caps(device: int) -> dict[int, tuple[int, int, int, int, int]]:
    """For the number of each codec that the video engines decode, 8 bits and 4:2:0: the least height and width of frames,
    the largest ones, and the most macroblocks.

    Raises:
        RuntimeError: libnvcuvid is not there, or fails.
    """

def stop_video_engines() -> None:
    """Ends the threads of video engines when they are done with the clips that they have begun. Others fail."""
