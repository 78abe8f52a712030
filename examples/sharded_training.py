"""Trains a Flax NNX network on several devices, gets killed halfway, and continues on another number of devices.

    python examples/sharded_training.py                  # the whole story, on CPU devices that JAX is told to have
    python examples/sharded_training.py --train FOLDER --state FILE [--devices 4] [--steps 40]

`--train` is a training script as you would write it: `jit`, a `NamedSharding` over the devices, and after every step
one file with the parameters and the Loader's state, replaced atomically. Without it, the script runs itself three
times: to the end on four devices; again, but killed with SIGKILL halfway; and from there on two devices. Then it
compares: batches must be the same bit for bit, and losses must agree up to a different order of sums.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import time

STEPS, BATCH, SEED = 40, 16, 0
SIZE = (32, 32)


def train(folder: str, state: pathlib.Path, devices: int, steps: int) -> None:
    """Continues from `state`, if that file exists, and prints a line of JSON for every step."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax
    from flax import nnx
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    import jaxdali

    class Network(nnx.Module):
        def __init__(self, rngs: nnx.Rngs):
            self.first = nnx.Conv(3, 16, (3, 3), strides=2, rngs=rngs)
            self.second = nnx.Conv(16, 32, (3, 3), strides=2, rngs=rngs)
            self.out = nnx.Linear(32, 2, rngs=rngs)

        def __call__(self, x):
            x = nnx.relu(self.second(nnx.relu(self.first(x))))
            return self.out(x.mean(axis=(1, 2)))

    def augment(batch, keys):
        window = jaxdali.random.resized_crop_window(keys, batch["image"].sizes)
        flip = jaxdali.random.coin_flip(keys, 0.5)
        images = jaxdali.image.decode_resample(batch["image"], window, SIZE, flip=flip, mean=127.5, std=64.0)
        return {"x": images, "y": batch["label"]}

    mesh = Mesh(np.array(jax.devices()[:devices]), ("data",))
    rows, everywhere = NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())
    graph, parameters = nnx.split(Network(nnx.Rngs(SEED)))
    optimizer = optax.adam(3e-3)
    training = jax.device_put((parameters, optimizer.init(parameters)), everywhere)

    @jax.jit
    def step_of(training, batch):
        def loss_of(parameters):
            logits = nnx.merge(graph, parameters)(batch["x"])
            return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()

        parameters, moments = training
        loss, gradients = jax.value_and_grad(loss_of)(parameters)
        updates, moments = optimizer.update(gradients, moments, parameters)
        return (optax.apply_updates(parameters, updates), moments), loss

    data = jaxdali.source.ImageFolder(folder)
    with jaxdali.Loader(data, augment, batch_size=BATCH, shuffle=True, seed=SEED, workers=1, sharding=rows) as loader:
        if state.exists():
            values, record = pickle.loads(state.read_bytes())
            training = jax.device_put(jax.tree.unflatten(jax.tree.structure(training), values), everywhere)
            loader.set_state(record)
        for step, batch in loader.enumerate():
            if step == steps:
                break
            training, loss = step_of(training, batch)
            save(state, (jax.device_get(jax.tree.leaves(training)), loader.get_state()))
            print(
                json.dumps({"step": step, "loss": float(loss), "batch": digest(jax.tree.map(jnp.asarray, batch))}),
                flush=True,
            )


def digest(batch: dict) -> str:
    """A hash of what a step was fed with, independent of its devices."""
    import numpy as np

    found = hashlib.sha256()
    for name in sorted(batch):
        found.update(np.ascontiguousarray(batch[name]).tobytes())
    return found.hexdigest()


def save(path: pathlib.Path, value: object) -> None:
    """Replaces the file atomically: a process killed meanwhile leaves the previous one."""
    new = path.with_suffix(".new")
    new.write_bytes(pickle.dumps(value))
    new.replace(path)


def run(folder: str, state: str, devices: int, steps: int, kill_after: int | None = None) -> list[dict]:
    """Returns the lines of a training process, which is killed after `kill_after` of them."""
    command = [sys.executable, __file__, "--train", folder, "--state", state]
    command += ["--devices", str(devices), "--steps", str(steps)]
    count = f"--xla_force_host_platform_device_count={devices}"
    environment = {**os.environ, "XLA_FLAGS": count, "JAX_PLATFORMS": "cpu"}
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(json.loads(line))
            if len(lines) == kill_after:
                process.send_signal(signal.SIGKILL)
                break
    if process.returncode != (0 if kill_after is None else -signal.SIGKILL):
        raise SystemExit(f"the training process ended with {process.returncode}")
    return lines


def tell(steps: int) -> None:
    """Runs the training three times, and compares."""
    import make_images

    with tempfile.TemporaryDirectory() as folder:
        images = f"{folder}/images"
        make_images.make_images(images, 48)
        started = time.perf_counter()
        whole = run(images, f"{folder}/whole", 4, steps)
        before = run(images, f"{folder}/state", 4, steps, kill_after=steps // 2)
        after = run(images, f"{folder}/state", 2, steps)
        seconds = time.perf_counter() - started
    if not after:
        raise SystemExit("the process had taken all its steps before it was killed: take more --steps")
    print(
        f"killed after step {before[-1]['step']} on 4 devices, resumed at step {after[0]['step']} on 2; {seconds:.0f} s"
    )
    told = {line["step"]: line for line in before + after}
    same = [told[line["step"]]["batch"] == line["batch"] for line in whole]
    apart = max(abs(told[line["step"]]["loss"] - line["loss"]) for line in whole)
    print(
        f"{sum(same)} of {len(whole)} batches are those of the run that was not killed; losses differ by at most {apart:.1e}"
    )
    if not all(same) or len(same) != steps or apart > 1e-2:
        raise SystemExit("the resumed run is another one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", metavar="FOLDER", help="train from this folder of classes")
    parser.add_argument("--state", type=pathlib.Path, help="where the position and the parameters are kept")
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--steps", type=int, default=STEPS)
    arguments = parser.parse_args()
    if arguments.train is None:
        tell(arguments.steps)
    elif arguments.state is None:
        parser.error("--train wants --state")
    else:
        train(arguments.train, arguments.state, arguments.devices, arguments.steps)


if __name__ == "__main__":
    main()
