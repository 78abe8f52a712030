"""The trainers of this folder by name, and a run of all of them that ends with SIGKILL."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from typing import Any

import of_arrays
import of_images
import of_scenes
import of_tokens

__all__ = ["TRAINERS", "fingerprint_of", "flat", "original", "train_until_killed"]

_NAMES = {
    of_images: ("linen_imagenet", "scenic_evaluation", "nnx_images", "big_vision_vit", "diffusion", "simclr"),
    of_scenes: ("scenic_detr", "segmentation", "clip_pairs"),
    of_tokens: ("maxtext", "t5x_mixture", "wmt_buckets", "nano_gpt", "streamed_texts"),
    of_arrays: ("numpy_loader", "equinox", "cifar", "long_tail", "pmapped", "several_processes"),
}
TRAINERS: dict[str, Callable[..., Any]] = {
    name: getattr(module, name) for module, names in _NAMES.items() for name in names
}
SEEN = 2
"""Steps before the end."""


def original(name: str) -> Callable[..., Any]:
    """Returns the original loader of a trainer, which does not use jaxdali."""
    return next(getattr(module, f"{name}_original") for module, names in _NAMES.items() if name in names)


def flat(name: str, batch: Any) -> Any:
    """Joins the two batch axes of a batch for `jax.pmap`; returns other batches as they are."""
    import jax

    return jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), batch) if name == "pmapped" else batch


def fingerprint_of(name: str, batch: Any) -> str:
    """The fingerprint of a batch's rows, on whatever devices they are."""
    import jaxdali

    return jaxdali.fingerprint(flat(name, batch))


def train_until_killed(root: str) -> None:
    """Prints, for each trainer on one device, its state after step SEEN, and the fingerprint of the next batch."""
    import jax

    device = jax.devices("cpu")[:1]
    for name, make in TRAINERS.items():
        options = {"devices": device} if name == "pmapped" else {}
        with make(root, workers=0, **options) as loader:
            batches = iter(loader)
            for _ in range(SEEN):
                next(batches)
            record = loader.get_state()
            print(json.dumps([name, record, fingerprint_of(name, next(batches))]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
