"""What a long run leaves behind, and what happens where XLA has nearly all memory."""

from __future__ import annotations

import gc
import json
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali._device.ffi.cuda import cuda_module

pytestmark = pytest.mark.gpu

BATCH = 8
FILES = [pillow_jpeg(60 + k % 9, 80 - k % 11, subsampling=k % 3, quality=60 + k % 30) for k in range(61)]
FILES[7], FILES[20] = pillow_jpeg(64, 64, progressive=True), pillow_jpeg(50, 70, orientation=6)
FILES[33] = pillow_jpeg(61, 72, mode="CMYK")


class Data:
    def __len__(self):
        return len(FILES) * BATCH * 25

    def __getitem__(self, index):
        return {"image": FILES[index % len(FILES)], "plain": np.full(2000, index % 251, np.float32)}


# In a process of its own, so that nothing else gives memory back meanwhile.
MANY_BATCHES = """
    import os, pathlib, json
    import cupy, numpy as np
    import jaxdali as dali
    from jaxdali._device.ffi.cuda import cuda_module
    from test_resources_gpu import BATCH, FILES, Data

    def resources():
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return {
            "free device memory": cupy.cuda.runtime.memGetInfo()[0],
            "page-locked": cuda_module().locked_bytes(),
            "resident": pages * os.sysconf("SC_PAGE_SIZE"),
            "descriptors": len(os.listdir("/proc/self/fd")),
        }

    def augment(batch, keys):
        window = dali.random.resized_crop_window(keys, batch["image"].sizes)
        images = dali.image.decode_resample(batch["image"], window, (32, 32))
        whole = dali.image.decode(batch["image"], (80, 80))
        return images.astype(np.int32).sum(), whole.astype(np.int32).sum(), batch["plain"][:, 0]

    if __name__ == "__main__":
        seen, sums = [], {}
        with dali.Loader(Data(), augment, batch_size=BATCH, workers=1, epochs=None) as loader:
            for step, (_, whole, plain) in loader.enumerate():
                assert plain.tolist() == [(BATCH * step + k) % len(Data()) % 251 for k in range(BATCH)]
                # The same images come again and again, always as the same pixels.
                place = BATCH * step % len(FILES)
                assert sums.setdefault(place, int(whole)) == int(whole)
                if step + 1 in (4000, 10000):
                    seen.append(resources())
                if step + 1 == 10000:
                    break
        assert len(sums) == len(FILES)
        print(json.dumps(seen))
"""


def test_ten_thousand_batches_leave_nothing_behind():
    run = run_program(MANY_BATCHES)
    assert run.returncode == 0, run.stderr[-2000:]
    early, late = json.loads(run.stdout)
    mebibyte = 1 << 20
    grown = {name: late[name] - early[name] for name in early}
    assert abs(grown["free device memory"]) <= mebibyte, grown
    assert grown["page-locked"] == grown["descriptors"] == 0 < early["page-locked"], grown
    # The allocators of Python and XLA have settled by the first look, after 4,000 batches.
    assert grown["resident"] <= 1.5 * mebibyte, grown


def run_program(text, **environment):
    # Frees what decoders and engines of earlier tests keep: the program could not use it.
    gc.collect()
    cuda_module().stop_engines()
    cuda_module().destroy_idle_decode_streams()
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path]),
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_beside_an_xla_that_has_taken_nearly_all_memory():
    """It works or says what to do; it never crashes."""
    run = run_program(
        """
        import jax, numpy as np
        from jpeg_files import pillow_jpeg
        from jaxdali.image import EncodedBatch, decode_resample

        files = [pillow_jpeg(375, 500, subsampling=2) for _ in range(64)]
        batch = EncodedBatch.from_encoded(files)
        try:
            images = np.asarray(decode_resample(batch, None, (224, 224)))
            print("works", images.shape, int(images.std()) > 1)
        except jax.errors.JaxRuntimeError as error:
            print("refused", "XLA_PYTHON_CLIENT_MEM_FRACTION" in str(error))
        """,
        XLA_PYTHON_CLIENT_PREALLOCATE="true",
        XLA_PYTHON_CLIENT_MEM_FRACTION=".95",
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.strip() in ("works (64, 224, 224, 3) True", "refused True")


def test_without_any_memory_left_the_call_says_what_to_do():
    run = run_program(
        """
        import cupy, jax, numpy as np
        from jpeg_files import pillow_jpeg
        from jaxdali.image import EncodedBatch, decode_resample

        batch = EncodedBatch.from_encoded([pillow_jpeg(2000, 3000) for _ in range(4)])
        jax.block_until_ready(batch)
        pieces = []
        for size in (1 << 30, 1 << 26, 1 << 20):
            try:
                while True:
                    pieces.append(cupy.cuda.runtime.malloc(size))
            except cupy.cuda.runtime.CUDARuntimeError:
                pass
        try:
            np.asarray(decode_resample(batch, None, (224, 224)))
            print("works")
        except jax.errors.JaxRuntimeError as error:
            print("refused", "RESOURCE_EXHAUSTED" in str(error))
        for piece in pieces:
            cupy.cuda.runtime.free(piece)
        print(np.asarray(decode_resample(batch, None, (224, 224))).shape)
        """,
        XLA_PYTHON_CLIENT_PREALLOCATE="true",
        XLA_PYTHON_CLIENT_MEM_FRACTION=".2",
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.split("\n")[:2] == ["refused True", "(4, 224, 224, 3)"]
