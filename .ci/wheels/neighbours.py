"""Imports an installed jaxdali beside libraries with C++ runtimes and libjpegs of their own, in every order.

    neighbours.py [NAME...]

Each order is a process, in which all of them decode a JPEG file and raise an error of C++. Those that are not installed
are left out, by name. Pixels and errors have to be those of jaxdali alone. Orders that begin alike share a process up to
there, which is forked: importing PyTorch takes longer than everything else.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import partial

NEIGHBOURS = ("torch", "torchvision", "cv2", "PIL.Image", "jax")
OURS = "jaxdali._device.ffi._cpu"


def is_found(name: str) -> bool:
    return importlib.util.find_spec(name.partition(".")[0]) is not None


def repeats(order: tuple[str, ...]) -> bool:
    """Tells whether this order loads what another one does: torchvision imports torch."""
    return order[-1:] == ("torch",) and "torchvision" in order


def error_of(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:
        return type(error).__name__
    raise SystemExit(f"{call} raised nothing")


def decode_beside(order: tuple[str, ...]) -> str:
    """Decodes files by all libraries of `order`, and returns what jaxdali made of them."""
    import numpy as np
    from PIL import Image

    y, x = np.mgrid[0:90, 0:130]
    stream = io.BytesIO()
    Image.fromarray(np.stack([x * 2 % 256, y * 2, x ^ y], -1).astype(np.uint8)).save(stream, "JPEG", quality=80)
    file = stream.getvalue()
    Image.open(io.BytesIO(file)).load()
    if "cv2" in order:
        import cv2

        assert cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR).shape == (90, 130, 3)
        error_of(lambda: cv2.imdecode(np.zeros(0, np.uint8), cv2.IMREAD_COLOR))
    if "torch" in order:
        import torch

        error_of(lambda: torch.zeros(2) + torch.zeros(3))
    if "torchvision" in order:
        import torch
        import torchvision

        encoded = torch.frombuffer(bytearray(file), dtype=torch.uint8)
        assert torchvision.io.decode_jpeg(encoded).shape == (3, 90, 130)
        error_of(lambda: torchvision.io.decode_jpeg(torch.zeros(9, dtype=torch.uint8)))

    from jaxdali._feed import _host
    from jaxdali.image import EncodedBatch, decode

    pixels, status = decode(EncodedBatch.from_encoded([file, file[:200], b"nothing"]), on_error="zeros")
    error = error_of(lambda: _host.number_lines(np.zeros(2, np.int64), np.zeros(3, np.int64), " "))
    return f"{hashlib.sha256(np.asarray(pixels).tobytes()).hexdigest()} {status.tolist()} {error}"


def in_a_fork(order: tuple[str, ...], work: Callable[[], list[str]]) -> list[str]:
    """Returns the lines that `work` returns in a forked process, or a line that says how that ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        status = 1
        try:
            with os.fdopen(writer, "w") as out:
                out.write("\n".join(work()))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as lines:
        said = lines.read().splitlines()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return said if status == 0 else [f"status {status} of {' '.join(order)} ..."]


def walk(order: tuple[str, ...], rest: tuple[str, ...]) -> list[str]:
    """Imports the rest after `order` in every order. Returns a line for each: what jaxdali made, and the order."""
    if not rest:
        return [f"{decode_beside(order)} of {' '.join(order)}"]

    def go_on(longer: tuple[str, ...]) -> list[str]:
        importlib.import_module(longer[-1])
        return walk(longer, tuple(name for name in rest if name not in longer))

    longers = [(*order, name) for name in rest]
    return [line for longer in longers if not repeats(longer) for line in in_a_fork(longer, partial(go_on, longer))]


def main() -> None:
    names = tuple(sys.argv[1:]) or tuple(filter(is_found, NEIGHBOURS))
    print(
        "beside jaxdali:", *names, "- not installed:", *(name for name in NEIGHBOURS if not is_found(name)), flush=True
    )
    # jax and Python warn of threads, which nothing here has started before it forks.
    warnings.filterwarnings("ignore", message=".*fork")
    (alone,) = walk((), (OURS,))
    expected = alone.partition(" of ")[0]
    lines = walk((), (OURS, *names))
    failed = [line for line in lines if not line.startswith(f"{expected} of ")]
    print(f"{len(lines)} orders, {len(failed)} of them otherwise than alone: {expected}", *failed, sep="\n")
    sys.exit(bool(failed) or expected.startswith("status"))


if __name__ == "__main__":
    main()
