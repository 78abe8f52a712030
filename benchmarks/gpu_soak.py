"""Feeds one training step from pipelines and Loaders for minutes, while their workers are killed.

    python benchmarks/gpu_soak.py [--minutes 10] [--steps 200] [--kill-every 5] [--devices 1] [--images FOLDER]
        [--kinds KIND ...]

Every batch is summed, and compared with what the same feed gave undisturbed and without decoding ahead. One file is
truncated, and its image is zeros. The feeds are closed and reopened every --steps steps, and must leave nothing
behind. With several --devices each has its own pipelines and Loaders. Also runs on a CPU (JAX_PLATFORMS=cpu).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import os
import pathlib
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from photographs import KINDS, file_names, write_files
from processes import descendants, wait_for_end

import jaxdali as dali
from jaxdali import fn
from jaxdali.random import coin_flip, resized_crop_window

EXTENT = 96
CUT_OFF = 7
DECODERS = ("cuda", "hardware", "gpu")
SOAKED = ["JPEG", "JPEG optimized", "JPEG progressive", "PNG", "WebP", "JPEG large"]
LARGE = 8  # files of a kind whose images are enlarged, because of the time and memory that they take


class Data:
    """Map-style data for Loaders."""

    def __init__(self, names: list[str]):
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return {"image": pathlib.Path(self.names[index]).read_bytes(), "label": np.int32(index)}


class Source:
    """The same files as a source for pipelines."""

    def __init__(self, names: list[str]):
        self.names = names

    def __call__(self, info: Any) -> np.ndarray:
        return np.fromfile(self.names[info.idx_in_epoch % len(self.names)], np.uint8)


@dataclasses.dataclass(frozen=True)
class Task:
    names: list[str]
    batch: int
    workers: int
    device: Any
    decode_ahead: int | None


def _crop(files: Any, device: str, decoder: str) -> Any:
    images = fn.random_resized_crop(fn.decoders.image(files, device=device, decoder=decoder), size=(EXTENT, EXTENT))
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), mean=[100.0], output_layout="HWC")


def _recipes(files: Any, device: str, decoder: str) -> Any:
    """One decode; a table of levels before two windows, with a different filter for each."""
    images = fn.flip(fn.decoders.image(files, device=device, decoder=decoder), horizontal=fn.random.coin_flip())
    images = fn.brightness_contrast(images, contrast=fn.random.uniform(range=(0.5, 1.5)))
    crop = fn.random_resized_crop(images, size=(EXTENT, EXTENT), interp_type=dali.types.INTERP_CUBIC)
    whole = fn.resize(images, size=(EXTENT, EXTENT))
    return fn.cat(
        *(fn.crop_mirror_normalize(part, mean=[100.0], output_layout="HWC") for part in (crop, whole)), axis=0
    )


@contextlib.contextmanager
def _run(task: Task, decoder: str, make: Callable[..., Any]) -> Iterator[tuple[Iterator[Any], Callable[[], Any]]]:
    on_gpu = task.device.platform != "cpu"

    @dali.pipeline_def(
        batch_size=task.batch,
        device_id=task.device.local_hardware_id if on_gpu else None,
        py_num_workers=task.workers,
        py_start_method="spawn",
        seed=1,
        on_error="zeros",
        decode_ahead=task.decode_ahead,
    )
    def graph():
        files = fn.external_source(Source(task.names), batch=False, parallel=True, prefetch_queue_depth=2)
        return make(files, "mixed" if on_gpu else "cpu", decoder)

    with graph() as pipe:
        yield iter(lambda: pipe.run_arrays(1)[0], None), pipe.stats


pipeline = functools.partial(_run, make=_crop)
recipes = functools.partial(_run, make=_recipes)


@contextlib.contextmanager
def loader(task: Task, decoder: str) -> Iterator[tuple[Iterator[Any], Callable[[], Any]]]:
    def augment(batch, keys):
        window = resized_crop_window(keys, batch["image"].sizes)
        return dali.image.decode_resample(
            batch["image"], window, (EXTENT, EXTENT), flip=coin_flip(keys, 0.5), mean=100.0, decoder=decoder
        )

    with dali.Loader(
        Data(task.names),
        augment,
        batch_size=task.batch,
        shuffle=True,
        seed=2,
        workers=task.workers,
        device=task.device,
        on_error="zeros",
        decode_ahead=task.decode_ahead,
    ) as batches:
        yield iter(batches), batches.stats


FEEDS = {
    f"{name}, {decoder}": (make, decoder)
    for name, make in (("pipeline", pipeline), ("recipes", recipes), ("loader", loader))
    for decoder in DECODERS
}


def make_training() -> tuple[dict[str, Any], Callable[..., Any]]:
    """A few convolutions as a training step that donates its state's memory."""
    widths = (3, 16, 32, 32, 64)
    keys = jax.random.split(jax.random.key(0), len(widths))
    state = {
        f"{number}": 0.1 * jax.random.normal(key, (3, 3, one, other))
        for number, (key, one, other) in enumerate(zip(keys, widths, widths[1:], strict=False))
    }

    def loss(state, images):
        x = images / 64
        for number in range(len(widths) - 1):
            x = jax.lax.conv_general_dilated(
                x, state[f"{number}"], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
            )
            x = jax.nn.relu(x)
        return jnp.mean(x**2)

    def step(state, images):
        return jax.tree.map(lambda leaf, slope: leaf - 1e-3 * slope, state, jax.grad(loss)(state, images))

    return state, jax.jit(step, donate_argnums=0)


