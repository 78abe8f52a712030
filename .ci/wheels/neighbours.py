"""Imports an installed jaxdali beside libraries with C++ runtimes and libjpegs of their own, in every order.

    neighbours.py [NAME...]

Each order is a process, in which all of them decode a JPEG file and raise an error of C++. Those that are not installed
are left out, by name. Pixels and errors have to be those of jaxdali alone.
"""

from __future__ import annotations

import importlib.util
import itertools
import subprocess
import sys

NEIGHBOURS = ("torch", "torchvision", "cv2", "PIL", "jax")

PROGRAM = """
import hashlib, importlib, io, sys
import numpy as np

for name in sys.argv[1:]:
    importlib.import_module(name)

from PIL import Image
y, x = np.mgrid[0:90, 0:130]
stream = io.BytesIO()
Image.fromarray(np.stack([x * 2 % 256, y * 2, x ^ y], -1).astype(np.uint8)).save(stream, "JPEG", quality=80)
file = stream.getvalue()
Image.open(io.BytesIO(file)).load()

def raises(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    raise SystemExit(f"{call} raised nothing")

if "cv2" in sys.argv:
    import cv2
    assert cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR).shape == (90, 130, 3)
    raises(lambda: cv2.imdecode(np.zeros(0, np.uint8), cv2.IMREAD_COLOR))
if "torch" in sys.argv:
    import torch
    raises(lambda: torch.zeros(2) + torch.zeros(3))
if "torchvision" in sys.argv:
    import torchvision
    assert torchvision.io.decode_jpeg(torch.frombuffer(bytearray(file), dtype=torch.uint8)).shape == (3, 90, 130)
    raises(lambda: torchvision.io.decode_jpeg(torch.zeros(9, dtype=torch.uint8)))

from jaxdali._feed import _host
from jaxdali.image import EncodedBatch, decode

pixels, status = decode(EncodedBatch.from_encoded([file, file[:200], b"nothing"]), on_error="zeros")
columns = np.zeros(2, np.int64), np.zeros(3, np.int64)
error = raises(lambda: _host.number_lines(*columns, " "))
print(hashlib.sha256(np.asarray(pixels).tobytes()).hexdigest(), status.tolist(), error)
"""


def run(order: tuple[str, ...]) -> str:
    done = subprocess.run([sys.executable, "-P", "-c", PROGRAM, *order], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else f"status {done.returncode}: {done.stderr[-2000:]}"


def main() -> None:
    names = sys.argv[1:] or [name for name in NEIGHBOURS if importlib.util.find_spec(name)]
    print("beside jaxdali:", *names, "- not installed:", *sorted({*NEIGHBOURS} - {*names}))
    expected = run(("jaxdali",))
    orders = list(itertools.permutations(("jaxdali._device.ffi._cpu", *names)))
    print(len(orders), "orders; alone:", expected, flush=True)
    failed = [(order, said) for order in orders if (said := run(order)) != expected]
    for order, said in failed:
        print(*order, "->", said)
    sys.exit(bool(failed) or expected.startswith("status"))


if __name__ == "__main__":
    main()
