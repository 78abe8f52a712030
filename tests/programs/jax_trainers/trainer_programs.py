"""The trainers of this folder by name, and a run of all of them that does not end well."""

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
    """What the same trainer reads with where jaxdali is not."""
    return next(getattr(module, f"{name}_original") for module, names in _NAMES.items() if name in names)


def flat(name: str, batch: Any) -> Any:
    """A batch with its rows along one axis, as those of `jax.pmap` have them along two."""
    import jax

    return jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), batch) if name == "pmapped" else batch


def fingerprint_of(name: str, batch: Any) -> str:
    """Of its rows, whatever they lie on."""
    import jaxdali

    return jaxdali.fingerprint(flat(name, batch))


def train_until_killed(root: str) -> None:
    """Prints of each trainer, on one device, its record behind step SEEN, and the fingerprint of the step that follows."""
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
