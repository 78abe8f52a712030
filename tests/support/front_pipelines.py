"""Pipelines and device functions for the tests of the two front doors."""

from __future__ import annotations

import front_sources
import jax.numpy as jnp
import numpy as np

from jaxdali import fn, pipeline_def, random
from jaxdali.image import decode, resize

SEED = 11


def make(graph, **options):
    """A pipeline of `graph(files, labels)`."""

    @pipeline_def(**{"batch_size": 4, "seed": SEED, **options})
    def mine():
        source = front_sources.files_and_labels
        return graph(*fn.external_source(source, num_outputs=2, batch=False))

    return mine()


def of(sample, graph=lambda node: node, **options):
    """A pipeline of `graph(node)`, where the source returns `sample(info)`."""

    @pipeline_def(**{"batch_size": 4, "seed": SEED, **options})
    def mine():
        return graph(fn.external_source(sample, batch=False))

    return mine()


def tutorial(files, labels):
    images = fn.decoders.image(files, device="mixed")
    contrast = fn.random.uniform(range=(1, 3.0))
    return fn.brightness_contrast(images, contrast=contrast), labels, images, contrast


def keys(operator, epoch, indices, seed=SEED):
    """The keys from which a pipeline's random operator number `operator` draws."""
    return random.sample_keys(seed, operator, epoch, np.asarray(indices))


def masked_pixels(batch, keys, mask, step, epoch):
    """A Loader's `augment`: images, labels, a number per sample, which rows are real, and where the Loader stands."""
    pixels = decode(batch["image"], (80, 80))
    place = jnp.full(mask.shape, 10 * step + epoch)
    return {"x": pixels, "y": batch["label"], "u": random.uniform(keys), "mask": mask, "place": place}


def mixed_pixels(batch, key, step):
    """A Loader's `mix` behind that, with any sharding: the step is there once more."""
    return {**batch, "step": 0 * batch["place"] + step}


def small_images(batch, keys):
    """A Loader's `augment`: some pixels of the images, labels, a number per sample. Most Loader tests compile it."""
    pixels = decode(batch["image"], (80, 80))[:, ::10, ::10]
    return {"x": pixels, "y": batch["label"], "u": random.uniform(keys)}


def resized_images(batch, keys):
    """`small_images`, but resized, which takes four times as long to compile."""
    pixels = resize(decode(batch["image"], (80, 80)), (8, 8), batch["image"].sizes)
    return {"x": pixels, "y": batch["label"], "u": random.uniform(keys)}
