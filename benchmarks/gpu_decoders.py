"""Decoders alone: files that lie in host memory to RGB on the GPU, batch by batch, each waited for."""

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

# Mean difference to libjpeg-turbo's pixels, in levels: what interpolates chroma in another way is 0.3 off.
_TOLERANCE = 2
# Batches that the engine has at a time.
_IN_FLIGHT = 48


class Decoder:
    """Batches of files, over and over. What decodes says `_decode` and `_first_image`."""

    device = ""

    def __init__(self, task: Task):
        names = file_names(task.folder)
        self._parts = [
            [pathlib.Path(name).read_bytes() for name in names[k : k + task.batch]]
            for k in range(0, len(names) - task.batch + 1, task.batch)
        ]
        self._numbers = itertools.cycle(range(len(self._parts)))

    def check(self) -> None:
        """Decodes the first batch, and ends the process unless its first image is right."""
        found = self._first_image(self._decode(next(self._numbers)))
        expected = np.asarray(Image.open(io.BytesIO(self._parts[0][0]))).astype(np.int16)
        off = np.abs(found.astype(np.int16) - expected).mean()
        if not off < _TOLERANCE:
            raise SystemExit(f"the first image is {off} levels off in the mean")

    def step(self) -> None:
        """Decodes a batch, and waits for it."""
        self._decode(next(self._numbers))

    def rewind(self) -> None:
        """Nothing: batches come in turn."""

    def counts(self) -> dict[str, int]:
        """Nothing is known."""
        return {}

    def sums(self, found: list[int]) -> list[int]:
        """None: pixels are not summed up."""
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
    """jaxdali's engine with many batches in flight; each is released when it is decoded, and nobody looks at it."""

    def __init__(self, task: Task):
        from jaxdali._ffi.cuda import cuda_module
        from jaxdali.batch import DECODERS

        super().__init__(task)
        self._module = cuda_module()
        self._module.set_decode_memory(0, task.decode_memory, 0)
        self._decoder = DECODERS.index(task.system.rpartition(" ")[2])
        # A batch in the memory of an earlier one takes its place in the engine: each that is in flight has its own.
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
        """Ends the process unless one batch is decoded by nvJPEG. Its pixels cannot be had here; the pipelines that use
        them are checked.
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
        """Waits for the oldest batch, others being in flight."""
        while len(self._jobs) < _IN_FLIGHT:
            self._jobs.append(self._submit())
        job = self._jobs.popleft()
        job.wait(-1.0)
        job.release()

    def counts(self) -> dict[str, int]:
        """What the engine has counted; ends the process if it gave a batch up, or could not decode an image."""
        counts = self._module.engine_counts(0)
        if counts["given_up"] or counts["failed"]:
            raise SystemExit(f"the engine gave batches up, or found bad images: {counts}; raise --decode-memory")
        return counts

    def _submit(self) -> Any:
        files, rows = self._inputs[next(self._numbers)]
        return self._module.decode_ahead(0, files, rows, self._decoder, True)


class Torchvision(Decoder):
    """`torchvision.io.decode_jpeg` of a list."""

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
    """`nvimgcodec.Decoder.decode` of a list."""

    def __init__(self, task: Task):
        import torch  # for its synchronize alone
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
