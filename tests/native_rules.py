"""The house rules of ffi/ as tables, and the functions with which tests/test_native_house.py checks its files.

A room is a folder of ffi/. A file belongs to the room below with the longest path that contains it. Files are named by
their paths below ffi/, e.g. `ring/lease.h`.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping

Sources = Mapping[str, str]  # path -> text

# Rooms whose files each room may include; docs/design.md gives their order as the floors of native code. Every entry is
# in use: add it with its first include, remove it with its last.
MAY_INCLUDE: dict[str, set[str]] = {
    "base": set(),
    "rows": {"base"},
    # Rooms that are in workers, too.
    "audio": set(),
    "video": {"base"},
    "png": {"base"},
    "webp": set(),
    "host": set(),
    "ring": {"host"},
    "records": {"host", "ring"},
    # From files to pixels, and from pixels to results.
    "jpeg": {"base"},
    "decoding": {"base", "rows"},
    "recipes": {"base", "rows"},
    "imaging": {"base", "rows", "decoding", "recipes"},
    # The GPU's decoders, and decoding ahead with them. The ring's leases tell the engine which batches are still
    # needed.
    "gpu_decoding": {"rows", "jpeg", "decoding"},
    "engine": {"base", "rows", "host", "ring", "decoding", "gpu_decoding"},
    "gpu_video": {"rows", "host", "engine", "gpu_decoding"},
    # Custom calls.
    "handling": {"base", "rows", "gpu_decoding", "engine"},
    "calls/images/tiles": {"base", "rows", "recipes"},
    "calls": {
        "base",
        "rows",
        "decoding",
        "recipes",
        "imaging",
        "gpu_decoding",
        "gpu_video",
        "handling",
        "calls/images/tiles",
    },
    # Modules.
    "bindings": {"png", "webp"},
    "bindings/host": {"bindings", "rows", "audio", "video", "host", "ring", "records", "decoding"},
    "bindings/cpu": {"bindings", "rows", "jpeg", "decoding", "recipes", "imaging", "calls", "calls/images/tiles"},
    "bindings/cuda": {"bindings", "recipes", "gpu_decoding", "engine", "gpu_video", "calls"},
    "tests": {
        "rows",
        "host",
        "ring",
        "records",
        "png",
        "webp",
        "jpeg",
        "decoding",
        "recipes",
        "imaging",
        "gpu_decoding",
        "engine",
        "gpu_video",
        "calls",
        "calls/images/tiles",
    },
}

# Headers of libraries, by the start of their path, and the only rooms that may include them. .ci/fuzz compiles rooms
# without XLA and CUDA.
MAY_KNOW: dict[str, set[str]] = {
    "xla/": {"handling", "calls"},
    "jpeglib.h": {"decoding"},
    "libdeflate.h": {"png", "tests"},
    "webp/decode.h": {"webp"},
    "nanobind/": {"bindings", "bindings/host", "bindings/cpu", "bindings/cuda"},
    "cuda_runtime_api.h": {
        "jpeg",
        "gpu_decoding",
        "gpu_video",
        "engine",
        "handling",
        "calls",
        "bindings/cuda",
        "tests",
    },
    "nvjpeg.h": {"gpu_decoding", "tests"},
}

_INCLUDE = re.compile(r'^#\s*include ([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path: str) -> str | None:
    """Returns the room of a file; None if it is in none."""
    folders = (folder.as_posix() for folder in pathlib.PurePath(path).parents)
    return next((folder for folder in folders if folder in MAY_INCLUDE), None)


def call_of(path: str) -> str | None:
    """Returns the custom call that a file belongs to: `warp` for `calls/warp/kernels.cu`; None outside of calls/."""
    parts = pathlib.PurePath(path).parts
    return parts[1] if parts[0] == "calls" else None


def _of_ours(path: str, name: str, sources: Sources) -> str | None:
    """Returns the file that an include in quotes in `path` refers to: one in the same folder, or one below ffi/."""
    beside = (pathlib.PurePath(path).parent / name).as_posix()
    return next((found for found in (beside, name) if found in sources), None)


def arrows(sources: Sources) -> dict[str, set[str]]:
    """Returns the files that each file includes."""
    named = {path: [name for quote, name in _INCLUDE.findall(text) if quote == '"'] for path, text in sources.items()}
    return {path: {file for name in names if (file := _of_ours(path, name, sources))} for path, names in named.items()}


def _faults_of_file(path: str, text: str, sources: Sources) -> list[str]:
    room = room_of(path)
    if room is None:
        return [f"{path}: its folder has no line in MAY_INCLUDE"]
    faults = []
    for quote, name in _INCLUDE.findall(text):
        file = _of_ours(path, name, sources) if quote == '"' else None
        others = next((begin for begin in MAY_KNOW if name.startswith(begin)), None)
        if file is None and quote == '"' and others is None:
            faults.append(f"{path}: includes {name}, which is not there")
        if others is not None and room not in MAY_KNOW[others]:
            faults.append(f"{path}: includes {name}, but {room} knows nothing of {others}")
        if file is None:
            continue
        other = room_of(file)
        if other not in (room, None) and other not in MAY_INCLUDE[room]:
            faults.append(f"{path}: includes {name}, but {room} may not include {other}")
        if call_of(path) is not None and call_of(file) not in (call_of(path), None):
            faults.append(f"{path}: includes {name} of another call; move what both need below calls/")
    return faults


def include_faults(sources: Sources) -> list[str]:
    """Returns the includes that break the rules of the tables.

    Args:
        sources: the text of each file that is compiled or included, by its path below ffi/.
    """
    return [fault for path, text in sources.items() for fault in _faults_of_file(path, text, sources)]


def drawn_arrows(sources: Sources) -> set[tuple[str | None, str | None]]:
    """Returns (room, other room) for every include of a file of another room."""
    found = {(room_of(path), room_of(other)) for path, others in arrows(sources).items() for other in others}
    return {(room, other) for room, other in found if room != other}


def known_others(sources: Sources) -> set[tuple[str, str | None]]:
    """Returns (start of the path, room) for every include that MAY_KNOW covers."""
    names = {(path, name) for path, text in sources.items() for _, name in _INCLUDE.findall(text)}
    return {(begin, room_of(path)) for path, name in names for begin in MAY_KNOW if name.startswith(begin)}


def drawing_faults(page: str) -> list[str]:
    """Returns where the floors of ffi/ as drawn in docs/design.md disagree with MAY_INCLUDE.

    Args:
        page: the text of docs/design.md.
    """
    drawing = page.partition("## Floors of native code")[2].partition("```\n")[2].partition("```")[0]
    order = [room for line in drawing.splitlines() for room in line.split()[1:]]
    faults = [f"{room} is drawn twice" for room in sorted(set(order)) if order.count(room) > 1]
    faults += [f"{room} is in one of drawing and rules only" for room in sorted(set(order) ^ set(MAY_INCLUDE))]
    known = {room: number for number, room in enumerate(order)}
    pairs = [(room, other) for room, others in MAY_INCLUDE.items() for other in sorted(others)]
    return faults + [
        f"{a} includes {b}, which is above it or left of it"
        for a, b in pairs
        if a in known and b in known and known[a] >= known[b]
    ]
