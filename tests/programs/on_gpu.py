"""A program's text as one writes it for a GPU: images are decoded to it, and all operators behind run there."""

from __future__ import annotations

import re

# What runs on the host whoever calls it, and says so: DALI has nothing else for these.
_ON_HOSTS = re.compile(
    r"reader|external_?source|python_?function|numba|peek|get_?property|lookup|\bdo_not", re.IGNORECASE
)
_DECODERS = re.compile(r"decode", re.IGNORECASE)


def on_gpu(text: str) -> str:
    """`text` with its pipelines on the first GPU, decoders "mixed", all other operators that name a device "gpu"."""
    text = re.sub(r'\bdevice_id(=|": )None', r"device_id\g<1>0", text)
    parts = text.split('device="cpu"')
    written = parts[0]
    for part in parts[1:]:
        written += f'device="{_device(_called(written))}"{part}'
    # Outputs that lie there have no NumPy arrays.
    return re.sub(r"(?<!as_cpu\(\))\.as_array\(\)", ".as_cpu().as_array()", written)


def _called(text: str) -> str:
    """The name of the function whose arguments `text` ends in; behind "def " where it is defined."""
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
