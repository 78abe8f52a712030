"""The arguments that all readers share, and how they are used."""

from __future__ import annotations

import os
import warnings
from typing import Any

from jaxdali._base.documentation import page_url
from jaxdali._feed.storage.urls import absolute
from jaxdali.errors import ConfigTypeError
from ...graph.call import Call, MutableParams, Params
from ...graph.call_sites import user_stacklevel
from ...readers.indexed import Indexed
from ..argument_kinds import FLAG, LARGEST_SEED, PATH, SEED, Kind, integer
from ..declaration import Param, Static
from ..size_hints import MOST_BYTES, check_hint
from .reader_spec import ReaderSpec

__all__ = [
    "ACCEPTED",
    "CONTAINERS",
    "READING",
    "SHARDING",
    "TEXT",
    "caching",
    "describe_reader",
    "hints",
    "reader_spec",
]

# The reasons why DALI's other arguments need no action; each reader has its own reason for lazy_init.
ACCEPTED = {
    "read_ahead": "samples are read ahead by `prefetch_queue_depth`, each of them whole",
    "dont_use_mmap": "no file is mapped",
    "skip_cached_images": "decoded images are not cached, so every file is read",
}
# The documentation of each reader continues with this.
READING = f"""Every path may be a URL, `s3://`, `gs://`, `https://` or another one that fsspec knows; how objects are read:
    {page_url("pipelines", "files-in-buckets")}

    The pipeline's worker processes (`py_num_workers`) read the files; with `py_num_workers=0` it is `run` that
    does. Whatever they decode, everything but JPEG, `num_threads` of them share, as far as there are CPUs.

    The stream has no end, and `Pipeline.reset` does not move it: how many batches an epoch has is decided by the
    iterator, see `reader_name=` of `jaxdali.plugin.jax.DALIGenericIterator`.

    Random operators draw for a sample and the number of shards that its reader has visited before, so in an epoch a sample
    gets the same numbers whichever shard it is in."""


