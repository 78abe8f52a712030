"""Decoders alone: files in host memory to RGB on the GPU, batch by batch, each waited for."""

from __future__ import annotations

import collections
import ctypes
import io
import itertools
import pathlib
from typing import Any

import numpy as np
from gpu_task import Task
from photographs import SIZE, file_names
from PIL import Image

__all__ = ["EngineAlone", "NvImageCodec", "NvjpegAlone", "Torchvision"]

# Mean difference to libjpeg-turbo's pixels, in levels; another chroma interpolation makes a difference of 0.3.
_TOLERANCE = 2
# Batches that are in the engine at a time.
_IN_FLIGHT = 48


class Decoder:
    """Decodes batches of files, over and over. Subclasses define `_decode` and `_first_image`."""

    device = ""

    def __init__(self, task: Task):
        names = file_names(task.folder)
        self._parts = [
            [pathlib.Path(name).read_bytes() for name in names[k : k + task.batch]]
            for k in range(0, len(names) - task.batch + 1, task.batch)
        ]
        self._numbers = itertools.cycle(range(len(self._parts)))

    def check(self) -> None:
        """Decodes the first batch, and ends the process if its first image is wrong."""
        found = self._first_image(self._decode(next(self._numbers)))
        expected = np.asarray(Image.open(io.BytesIO(self._parts[0][0]))).astype(np.int16)
        off = np.abs(found.astype(np.int16) - expected).mean()
        if not off < _TOLERANCE:
            raise SystemExit(f"the first image is {off} levels off in the mean")

    def step(self) -> None:
        """Decodes a batch and waits for it."""
        self._decode(next(self._numbers))

    def rewind(self) -> None:
        """Does nothing, because batches come in turn anyway."""

    def counts(self) -> dict[str, int]:
        """Empty, because there are no counters."""
        return {}

    def sums(self, found: list[int]) -> list[int]:
        """Empty, because pixels are not summed."""
        return []

    def _decode(self, number: int) -> Any:
        raise NotImplementedError

    def _first_image(self, decoded: Any) -> np.ndarray:
        raise NotImplementedError

    def _page_locked(self) -> list[Any]:
        """The batches as `EncodedBatch`es in memory that the GPU can read."""
        import jax

        from jaxdali.image import EncodedBatch

        gpu = jax.devices()[0]
        self.device = gpu.device_kind
        return [EncodedBatch.from_encoded(part, device=gpu) for part in self._parts]


class NvjpegAlone(Decoder):
    """`nvjpegDecodeBatched` with the JPEG engine, one batch after the other."""

    def __init__(self, task: Task):
        from nvjpeg import Nvjpeg

        super().__init__(task)
        self._nvjpeg = Nvjpeg(task.batch, *SIZE)
        self._batches = self._page_locked()
        self._prepared = []
        for batch in self._batches:
            start = batch.bytes.unsafe_buffer_pointer()
            rows = np.asarray(batch.rows)[:, :2].tolist()
            self._prepared.append(self._nvjpeg.prepare([(start + 64 * offset, size) for offset, size in rows]))

    def _decode(self, number: int) -> Any:
        self._nvjpeg.decode(self._prepared[number])
        return self._nvjpeg.pixels

    def _first_image(self, decoded: Any) -> np.ndarray:
        return decoded[0].get()


class EngineAlone(Decoder):
    """jaxdali's engine with many batches in flight; each is released once it is decoded, without being read."""

    def __init__(self, task: Task):
        from jaxdali._base.batch import DECODERS
        from jaxdali._device.ffi.cuda import cuda_module

        super().__init__(task)
        self._module = cuda_module()
        self._module.set_decode_memory(0, task.decode_memory, 0)
        self._decoder = DECODERS.index(task.system.rpartition(" ")[2])
        # A batch in the same memory as an earlier one replaces it in the engine, so all in flight need their own.
        self._parts *= -(-_IN_FLIGHT // len(self._parts))
        self._numbers = itertools.cycle(range(len(self._parts)))
        self._batches = self._page_locked()
        self._inputs = [(self._view(batch.bytes), np.asarray(batch.rows)) for batch in self._batches]
        self._jobs: collections.deque[Any] = collections.deque()

    @staticmethod
    def _view(files: Any) -> np.ndarray:
        memory = (ctypes.c_uint8 * files.size).from_address(files.unsafe_buffer_pointer())
        return np.ctypeslib.as_array(memory)

    def check(self) -> None:
        """Ends the process unless nvJPEG decodes one whole batch. Its pixels are not accessible here; the pipelines
        that use them are checked.
        """
        before = self.counts()
        job = self._submit()
        job.wait(-1.0)
        job.release()
        after = self.counts()
        images = len(self._parts[0])
        made = {name: after[name] - before[name] for name in ("gpu", "host", "failed", "given_up")}
        if made != {"gpu": images, "host": 0, "failed": 0, "given_up": 0}:
            raise SystemExit(f"of {images} images the engine made {made}")

    def step(self) -> None:
        """Waits for the oldest batch while others are in flight."""
        while len(self._jobs) < _IN_FLIGHT:
            self._jobs.append(self._submit())
        job = self._jobs.popleft()
        job.wait(-1.0)
        job.release()

    def counts(self) -> dict[str, int]:
        """The engine's counters; ends the process if it gave up a batch, or failed to decode an image."""
        counts = self._module.engine_counts(0)
        if counts["given_up"] or counts["failed"]:
            raise SystemExit(f"the engine gave batches up, or found bad images: {counts}; raise --decode-memory")
        return counts

    def _submit(self) -> Any:
        files, rows = self._inputs[next(self._numbers)]
        return self._module.decode_ahead(0, files, rows, self._decoder, True)


class Torchvision(Decoder):
    """`torchvision.io.decode_jpeg` for a list."""

    def __init__(self, task: Task):
        import torch
        from torchvision.io import ImageReadMode, decode_jpeg

        super().__init__(task)
        self._inputs = [[torch.frombuffer(bytearray(file), dtype=torch.uint8) for file in part] for part in self._parts]
        self._call, self._mode = decode_jpeg, ImageReadMode.RGB
        self._wait = torch.cuda.synchronize
        self.device = torch.cuda.get_device_name(0)

    def _decode(self, number: int) -> Any:
        images = self._call(self._inputs[number], mode=self._mode, device="cuda")
        self._wait()
        return images

    def _first_image(self, decoded: Any) -> np.ndarray:
        return decoded[0].permute(1, 2, 0).cpu().numpy()


class NvImageCodec(Decoder):
    """`nvimgcodec.Decoder.decode` for a list."""

    def __init__(self, task: Task):
        import torch  # only for its synchronize
        from nvidia import nvimgcodec

        super().__init__(task)
        self._decoder = nvimgcodec.Decoder()
        self._wait = torch.cuda.synchronize
        self.device = torch.cuda.get_device_name(0)

    def _decode(self, number: int) -> Any:
        images = self._decoder.decode(self._parts[number])
        self._wait()
        return images

    def _first_image(self, decoded: Any) -> np.ndarray:
        return np.asarray(decoded[0].cpu())
