"""Pipelines from files to augmented batches on the GPU, for jaxdali and DALI, defined by one function.

Workers import this file, so it loads neither jax nor DALI.
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
from gpu_task import DECODERS_OF, EXTENT, MEAN, STD, Task
from photographs import file_names, ranges

__all__ = ["DaliStream", "JaxdaliStream", "LoaderStream"]

# In levels. The decoders differ by at most 3, and systems round intermediate results.
_TOLERANCE = 8
# The number that DALI's documentation uses for a reader of JPEG files.
_READER_THREADS = 8


class Files:
    """The source: reads the files over and over."""

    def __init__(self, names: list[str]):
        self.names = names

    def __call__(self, info: Any) -> np.ndarray:
        return np.fromfile(self.names[info.idx_in_epoch % len(self.names)], np.uint8)


class NumberedFiles:
    """The Loader's source."""

    def __init__(self, names: list[str]):
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return {"image": pathlib.Path(self.names[index]).read_bytes()}


def _augmented(dali: Any, files: Any, **decoding: Any) -> Any:
    """The graph after the source; `dali` is nvidia.dali or jaxdali."""
    fn, types = dali.fn, dali.types
    images = fn.decoders.image(files, device="mixed", jpeg_fancy_upsampling=True, **decoding)
    images = fn.random_resized_crop(images, size=[EXTENT, EXTENT], device="gpu")
    return fn.crop_mirror_normalize(
        images,
        mirror=fn.random.coin_flip(),
        mean=MEAN,
        std=STD,
        dtype=types.FLOAT,
        output_layout="HWC",
        device="gpu",
    )


class Stream:
    """Batches of a `DALIGenericIterator`, each waited for and summed on the device."""

    def __init__(self, task: Task, iterator: Any):
        import jax
        import jax.numpy as jnp

        def checksum(images: Any) -> tuple[Any, Any]:
            # Sums the bits as integers, so that the order of additions does not matter.
            bits = jax.lax.bitcast_convert_type(images, jnp.uint32).ravel()
            weights = 2 * jax.lax.iota(jnp.uint32, bits.size) + 1
            return jnp.sum(bits * weights, dtype=jnp.uint32), jnp.isfinite(images).all()

        self._task = task
        self._iterator = iterator
        self._checksum = jax.jit(checksum)
        self._wait = jax.block_until_ready
        self.device = jax.devices()[0].device_kind

    def check(self) -> None:
        """Takes the first batch, and ends the process if its pixels are impossible for the first files."""
        batch, task = next(self._iterator)["images"], self._task
        (place,) = batch.devices()
        if place.platform != task.device:
            raise SystemExit(f"a batch is on {place}, not on a {task.device}")
        if batch.shape != (task.batch, EXTENT, EXTENT, 3) or batch.dtype != np.float32:
            raise SystemExit(f"a batch is {batch.dtype}{batch.shape}")
        pixels = np.asarray(batch) * np.array(STD, np.float32) + np.array(MEAN, np.float32)
        bounds = ranges(task.folder).astype(np.float32)
        least, most = bounds[np.arange(task.batch) % len(bounds)].swapaxes(0, 1)
        within = (pixels.min((1, 2)) > least - _TOLERANCE) & (pixels.max((1, 2)) < most + _TOLERANCE)
        wrong = np.flatnonzero(~within.all(1))
        if wrong.size or pixels.std() < 1:
            raise SystemExit(f"images {wrong[:9]} of the first batch are not those of their files")

    def step(self) -> tuple[Any, Any]:
        """Waits for the next batch. Returns its checksum, and whether it is finite."""
        images = next(self._iterator)["images"]
        return self._wait((self._checksum(images), images))[0]


class _OurStream(Stream):
    def counts(self) -> dict[str, int]:
        """The counters of the GPU's engine since the process started; empty without a GPU."""
        from jaxdali import BackendUnavailable
        from jaxdali._device.ffi.cuda import cuda_module

        try:
            return cuda_module().engine_counts(0)
        except BackendUnavailable:
            return {}


