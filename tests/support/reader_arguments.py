"""Arguments for readers, some of which exclude each other, and some of which are compared by the files they lead to."""

from __future__ import annotations

import pathlib
import tempfile

from every_reader import files_modules
from samples import Arguments

_ROOT = pathlib.Path(tempfile.mkdtemp())
_ARGUMENTS: dict[str, Arguments] = {
    name: one
    for module in files_modules()
    if hasattr(module, "arguments")
    for name, one in module.arguments(_ROOT).items()
}
# Arguments that all readers have.
_SHARDS = {
    "shard_id": [{"shard_id": 1, "num_shards": 3}, {"shard_id": 2, "num_shards": 3}],
    "num_shards": [{"num_shards": 2}, {"num_shards": 3}],
    "shuffle_after_epoch_seed": [{"shuffle_after_epoch": True, "shuffle_after_epoch_seed": seed} for seed in (1, 2)],
    "cache_dir": [{"cache_dir": _ROOT / name} for name in ("one", "two")],
    "cache_bytes": [{"cache_dir": _ROOT / "one", "cache_bytes": count} for count in (1 << 20, 1 << 30)],
}
# Arguments that each reader must be given.
READER_BASES = {name: one.base.copy for name, one in _ARGUMENTS.items()}
# By reader and argument: values that are given one after the other.
READERS = {name: {**_SHARDS, **one.values} for name, one in _ARGUMENTS.items()}
