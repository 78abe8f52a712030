"""`jaxdali bench`: how much a user's Loader or Pipeline, or a pipeline for the images of a folder, delivers in a second."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..batch import DECODERS, DEFAULT_DECODER
from ..errors import ConfigError, DecodeError
from .images import check_can_write, damaged_images, find_images, name_damaged
from .names import shown
from .numbers import count_from, seconds, table
from .program import PipelineBatches, batches_of, is_program, load
from .throughput import measure

if TYPE_CHECKING:
    from ..pipeline import Pipeline

__all__ = ["add_arguments", "run"]

_SIZE = 224
_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)  # ImageNet's, in levels
_BATCH_SIZE = 64
# Of the pipeline for a folder; a program says them itself.
_OF_FOLDERS = ("batch_size", "workers", "decoder")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a folder with images, at any depth; or program.py:name, a Loader or Pipeline at the top level of a program, "
        "or a function without arguments that returns one",
    )
    parser.add_argument(
        "--batch-size", type=count_from(1), metavar="N", help=f"images of a batch, of a folder (default: {_BATCH_SIZE})"
    )
    parser.add_argument(
        "--workers",
        type=count_from(0),
        metavar="N",
        help=f"that read files, of a folder (default: {_default_workers()})",
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
        "--decoder", choices=DECODERS, help=f"who decodes on a GPU, of a folder (default: {DEFAULT_DECODER})"
    )
    parser.add_argument("--json", metavar="FILE", help="writes the numbers")
    parser.add_argument("--plot", metavar="FILE.png", help="draws the rounds; needs matplotlib")


def _default_workers() -> int:
    return min(8, len(os.sched_getaffinity(0)))


def run(arguments: argparse.Namespace) -> int:
    """Measures a Loader or Pipeline of a program, or images/s of a folder: random resized crop to 224, normalise.

    Rate, what is waited for, CPU time and memory, of a consumer that does nothing but take batches.
    """
    if arguments.plot is not None:
        _check_matplotlib()
    for file in (arguments.json, arguments.plot):
        check_can_write(file)
    (_run_program if is_program(arguments.path) else _run_folder)(arguments)
    return 0


def _run_program(arguments: argparse.Namespace) -> None:
    given = [name for name in _OF_FOLDERS if getattr(arguments, name) is not None]
    if given:
        raise ConfigError(f"--{given[0].replace('_', '-')} is for folders; {arguments.path} says that itself")
    batches = batches_of(load(arguments.path), arguments.path)
    with contextlib.closing(batches):
        measured = measure(batches, arguments.rounds, arguments.seconds)
    result = {"program": arguments.path, "kind": batches.kind, "failed": measured.failed, **measured.numbers("samples")}
    rows = [("program", f"{shown(arguments.path)}, a {batches.kind}"), *measured.rows("samples")]
    if measured.failed:
        rows.append(("images failed", ", ".join(f"{count} {name}" for name, count in measured.failed.items())))
    _tell(rows, result, "samples", arguments.path, arguments)


def _run_folder(arguments: argparse.Namespace) -> None:
    paths = find_images(arguments.path)
    batch_size = arguments.batch_size or _BATCH_SIZE
    workers = _default_workers() if arguments.workers is None else arguments.workers
    decoder = arguments.decoder or DEFAULT_DECODER
    pipe = _pipeline(paths, batch_size, workers, decoder)
    with contextlib.closing(pipe):
        measured = measure(PipelineBatches(pipe), arguments.rounds, arguments.seconds)
        read, device = pipe.stats().samples, pipe.device
    damaged: dict[str, Any] = damaged_images(paths[:read]) if measured.failed else {}
    result = {
        "folder": os.path.abspath(arguments.path),
        "files": len(paths),
        "files_read": min(read, len(paths)),
        "damaged": {os.path.relpath(path, arguments.path): status.name for path, status in damaged.items()},
        "decoder": "libjpeg-turbo" if device.platform == "cpu" else decoder,
        "workers": workers,
        "batch_size": batch_size,
        "size": _SIZE,
        **measured.numbers("images"),
    }
    if damaged and len(damaged) == result["files_read"]:
        name_damaged(arguments.path, damaged)
        raise DecodeError(
            f"{arguments.path}: none of its {len(damaged)} images can be decoded; there is nothing to measure"
        )
    rows = [
        ("folder", shown(result["folder"])),
        ("distinct files", f"{result['files_read']} read of {len(paths)}, {len(damaged)} damaged"),
        ("decoder", result["decoder"]),
        ("workers", str(workers)),
        ("batch size", str(batch_size)),
        *measured.rows("images"),
    ]
    title = f"{len(paths)} files, {result['device']}, {workers} workers, batches of {batch_size}"
    _tell(rows, result, "images", title, arguments)
    if damaged:
        print(f"{len(damaged)} images cannot be decoded, and are zeros:", file=sys.stderr)
        name_damaged(arguments.path, damaged)


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
        raise ConfigError(
            f"--plot draws with matplotlib ({error}); pip install matplotlib, or leave --plot out"
        ) from None


def _pipeline(paths: Sequence[str], batch_size: int, workers: int, decoder: Any) -> Pipeline:
    from .. import fn, types
    from .._ffi.plugin import plugin_major
    from ..pipeline import pipeline_def

    gpu = plugin_major() is not None

    @pipeline_def(
        batch_size=batch_size,
        device_id=0 if gpu else None,
        seed=0,
        py_num_workers=workers,
        on_error="zeros",
    )
    def bench() -> Any:
        files, _ = fn.readers.file(files=paths)
        images = fn.decoders.image_random_crop(files, device="mixed" if gpu else "cpu", decoder=decoder)
        images = fn.resize(images, size=_SIZE)
        return fn.crop_mirror_normalize(
            images,
            mean=list(_MEAN),
            std=list(_STD),
            mirror=fn.random.coin_flip(),
            dtype=types.FLOAT,
            output_layout="HWC",
        )

    return bench()
