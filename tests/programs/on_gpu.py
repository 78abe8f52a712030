"""Rewrites a program for a GPU: images are decoded on it, and all later operators run there."""

from __future__ import annotations

import re

# These run on the host in any case, and their arguments say so: DALI has them only there.
_ON_HOSTS = re.compile(
    r"reader|external_?source|python_?function|numba|peek|get_?property|lookup|\bdo_not", re.IGNORECASE
)
_DECODERS = re.compile(r"decode", re.IGNORECASE)


def on_gpu(text: str) -> str:
    """Returns `text` with pipelines on the first GPU, decoders "mixed", other operators with a device on "gpu"."""
    text = re.sub(r'\bdevice_id(=|": )None', r"device_id\g<1>0", text)
    parts = text.split('device="cpu"')
    written = parts[0]
    for part in parts[1:]:
        written += f'device="{_device(_called(written))}"{part}'
    # Outputs in GPU memory have no NumPy arrays.
    return re.sub(r"(?<!as_cpu\(\))\.as_array\(\)", ".as_cpu().as_array()", written)


def _called(text: str) -> str:
    """Returns the name of the function whose arguments `text` ends in, with "def " if this is its definition."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "]": 1, "}": 1, "(": -1, "[": -1, "{": -1}.get(text[place], 0)
        if depth < 0:
            return re.findall(r"(?:def )?[\w.]*$", text[:place])[0]
    return ""


def _device(name: str) -> str:
    if name.startswith("def ") or _ON_HOSTS.search(name):
        return "cpu"
    return "mixed" if _DECODERS.search(name) else "gpu"
