"""`jaxdali bench`: how many images of a folder a pipeline delivers in a second."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..batch import DECODERS, DEFAULT_DECODER
from ..errors import ConfigError, DecodeError
from .images import check_can_write, damaged_images, find_images, name_damaged
from .names import shown
from .numbers import count_from, seconds, table

if TYPE_CHECKING:
    from ..pipeline import Pipeline

__all__ = ["add_arguments", "run"]

_SIZE = 224
_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)  # ImageNet's, in levels
_WAITS = ("source", "decoder", "device")
# Programs are compiled in the first batches, and the ring finds its size.
_WARM_UP = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a folder with images, at any depth")
    parser.add_argument(
        "--batch-size", type=count_from(1), default=64, metavar="N", help="images of a batch (default: %(default)s)"
    )
    parser.add_argument(
        "--workers",
        type=count_from(0),
        default=_default_workers(),
        metavar="N",
        help="that read files (default: %(default)s)",
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
        "--decoder", choices=DECODERS, default=DEFAULT_DECODER, help="who decodes on a GPU (default: %(default)s)"
    )
    parser.add_argument("--json", metavar="FILE", help="writes the numbers")
    parser.add_argument("--plot", metavar="FILE.png", help="draws the rounds; wants matplotlib")


def _default_workers() -> int:
    return min(8, len(os.sched_getaffinity(0)))


def run(arguments: argparse.Namespace) -> int:
    """Measures images/s of a folder: decode, random resized crop to 224, normalise to float32."""
    if arguments.plot is not None:
        _check_matplotlib()
    paths = find_images(arguments.path)
    for file in (arguments.json, arguments.plot):
        check_can_write(file)
    with _pipeline(paths, arguments) as pipe:
        pipe.start_py_workers()
        device = pipe.device
        batches, rounds = _measure(pipe, arguments)
        stats = pipe.stats()
    read = batches * arguments.batch_size
    damaged: dict[str, Any] = {}
    if stats.images_failed:
        damaged = damaged_images(paths[:read])
    result = {
        "folder": os.path.abspath(arguments.path),
        "files": len(paths),
        "files_read": min(read, len(paths)),
        "damaged": {os.path.relpath(path, arguments.path): status.name for path, status in damaged.items()},
        "device": f"{device.device_kind} ({device.platform})",
        "decoder": "libjpeg-turbo" if device.platform == "cpu" else arguments.decoder,
        "workers": arguments.workers,
        "batch_size": arguments.batch_size,
        "size": _SIZE,
        **_summary(rounds),
        "waited": {name: getattr(stats.waits, f"{name}_s") / stats.waits.seconds for name in _WAITS},
    }
    if damaged and len(damaged) == result["files_read"]:
        name_damaged(arguments.path, damaged)
        raise DecodeError(
            f"{arguments.path}: none of its {len(damaged)} images can be decoded; there is nothing to measure"
        )
    print(table(_rows(result)), end="", flush=True)
    if damaged:
        print(f"{len(damaged)} images cannot be decoded, and are zeros:", file=sys.stderr)
        name_damaged(arguments.path, damaged)
    if arguments.json is not None:
        with open(arguments.json, "w") as file:
            json.dump(result, file, indent=2)
    if arguments.plot is not None:
        from .plot import draw_rounds

        draw_rounds(result, arguments.plot)
    return 0


def _check_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401 # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ConfigError(
            f"--plot draws with matplotlib ({error}); pip install matplotlib, or leave --plot out"
        ) from None


def _pipeline(paths: Sequence[str], arguments: argparse.Namespace) -> Pipeline:
    from .. import fn, types
    from .._ffi.plugin import plugin_major
    from ..pipeline import pipeline_def

    gpu = plugin_major() is not None

    @pipeline_def(
        batch_size=arguments.batch_size,
        device_id=0 if gpu else None,
        seed=0,
        py_num_workers=arguments.workers,
        on_error="zeros",
    )
    def bench() -> Any:
        files, _ = fn.readers.file(files=paths)
        images = fn.decoders.image_random_crop(files, device="mixed" if gpu else "cpu", decoder=arguments.decoder)
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


def _measure(pipe: Pipeline, arguments: argparse.Namespace) -> tuple[int, list[float]]:
    """How many batches were made in all, and images/s of each round."""
    for _ in range(_WARM_UP):
        _wait_for_batch(pipe)
    batches, rounds = _WARM_UP, []
    for _ in range(arguments.rounds):
        began, count = time.perf_counter(), 0
        while (passed := time.perf_counter() - began) < arguments.seconds or not count:
            _wait_for_batch(pipe)
            count += 1
        batches += count
        rounds.append(count * arguments.batch_size / passed)
    return batches, rounds


def _wait_for_batch(pipe: Pipeline) -> None:
    for array in pipe.run_arrays():
        array.block_until_ready()


def _summary(rounds: Sequence[float]) -> dict[str, Any]:
    import statistics

    return {
        "images_per_s": statistics.median(rounds),
        "smallest": min(rounds),
        "largest": max(rounds),
        "rounds": list(rounds),
    }


def _rows(result: dict[str, Any]) -> list[tuple[str, str]]:
    rounds = len(result["rounds"])
    spread = f" ({result['smallest']:.0f} to {result['largest']:.0f})" if rounds > 1 else ""
    return [
        ("folder", shown(result["folder"])),
        ("distinct files", f"{result['files_read']} read of {result['files']}, {len(result['damaged'])} damaged"),
        ("device", result["device"]),
        ("decoder", result["decoder"]),
        ("output", f"float32[{result['batch_size']}, {_SIZE}, {_SIZE}, 3]"),
        ("workers", str(result["workers"])),
        ("batch size", str(result["batch_size"])),
        ("images/s", f"{result['images_per_s']:.0f}{spread}, median of {rounds} rounds"),
        ("waited for", ", ".join(f"{name} {share:.0%}" for name, share in result["waited"].items()) + " of the time"),
    ]