class JaxdaliStream(_OurStream):
    """A `jaxdali.Pipeline`; every measurement starts with the same batch."""

    def __init__(self, task: Task):
        import jaxdali
        from jaxdali.plugin.jax import DALIGenericIterator

        options: dict[str, Any] = {}
        if task.system.endswith("gpu"):
            options["decode_memory"] = task.decode_memory
        if task.system.endswith("decode_ahead=0"):
            options["decode_ahead"] = 0

        @jaxdali.pipeline_def(
            batch_size=task.batch, device_id=0, py_num_workers=task.workers, py_start_method="spawn", seed=1, **options
        )
        def graph():
            files = jaxdali.fn.external_source(
                Files(file_names(task.folder)), batch=False, parallel=True, prefetch_queue_depth=2
            )
            return _augmented(jaxdali, files, decoder=DECODERS_OF[task.system])

        self._pipe = graph()
        self._pipe.build()
        super().__init__(task, DALIGenericIterator(self._pipe, ["images"], prepare_first_batch=False))

    def rewind(self) -> None:
        """Goes back to the first batch of epoch 0, with the same random numbers; drops what was made ahead."""
        self._pipe._jaxdali_session.executor.restart(0)

    def sums(self, found: list[int]) -> list[int]:
        """The checksums that must be the same in every round: all of them."""
        return found


class LoaderStream(_OurStream):
    """A `jaxdali.Loader`; a measurement continues where the last one ended."""

    def __init__(self, task: Task):
        import jax.numpy as jnp

        import jaxdali
        from jaxdali.image import decode_resample
        from jaxdali.random import coin_flip, resized_crop_window

        def augment(batch: Any, keys: Any) -> Any:
            files = batch["image"]
            window, flip = resized_crop_window(keys, files.sizes), coin_flip(keys, 0.5)
            size = (EXTENT, EXTENT)
            images = decode_resample(files, window, size, flip=flip, mean=MEAN, std=STD, dtype=jnp.float32)
            return {"images": images}

        source = NumberedFiles(file_names(task.folder))
        self._loader = jaxdali.Loader(source, augment, batch_size=task.batch, workers=task.workers, epochs=None)
        super().__init__(task, iter(self._loader))

    def rewind(self) -> None:
        """Does nothing: the Loader just continues."""

    def sums(self, found: list[int]) -> list[int]:
        """Empty, because rounds see different batches."""
        return []


class DaliStream(Stream):
    """nvidia.dali's pipeline; a measurement continues where the last one ended."""

    def __init__(self, task: Task):
        import nvidia.dali as dali
        from nvidia.dali.plugin.jax import DALIGenericIterator

        reader, names = task.system == "DALI readers.file", file_names(task.folder)

        @dali.pipeline_def(
            batch_size=task.batch,
            device_id=0,
            num_threads=_READER_THREADS if reader else 4,
            py_num_workers=task.workers,
            py_start_method="spawn",
            prefetch_queue_depth=2,
            seed=1,
        )
        def graph():
            if reader:
                files, _ = dali.fn.readers.file(files=names, random_shuffle=False, prefetch_queue_depth=2)
            else:
                files = dali.fn.external_source(Files(names), batch=False, parallel=True, prefetch_queue_depth=2)
            return _augmented(dali, files, hw_decoder_load=1.0)

        pipe = graph()
        if not reader:
            pipe.start_py_workers()
        pipe.build()
        super().__init__(task, DALIGenericIterator(pipe, ["images"]))

    def rewind(self) -> None:
        """Does nothing, because DALI just continues."""

    def counts(self) -> dict[str, int]:
        """Empty, because there are no counters."""
        return {}

    def sums(self, found: list[int]) -> list[int]:
        """Empty, because rounds see different batches."""
        return []
