"""`jaxdali bench`: measures how much a user's Loader or Pipeline, or a pipeline for a folder or shards, delivers per
second.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from jaxdali._base.batch import DECODERS, DEFAULT_DECODER
from jaxdali.errors import ConfigError, DecodeError
from .find import PATHS, find_content
from .folder_images import check_can_write, damaged_images, name_damaged
from .image_inputs import Content
from .numbers import count_from, seconds, table
from .safe_text import shown
from .throughput import measure
from .user_program import ListBatches, PipelineBatches, batches_of, is_program, load

if TYPE_CHECKING:
    from jaxdali._dali.pipeline.pipeline import Pipeline

__all__ = ["add_arguments", "run"]

_SIZE = 224
_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)  # ImageNet's, in levels
_BATCH_SIZE = 64
_READER = "read"
# Options of the pipeline for a folder or shards; a program sets them itself.
_OF_FOLDERS = ("batch_size", "workers", "decoder")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help=f"{PATHS}; or program.py:name, a Loader or Pipeline at the top level of a program, "
        "or a function without arguments that returns one",
    )
    parser.add_argument(
        "--batch-size",
        type=count_from(1),
        metavar="N",
        help=f"samples of a batch, of a folder or shards (default: {_BATCH_SIZE}; less of videos and large arrays)",
    )
    parser.add_argument(
        "--workers",
        type=count_from(0),
        metavar="N",
        help=f"that read files, of a folder or shards (default: {_default_workers()})",
    )
    parser.add_argument(
        "--rounds",
        type=count_from(1),
        default=5,
        metavar="N",
        help="measured one after the other (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds", type=seconds, default=2.0, metavar="S", help="of each round, at least (default: %(default)s)"
    )
    parser.add_argument(
        "--decoder",
        choices=DECODERS,
        help=f"who decodes images on a GPU, of a folder or shards (default: {DEFAULT_DECODER})",
    )
    parser.add_argument("--json", metavar="FILE", help="writes the numbers")
    parser.add_argument("--plot", metavar="FILE.png", help="draws the rounds; needs matplotlib")


def _default_workers() -> int:
    return min(8, len(os.sched_getaffinity(0)))


def run(arguments: argparse.Namespace) -> int:
    """Measures a Loader or Pipeline of a program, or a folder or shards: random resized crop to 224, normalise.

    Reports rate, waits, CPU time and memory of a consumer that does nothing but take batches. Data that are not image
    files are only read.
    """
    if arguments.plot is not None:
        _check_matplotlib()
    for file in (arguments.json, arguments.plot):
        check_can_write(file)
    programs = [path for path in arguments.paths if is_program(path)]
    if not programs:
        _run_content(arguments)
    elif len(arguments.paths) > 1:
        raise ConfigError(
            f"{programs[0]} is one of {len(arguments.paths)} paths, but a program is measured alone; name only the program"
        )
    else:
        _run_program(programs[0], arguments)
    return 0


def _run_program(path: str, arguments: argparse.Namespace) -> None:
    given = [name for name in _OF_FOLDERS if getattr(arguments, name) is not None]
    if given:
        raise ConfigError(f"--{given[0].replace('_', '-')} is for folders and shards; {path} sets it itself")
    batches = batches_of(load(path), path)
    with contextlib.closing(batches):
        measured = measure(batches, arguments.rounds, arguments.seconds)
    result = {"program": path, "kind": batches.kind, "failed": measured.failed, **measured.numbers("samples")}
    rows = [("program", f"{shown(path)}, a {batches.kind}"), *measured.rows("samples")]
    if measured.failed:
        rows.append(("images failed", ", ".join(f"{count} {name}" for name, count in measured.failed.items())))
    _tell(rows, result, "samples", path, arguments)


def _run_content(arguments: argparse.Namespace) -> None:
    content = find_content(arguments.paths)
    if arguments.decoder is not None and not content.encoded:
        raise ConfigError(f"--decoder is for image files; the {content.unit} here are not images")
    batch_size = arguments.batch_size or content.batch_size or _BATCH_SIZE
    workers = _default_workers() if arguments.workers is None else arguments.workers
    decoder = arguments.decoder or DEFAULT_DECODER
    pipe = _pipeline(content, batch_size, workers, decoder)
    with contextlib.closing(pipe):
        measured = measure(
            (PipelineBatches if content.encoded else ListBatches)(pipe), arguments.rounds, arguments.seconds
        )
        count = _size_of_epoch(pipe) if content.count is None else content.count
        counted, device = pipe.stats(), pipe.device
    read, processes = min(counted.samples, count), counted.processes
    workers, decoded = (workers, ()) if processes is None else (processes.count, processes.decodes)
    pictures = content.pictures() if measured.failed else None
    damaged = {} if pictures is None else damaged_images(pictures, range(read))
    if pictures is not None and len(damaged) == read:
        name_damaged(pictures, damaged)
        raise DecodeError(
            f"{arguments.paths[0]}: none of its {len(damaged)} images can be decoded; there is nothing to measure"
        )
    names = {} if pictures is None else {pictures.name(index): status.name for index, status in damaged.items()}
    megabytes = measured.median * content.bytes_of() / count / 1e6
    result, rows = _described(content, count, read)
    if content.encoded:
        result |= {"damaged": names, "decoder": "libjpeg-turbo" if device.platform == "cpu" else decoder, "size": _SIZE}
        rows[-1] = (rows[-1][0], f"{rows[-1][1]}, {len(damaged)} damaged")
        rows.append(("decoder", result["decoder"]))
    result |= {"workers": workers, "batch_size": batch_size, "mb_per_s": megabytes, **measured.numbers(content.unit)}
    rows += [("workers", str(workers)), ("batch size", str(batch_size)), *measured.rows(content.unit)]
    if decoded:
        rows.append(("decoded by workers", " and ".join(decoded)))
    rows.append(("read", f"{megabytes:.1f} MB/s of files"))
    title = f"{count} {content.unit}, {result['device']}, {workers} workers, batches of {batch_size}"
    _tell(rows, result, content.unit, title, arguments)
    if pictures is not None:
        print(f"{len(damaged)} images cannot be decoded, and are zeros:", file=sys.stderr)
        name_damaged(pictures, damaged)


def _size_of_epoch(pipe: Pipeline) -> int:
    meta: Any = pipe.reader_meta(_READER)
    return meta["epoch_size"]


def _described(content: Content, count: int, read: int) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Returns what `--json` and the table say."""
    if content.kind == "folder":
        (folder,) = content.paths
        return (
            {"folder": folder, "files": count, "files_read": read},
            [("folder", shown(folder)), ("distinct files", f"{read} read of {count}")],
        )
    paths = list(content.paths)
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return (
        {"format": content.kind, "shards": paths, "samples": count, "samples_read": read},
        [
            ("shards", f"{shown(paths[0])}{more}, {content.kind}"),
            (f"distinct {content.unit}", f"{read} read of {count}"),
        ],
    )


