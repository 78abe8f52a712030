"""Feeds `jax.pmap` from DALI-style pipelines: one per device, each with its shard of the files.

    python examples/pmap_training.py [--images FOLDER] [--devices 8] [--epochs 3]

For a DALI user, only the import is new. Without a folder it draws some pictures; without GPUs, JAX gets as many CPU
devices. Epochs end by the rules of the reader: with `pad_last_batch` all devices get equally many batches, for which
the last file of a shard may be repeated.
"""

from __future__ import annotations

import argparse
import functools
import os
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--images", metavar="FOLDER", help="one folder per class")
parser.add_argument("--devices", type=int, default=8)
parser.add_argument("--epochs", type=int, default=3)


def feed(folder: str, devices):
    """An iterator over `{"images": f32[D, N, 32, 32, 3], "labels": i32[D, N, 1]}`."""
    from jaxdali import fn
    from jaxdali.plugin.jax import data_iterator

    @data_iterator(reader_name="files", devices=devices, auto_reset=True)
    def training(shard_id, num_shards):
        jpegs, labels = fn.readers.file(
            file_root=folder,
            name="files",
            shard_id=shard_id,
            num_shards=num_shards,
            random_shuffle=True,
            pad_last_batch=True,
        )
        images = fn.decoders.image_random_crop(jpegs, device="mixed")
        images = fn.resize(images, size=(32, 32))
        images = fn.crop_mirror_normalize(
            images, mean=127.5, std=64.0, mirror=fn.random.coin_flip(), output_layout="HWC"
        )
        return {"images": images, "labels": labels}

    return training(batch_size=4 * len(devices), seed=1, py_num_workers=1)


def main() -> None:
    arguments = parser.parse_args()
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={arguments.devices}"
    os.environ["XLA_FLAGS"] = flags.strip()
    import jax
    import jax.numpy as jnp
    import make_images

    devices = jax.local_devices()[: arguments.devices]

    @functools.partial(jax.pmap, axis_name="device", devices=devices)
    def step(weights, batch):
        def loss_of(weights):
            scores = batch["images"].mean(axis=(1, 2)) @ weights
            return -jnp.mean(jax.nn.log_softmax(scores)[jnp.arange(len(scores)), batch["labels"][:, 0]])

        loss, gradient = jax.value_and_grad(loss_of)(weights)
        loss, gradient = jax.lax.pmean((loss, gradient), "device")
        return weights - 0.3 * gradient, loss

    with tempfile.TemporaryDirectory() as drawn:
        folder = arguments.images or drawn
        if arguments.images is None:
            make_images.make_images(drawn, 42)
        batches = feed(folder, devices)
        weights = jnp.zeros((len(devices), 3, 2))
        for epoch in range(arguments.epochs):
            started, losses = time.perf_counter(), []
            for batch in batches:
                weights, loss = step(weights, batch)
                losses.append(float(loss[0]))
            seconds = time.perf_counter() - started
            print(
                f"epoch {epoch}: {len(losses)} steps on {len(devices)} devices in {seconds:.1f} s, loss {losses[-1]:.3f}"
            )


if __name__ == "__main__":
    main()
