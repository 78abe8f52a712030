"""Feeds one training program of several processes: each reads and decodes its own rows of every global batch.

    python examples/multi_process.py [--processes 2] [--steps 6]

On a cluster every process calls `jax.distributed.initialize()` and runs `train`; here the script starts the processes
itself, on this machine's CPU, with two devices each. It then checks that every process reports the same losses, because
the parameters are replicated and gradients are summed over all devices.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile

BATCH, SIZE = 16, (32, 32)


def train(folder: str, steps: int) -> list[float]:
    """Trains a linear classifier for a few steps; `jax.distributed` must be initialised."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    import jaxdali

    def augment(batch, keys):
        window = jaxdali.random.resized_crop_window(keys, batch["image"].sizes)
        images = jaxdali.image.decode_resample(batch["image"], window, SIZE, mean=127.5, std=64.0)
        return {"x": images, "y": batch["label"]}

    mesh = Mesh(np.array(jax.devices()), ("data",))
    rows, everywhere = NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())

    @jax.jit
    def step_of(weights, batch):
        def loss_of(weights):
            scores = batch["x"].mean(axis=(1, 2)) @ weights
            return -jnp.mean(jax.nn.log_softmax(scores)[jnp.arange(len(scores)), batch["y"]])

        loss, gradient = jax.value_and_grad(loss_of)(weights)
        return jax.lax.with_sharding_constraint(weights - 0.3 * gradient, everywhere), loss

    weights = jax.make_array_from_callback((3, 2), everywhere, lambda index: np.zeros((3, 2), np.float32)[index])
    data = jaxdali.source.ImageFolder(folder)
    losses = []
    with jaxdali.Loader(data, augment, batch_size=BATCH, shuffle=True, seed=1, workers=1, sharding=rows) as loader:
        for step, batch in loader.enumerate():
            if step == steps:
                return losses
            weights, loss = step_of(weights, batch)
            losses.append(float(loss))
    return losses


def one(folder: str, steps: int, address: str, processes: int, process: int) -> None:
    """Runs one process of the program, and prints its losses."""
    import jax

    jax.distributed.initialize(address, processes, process)
    losses = train(folder, steps)
    print(json.dumps({"process": process, "devices": jax.local_device_count(), "losses": losses}), flush=True)


def start(arguments: argparse.Namespace, folder: str, address: str, process: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--folder", folder, "--steps", str(arguments.steps), "--address", address]
    command += ["--processes", str(arguments.processes), "--process", str(process)]
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    parser.add_argument("--process", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.process is not None:
        one(arguments.folder, arguments.steps, arguments.address, arguments.processes, arguments.process)
        return
    import make_images

    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        make_images.make_images(folder, 48)
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
        free.close()
        running = [start(arguments, folder, address, process) for process in range(arguments.processes)]
        told = []
        for process in running:
            output, _ = process.communicate(timeout=300)
            if process.returncode:
                raise SystemExit(f"a process ended with {process.returncode}")
            told += [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    losses = told[0]["losses"]
    devices = sum(process["devices"] for process in told)
    print(f"{len(told)} processes, {devices} devices, {len(losses)} steps: loss {losses[0]:.4f} -> {losses[-1]:.4f}")
    if any(process["losses"] != losses for process in told) or len(told) != arguments.processes:
        raise SystemExit("the processes report different losses")


if __name__ == "__main__":
    main()