def _text(word: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigTypeError(f"{word} must be text, got {value!r:.80}")
    return value


TEXT = Kind("str", _text)

_CUT = (
    Static(
        "shard_id",
        integer(0),
        0,
        "index of the shard. For N samples it consists of samples `floor(shard_id * N / num_shards)` to "
        "`floor((shard_id + 1) * N / num_shards)`",
    ),
    Static("num_shards", integer(1), 1, "number of shards"),
    Static("stick_to_shard", FLAG, False, "read only this shard. By default the samples of the next shard follow"),
    Static(
        "pad_last_batch",
        FLAG,
        False,
        "end every pass through a shard with a full batch, in which its last sample is repeated. All shards then have"
        " the same number of batches, and the next pass begins at the start of a shard. By default batches cross the "
        "borders of shards",
    ),
)
_SEEDS = (
    Static(
        "shuffle_after_epoch_seed",
        integer(0, LARGEST_SEED),
        None,
        "seed of the order of `shuffle_after_epoch`; by default it is always the same",
    ),
    Static("seed", SEED, None, "seed of the order of `random_shuffle`; by default the pipeline's"),
)
# For readers whose samples are separate files.
SHARDING: tuple[Param, ...] = (
    *_CUT,
    Static(
        "random_shuffle",
        FLAG,
        False,
        "read the samples of a shard in a different order each time. Shards are cut out of the shuffled list of "
        "samples, which is the same in every process",
    ),
    Static(
        "shuffle_after_epoch",
        FLAG,
        False,
        "shuffle all samples before they are divided into shards, each time the data begin, including the first time."
        " The order is the same for every shard and process. It implies `stick_to_shard`, and cannot be combined with"
        " it or with `random_shuffle`",
    ),
    *_SEEDS,
)
# For readers of files that hold many samples.
CONTAINERS: tuple[Param, ...] = (
    *_CUT,
    Static(
        "random_shuffle",
        FLAG,
        False,
        "read the samples of a shard in a different order each time, wherever they are stored. The order of the files"
        " determines which samples belong to a shard",
    ),
    Static(
        "shuffle_after_epoch",
        FLAG,
        False,
        "shuffle the files, but not the samples in them, before they are divided into shards, each time the data "
        "begin, including the first time. The order is the same for every shard and process. It implies "
        "`stick_to_shard`, and cannot be combined with it. With `random_shuffle`, the samples of each shard are "
        "shuffled as well",
    ),
    *_SEEDS,
)
_NAMES = {param.name for param in SHARDING} - {param.name for param in _SEEDS}


def hints(each: str, outputs: int | None) -> tuple[Param, ...]:
    """Returns the arguments that change no result.

    Args:
        each: the outputs that the entries of a list refer to.
        outputs: how many outputs there are; None if it depends.
    """

    def check(word: str, value: object) -> Any:
        count = outputs if outputs is not None else len(value) if isinstance(value, list | tuple) else 1
        return check_hint(value, count, word)

    return (
        Param(
            "initial_fill",
            integer(1),
            1024,
            "size of the buffer from which DALI draws samples. Here it is ignored: samples are drawn from the whole "
            "shard. Their order is a keyed permutation, which keeps nothing in memory",
            hint=True,
        ),
        Param(
            "prefetch_queue_depth",
            integer(1),
            1,
            "number of batches to read ahead, in addition to those of the pipeline",
            hint=True,
        ),
        Param(
            "tensor_init_bytes",
            integer(0, MOST_BYTES),
            None,
            "expected size of a sample. Slots start with this size and need not grow; see "
            "`Pipeline.executor_statistics`. With 0, the pipeline's `bytes_per_sample` applies",
            hint=True,
        ),
        Param(
            "bytes_per_sample_hint",
            Kind("int | Sequence[int]", check, (1000, 2000 if outputs is None else (500, *[4] * (outputs - 1)))),
            None,
            f"likewise; also as a list, {each}, which then counts alone",
            hint=True,
        ),
        Param(
            "cache_dir",
            PATH,
            None,
            "a folder in which data read from URLs are cached, shared by all processes that use it; by default "
            "nothing is cached. An object that is read as a whole is assumed to be unchanged as long as its name is "
            "the same",
            hint=True,
        ),
        Param(
            "cache_bytes",
            integer(1),
            None,
            "largest size of the cache in bytes, 16 GiB by default; the least recently used data are removed first",
            hint=True,
        ),
    )


def caching(given: Params) -> MutableParams:
    """Returns the arguments of a source for caching data from URLs."""
    return {name: given.get(name) for name in ("cache_dir", "cache_bytes")}


def reader_spec(name: str, data: Indexed, given: Params, outputs: int, layouts: tuple[str, ...] = ()) -> ReaderSpec:
    """Makes the spec of a reader from its data and the arguments that all readers share.

    Args:
        name: "file" for `fn.readers.file`.

    Raises:
        ConfigError: the arguments do not go together.
    """
    hint = given.get("bytes_per_sample_hint")
    if isinstance(hint, tuple):
        check_hint(hint, outputs)
    else:
        hint = max(hint or 0, given.get("tensor_init_bytes") or 0) or None
    if given["shuffle_after_epoch_seed"] is not None and not given["shuffle_after_epoch"]:
        warnings.warn(
            "`shuffle_after_epoch_seed` has no effect when `shuffle_after_epoch` is False.",
            stacklevel=user_stacklevel(),
        )
    spec = ReaderSpec(
        data=data,
        outputs=outputs,
        layouts=layouts,
        display_name=f"fn.readers.{name}",
        sharding={one: given[one] for one in sorted(_NAMES)},
        seed=given["seed"],
        shuffle_after_epoch_seed=given["shuffle_after_epoch_seed"],
        prefetch_queue_depth=given["prefetch_queue_depth"],
        bytes_per_sample_hint=hint,
        root=_root(given),
    )
    spec.order(1)  # so that errors in the order are raised where it is written
    return spec


def _root(given: Params) -> str:
    """Returns the folder to which paths are relative; empty if there is none."""
    if given.get("file_root") is not None:
        return absolute(given["file_root"])
    return os.path.dirname(absolute(given["file_list"])) if given.get("file_list") is not None else ""


def describe_reader(call: Call) -> tuple[Params, Params]:
    """Describes a reader by what it gives, not by how that was written."""
    spec: ReaderSpec = call.source
    usual = {param.name: param.default for param in SHARDING if param.name in _NAMES}
    own = {"seed": spec.seed, "shuffle_after_epoch_seed": spec.shuffle_after_epoch_seed}
    found = {"epoch_size": len(spec.data), **spec.sharding, **own, "files": spec.data.digest()[:16]}
    return found, {**usual, **dict.fromkeys(own)}
