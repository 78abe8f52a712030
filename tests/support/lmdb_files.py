"""Writes LMDB databases from the definition of the format, with what Caffe and Caffe2 put into them."""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Callable, Sequence
from typing import Any

from samples import HALVES, Arguments, Samples, both, content
from tfrecord_files import field, varint

from jaxdali.source import Caffe, Caffe2

PAGE = 4096
BRANCH, LEAF, LARGE = 1, 2, 4


def _page(number: int, flags: int, nodes: Sequence[bytes]) -> bytes:
    """A page: nodes are at its end, and their positions at its start."""
    places, upper, body = [], PAGE, b""
    for node in nodes:
        node += bytes(len(node) % 2)
        upper -= len(node)
        body = node + body
        places.append(upper)
    lower = 16 + 2 * len(nodes)
    head = struct.pack("<QHHHH", number, 0, flags, lower, upper) + struct.pack(f"<{len(nodes)}H", *places)
    return head + bytes(upper - lower) + body


def _meta(number: int, depth: int, root: int, entries: int, last: int) -> bytes:
    head = struct.pack("<QHHHH", number, 0, 8, 0, 0) + struct.pack("<IIQQ", 0xBEEFC0DE, 1, 0, PAGE * 1024)
    free = struct.pack("<IHHQQQQQ", PAGE, 8, 0, 0, 0, 0, 0, (1 << 64) - 1)
    main = struct.pack("<IHHQQQQQ", 0, 0, depth, 0, 0, 0, entries, root)
    return (head + free + main + struct.pack("<QQ", last, number)).ljust(PAGE, b"\0")


def lmdb_bytes(values: Sequence[bytes], width: int = 40) -> bytes:
    """A database file, whose keys are the indices of the values.

    Args:
        width: most nodes of a leaf; a branch has at least this many, if there are enough.
    """
    pages: list[bytes] = []

    def add(flags: int, nodes: Sequence[bytes]) -> int:
        pages.append(_page(2 + len(pages), flags, nodes))
        return 1 + len(pages)

    level: list[tuple[bytes, int]] = []
    leaf: list[bytes] = []
    for k, value in enumerate(values):
        key = b"%08d" % k
        flags, stored = 0, value
        if len(value) > PAGE // 4:
            number, count = 2 + len(pages), -(-(16 + len(value)) // PAGE)
            raw = (struct.pack("<QHHI", number, 0, LARGE, count) + value).ljust(count * PAGE, b"\0")
            pages += [raw[at : at + PAGE] for at in range(0, len(raw), PAGE)]
            flags, stored = 1, struct.pack("<Q", number)
        node = struct.pack("<HHHH", len(value) & 65535, len(value) >> 16, flags, len(key)) + key + stored
        if leaf and (len(leaf) == width or 16 + sum(map(len, leaf)) + 3 * len(leaf) + len(node) + 3 > PAGE):
            level.append((leaf[0][8:16], add(LEAF, leaf)))
            leaf = []
        leaf.append(node)
    if leaf:
        level.append((leaf[0][8:16], add(LEAF, leaf)))
    depth = 1
    while len(level) > 1:
        # No branch may have only one child, which LMDB takes for damage.
        count = max(len(level) // width, 1)
        groups = [level[len(level) * k // count : len(level) * (k + 1) // count] for k in range(count)]
        level = []
        for group in groups:
            keys = [b"", *(key for key, _ in group[1:])]
            nodes = [
                struct.pack("<HHHH", child & 65535, child >> 16 & 65535, child >> 32, len(key)) + key
                for key, (_, child) in zip(keys, group, strict=True)
            ]
            level.append((group[0][0], add(BRANCH, nodes)))
        depth += 1
    root = level[0][1] if level else (1 << 64) - 1
    metas = [_meta(number, depth if level else 0, root, len(values), 1 + len(pages)) for number in (0, 1)]
    return b"".join([*metas, *pages])


def write_lmdb(folder: pathlib.Path, values: Sequence[bytes], width: int = 40) -> pathlib.Path:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "data.mdb").write_bytes(lmdb_bytes(values, width))
    return folder


def datum(image: bytes, label: int | None, shape: tuple[int, ...] = (0, 0, 0), encoded: bool | None = True) -> bytes:
    """A Datum of Caffe; shape: channels, height and width."""
    found = b"".join(varint(k << 3) + varint(extent) for k, extent in enumerate(shape, 1)) + field(4, image)
    found += b"" if label is None else varint(5 << 3) + varint(label)
    return found + (b"" if encoded is None else varint(7 << 3) + varint(encoded))


def tensor(kind: str, values: Sequence, dims: Sequence[int] | None = None, packed: bool = False) -> bytes:
    """A tensor of Caffe2, of "float", "int32", "byte" or "string"."""
    number = ("", "float", "int32", "byte", "string").index(kind)
    found = b"".join(varint(8) + varint(extent) for extent in dims or [len(values)]) + varint(16) + varint(number)
    if kind == "float":
        return found + field(3, struct.pack(f"<{len(values)}f", *values))
    if kind == "int32":
        numbers = [varint(value) for value in values]
        return found + (field(4, b"".join(numbers)) if packed else b"".join(varint(32) + one for one in numbers))
    return found + (field(5, bytes(values)) if kind == "byte" else b"".join(field(6, text) for text in values))


def tensors(*all_of_them: bytes) -> bytes:
    return b"".join(field(1, one) for one in all_of_them)


def tensors_of(index: int) -> bytes:
    """Tensors with an additional input."""
    label, weights = tensor("int32", [index]), tensor("float", [0.5, index])
    return tensors(tensor("string", [content(index)]), label, weights)


def _databases(folder: pathlib.Path, name: str, value: Callable[[int], bytes]) -> list[pathlib.Path]:
    return [write_lmdb(path, list(map(value, mine))) for path, mine in zip(both(folder, name), HALVES, strict=True)]


def _caffe(folder: pathlib.Path) -> tuple[dict[str, Any], Caffe]:
    paths = _databases(folder, "caffe{}", lambda index: datum(content(index), index))
    return {"path": paths}, Caffe(paths)


def _caffe2(folder: pathlib.Path) -> tuple[dict[str, Any], Caffe2]:
    paths = _databases(folder, "caffe2{}", tensors_of)
    return {"path": paths, "additional_inputs": 1}, Caffe2(paths, additional_inputs=1)


SAMPLES = {"caffe": Samples(_caffe, "caffe", native=True), "caffe2": Samples(_caffe2, "caffe2", native=True)}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    for name in ("a.lmdb", "b.lmdb"):
        write_lmdb(root / name, [datum(b"x", k) for k in range(3)])
        values = [tensors(tensor("string", [b"x"]), *[tensor("int32", [1])] * 4) for _ in range(3)]
        write_lmdb(root / f"2{name}", values)
    paths, paths2 = ([{"path": root / f"{kind}{name}.lmdb"} for name in "ab"] for kind in ("", "2"))
    more = [{"label_type": 1, "num_labels": count} for count in (3, 4)]
    return {
        "readers.caffe": Arguments(paths[0], {"path": paths}),
        "readers.caffe2": Arguments(paths2[0], {"path": paths2, "num_labels": more}),
    }