def _tell(
    rows: list[tuple[str, str]], result: dict[str, Any], unit: str, title: str, arguments: argparse.Namespace
) -> None:
    print(table(rows), end="", flush=True)
    if arguments.json is not None:
        with open(arguments.json, "w") as file:
            json.dump(result, file, indent=2)
    if arguments.plot is not None:
        from .plot import draw_rounds

        draw_rounds(result["rounds"], unit, title, arguments.plot)


def _check_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401 # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ConfigError(f"--plot needs matplotlib ({error}); pip install matplotlib, or leave --plot out") from None


def _pipeline(content: Content, batch_size: int, workers: int, decoder: Any) -> Pipeline:
    from jaxdali import fn
    from jaxdali._base.dtypes import FLOAT
    from jaxdali._dali.pipeline.pipeline_decorator import pipeline_def
    from jaxdali._device.ffi.plugin import plugin_major

    gpu = plugin_major() is not None

    @pipeline_def(
        batch_size=batch_size,
        device_id=0 if gpu else None,
        seed=0,
        py_num_workers=workers,
        on_error="zeros",
    )
    def bench() -> Any:
        files, *others = content.nodes(_READER)
        if not content.encoded:
            return files, *others
        images = fn.decoders.image_random_crop(files, device="mixed" if gpu else "cpu", decoder=decoder)
        images = fn.resize(images, size=_SIZE)
        return fn.crop_mirror_normalize(
            images,
            mean=list(_MEAN),
            std=list(_STD),
            mirror=fn.random.coin_flip(),
            dtype=FLOAT,
            output_layout="HWC",
        )

    return bench()
