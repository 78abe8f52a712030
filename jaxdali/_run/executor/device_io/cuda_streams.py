"""The user's CUDA streams, and how work is ordered on them. Needs CuPy."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from jaxdali.errors import BackendUnavailable, ConfigError

__all__ = ["Work", "cupy_module", "let_wait", "stream_of"]


def cupy_module() -> ModuleType:
    """Imports CuPy.

    Raises:
        BackendUnavailable: it is not installed.
    """
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise BackendUnavailable(
            "copying arrays in GPU memory, and waiting for streams, needs CuPy, which cannot be imported: pip install "
            "cupy-cuda13x (or cupy-cuda12x). A batch that is one jax.Array does not need it"
        ) from error
    return cupy


class Work:
    """A stream that a batch is copied on.

    Attributes:
        stream: a CuPy stream.
        waits: the stream is our own, which the owner of the batch cannot wait for: so we must wait for the copy.
    """

    def __init__(self, stream: Any, waits: bool = False):
        self.stream = stream
        self.waits = waits


class _Handle:
    """Wraps a handle in CUDA's stream protocol."""

    def __init__(self, handle: int):
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle


def stream_of(given: object, value: object, device: int) -> Work:
    """Returns the stream in whose order `value` becomes ready.

    Args:
        given: DALI's `cuda_stream`: a handle (0: the default stream, -1: one of our own), a CuPy or torch stream, or an
            object with `__cuda_stream__`. None: the current stream of the library that `value` belongs to, if known,
            else one of our own.
        device: index of the GPU that `value` is on.

    Raises:
        ConfigError: `given` is not a stream.
    """
    cupy = cupy_module()
    if given is None:
        if isinstance(value, cupy.ndarray):
            return Work(cupy.cuda.get_current_stream())
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            return Work(_external(torch.cuda.current_stream(device).cuda_stream, device))
        return Work(_own(device), waits=True)
    handle = _handle(given)
    return Work(_own(device), waits=True) if handle == -1 else Work(_external(handle, device))


def let_wait(stream: object, arrays: Any) -> None:
    """Makes a user's stream wait until JAX arrays on a GPU are computed. Does not block the host."""
    handle = _handle(stream)
    if handle < 0:
        raise ConfigError(
            f"cuda_stream={stream!r}: outputs can be given only to a stream of your own, whose handle is not negative"
        )
    for array in arrays:
        # A consumer's __dlpack__ call does exactly that. It does not allow 0; 1 means the same stream.
        array.__dlpack__(stream=handle or 1)


def _handle(stream: object) -> int:
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= -1:
        return stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        found: Any = protocol() if callable(protocol) else protocol
        return int(found[1])  # found[0] is the version of the protocol
    for name in ("ptr", "cuda_stream"):  # CuPy's, torch's
        if isinstance(handle := getattr(stream, name, None), int):
            return handle
    raise ConfigError(
        f"cuda_stream={stream!r} is not a CUDA stream; give a stream's handle (0: the default stream, -1: one of the "
        "pipeline's own), a stream of CuPy or torch, or an object with __cuda_stream__"
    )


def _external(handle: int, device: int) -> Any:
    streams = cupy_module().cuda
    if not handle:
        return streams.Stream.null
    if hasattr(streams.Stream, "from_external"):  # since CuPy 14
        return streams.Stream.from_external(_Handle(handle))
    return streams.ExternalStream(handle, device)


@functools.cache
def _own(device: int) -> Any:
    cupy = cupy_module()
    with cupy.cuda.Device(device):
        return cupy.cuda.Stream(non_blocking=True)