@jax.jit
def checksum(images):
    # Sums the bits as integers, so that the order of additions does not matter.
    bits = jax.lax.bitcast_convert_type(images, jnp.uint32).ravel()
    return jnp.sum(bits * (2 * jax.lax.iota(jnp.uint32, bits.size) + 1), dtype=jnp.uint32)


class Killer:
    """Kills a worker from time to time."""

    def __init__(self, seconds: float):
        self.seconds, self.kills = seconds, 0
        self._next = time.monotonic() + seconds
        self._draws = random.Random(0)

    def look(self) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self.seconds
        workers = [pid for pid in descendants() if b"resource_tracker" not in command(pid)]
        if workers:
            os.kill(self._draws.choice(workers), signal.SIGKILL)
            self.kills += 1


def command(pid: int) -> bytes:
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b"resource_tracker"  # it has ended


def run(tasks: list[Task], steps: int, killer: Killer | None, train: bool) -> tuple[dict[str, list[int]], int]:
    """Returns the checksums of every feed's batches, and the number of workers that died."""
    sums: dict[str, list[Any]] = {}
    with contextlib.ExitStack() as stack:
        feeds = {}
        for task in tasks:
            for name, (make, decoder) in FEEDS.items():
                feeds[f"{name}, {task.device}"] = (*stack.enter_context(make(task, decoder)), task.device)
        states = {name: make_training() for name in feeds} if train else {}
        for _ in range(steps):
            for name, (batches, _, device) in feeds.items():
                images = next(batches)
                if images.devices() != {device}:
                    raise SystemExit(f"{name}: a batch is on {images.devices()}")
                sums.setdefault(name, []).append(checksum(images))
                if train:
                    state, step = states[name]
                    states[name] = step(state, images), step
            if killer is not None:
                killer.look()
        found = {name: [int(value) for value in values] for name, values in sums.items()}
        deaths = sum(stats().worker_deaths for _, stats, _ in feeds.values())
    return found, deaths


def memory(devices: list[Any]) -> str:
    """This process's resident memory, and what JAX uses on each device."""
    status = pathlib.Path("/proc/self/status").read_text().splitlines()
    host = next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) >> 10
    on_devices = [(device.memory_stats() or {}).get("bytes_in_use", 0) >> 20 for device in devices]
    return f"{host} MiB resident, {on_devices} MiB on the devices"


def check_nothing_is_left(devices: list[Any]) -> None:
    if not wait_for_end(descendants(), 10.0):
        raise SystemExit(f"processes are left: {descendants()}")
    if devices[0].platform != "cpu":
        from jaxdali._device.ffi.cuda import cuda_module

        for device in devices:
            counts = cuda_module().engine_counts(device.local_hardware_id)
            if counts["jobs"]:
                raise SystemExit(f"the engine of {device} still has work: {counts}")


def write_mixture(folder: str, kinds: list[str], count: int, photographs: str | None) -> list[str]:
    """Writes about `count` files, as many of each kind but large ones. Returns their names, in a random order."""
    names = []
    for place, kind in enumerate(kinds):
        part = pathlib.Path(folder, str(place))
        part.mkdir()
        write_files(str(part), LARGE if "enlarged" in KINDS[kind] else count // len(kinds), photographs, **KINDS[kind])
        names += file_names(str(part))
    random.Random(0).shuffle(names)
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--steps", type=int, default=200, help="before the feeds are closed and opened again")
    parser.add_argument("--kill-every", type=float, default=5.0, help="seconds")
    parser.add_argument("--devices", type=int, default=1)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--files", type=int, default=1024)
    parser.add_argument("--workers", type=int, default=2, help="of each feed")
    parser.add_argument("--images", help="folder of photographs to cut the files out of")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=SOAKED, metavar="KIND", help="that are mixed")
    arguments = parser.parse_args()
    devices = jax.local_devices()[: arguments.devices]
    if len(devices) < arguments.devices:
        parser.error(f"--devices {arguments.devices}: there are {len(devices)}")
    with tempfile.TemporaryDirectory() as folder:
        names = write_mixture(folder, arguments.kinds, arguments.files, arguments.images)
        whole = pathlib.Path(names[CUT_OFF]).read_bytes()
        pathlib.Path(names[CUT_OFF]).write_bytes(whole[: len(whole) // 2])
        tasks = [Task(names, arguments.batch, arguments.workers, device, 0) for device in devices]
        expected, _ = run(tasks, arguments.steps, None, train=False)
        tasks = [dataclasses.replace(task, decode_ahead=None) for task in tasks]
        killer = Killer(arguments.kill_every)
        began, rounds, deaths, compared = time.monotonic(), 0, 0, 0
        while time.monotonic() - began < 60 * arguments.minutes:
            found, died = run(tasks, arguments.steps, killer, train=True)
            rounds, deaths = rounds + 1, deaths + died
            for name, sums in found.items():
                wrong = [step for step, pair in enumerate(zip(sums, expected[name], strict=True)) if pair[0] != pair[1]]
                if wrong:
                    raise SystemExit(f"{name}, round {rounds}: other bits in steps {wrong[:9]}")
                compared += len(sums)
            check_nothing_is_left(devices)
            print(
                f"{time.monotonic() - began:6.0f} s: {compared} batches compared, {killer.kills} kills, {memory(devices)}",
                flush=True,
            )
        if killer.kills and not deaths:
            raise SystemExit(f"{killer.kills} workers were killed, and none was missed")
        print(
            f"{devices[0].device_kind} x {len(devices)}: {compared} batches of {arguments.batch} in {rounds} rounds of "
            f"{time.monotonic() - began:.0f} s are the same bits; "
            f"{killer.kills} processes were killed, {deaths} worker deaths counted"
        )


if __name__ == "__main__":
    main()
