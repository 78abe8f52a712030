"""Input pipelines of public JAX trainers, rewritten for jaxdali, each next to its original.

| trainer | read with |
|---|---|
| Flax Linen, ImageNet | tf.data, TFRecords |
| Scenic, evaluation under a mask | tf.data |
| Flax NNX, images of a folder | grain's DataLoader |
| big_vision, ViT with mixup | tf.data |
| diffusion | tf.data |
| SimCLR | tf.data |
| Scenic, DETR | torch |
| semantic segmentation | grain's MapDataset |
| CLIP, tar archives | Python's tarfile |
| MaxText, packed tokens | grain's packing |
| T5X, a mixture of tasks | tf.data |
| Flax, WMT in buckets | tf.data |
| nanoGPT, windows of a file | torch |
| streamed texts | torch's IterableDataset |
| JAX's tutorial, NumpyLoader | torch |
| Equinox, whole arrays | NumPy |
| CIFAR | tf.data |
| long-tailed classes | torch's WeightedRandomSampler |
| Flax Linen, jax.pmap | tf.data |
| several processes | grain, jax.make_array_from_process_local_data |

Where grain, torch and TensorFlow are installed, `PEERS=1` runs the originals, too.

And of trainers whose samples lack images, have lists of files, or several sequences, each next to a program for jaxdali that
does without what the Loader has for these.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import signal
import textwrap

import jax
import numpy as np
import of_parts
import pytest
import trainer_programs
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from processes import start_program
from tiers import gate
from trainer_data import write_data
from trainer_programs import SEEN, TRAINERS, fingerprint_of, flat, original

# The leaf that tells which sample a row is.
LEAVES = {
    **{"scenic_detr": "labels", "segmentation": "id", "clip_pairs": "tokens", "several_processes": "y"},
    **{"numpy_loader": 1, "equinox": 1},
}
# These repeat, mix or join samples randomly, so an epoch differs from the original's.
DRAWN = {"t5x_mixture", "nano_gpt", "long_tail", "streamed_texts", "maxtext", "big_vision_vit", "wmt_buckets"}
# Batches per epoch. COCO's four images are one batch.
STEPS = {"scenic_evaluation": 2, "scenic_detr": 1}
# What the gate resumes after a kill: one for each way in which samples are ordered, joined or placed.
KILLED = {"nnx_images", "clip_pairs", "maxtext", "t5x_mixture", "wmt_buckets", "streamed_texts", "long_tail", "pmapped"}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return write_data(tmp_path_factory.mktemp("trainers"))


@pytest.fixture(scope="module")
def killed(root):
    """Returns what the killed process had written for each trainer."""
    with start_program(trainer_programs.train_until_killed, root) as process:
        output, errors = process.communicate(timeout=300)
    assert process.returncode == -signal.SIGKILL, errors
    return {name: (record, digest) for name, record, digest in map(json.loads, output.splitlines())}


def lines(function):
    """Returns the line numbers of a function's code: without its docstring, comments and empty lines."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    body = tree.body[0]
    assert isinstance(body, ast.FunctionDef)
    body.body = body.body[1:] if ast.get_docstring(body) else body.body
    return {
        line for node in ast.walk(body) for line in (getattr(node, "lineno", 0), getattr(node, "end_lineno", 0))
    } - {0}


def test_there_are_twenty_of_no_more_lines_than_their_originals():
    longer = {name for name in TRAINERS if len(lines(TRAINERS[name])) > len(lines(original(name)))}
    assert len(TRAINERS) == 20 and longer == set()


def two_devices(name):
    devices = jax.devices("cpu")[:2]
    if name == "pmapped":
        return {"devices": devices}
    return {"sharding": NamedSharding(Mesh(np.array(devices), "x"), PartitionSpec("x"))}


def samples(name, batches):
    """Returns what identifies each row's sample, for all batches, sorted and without padding."""
    found = []
    for batch in batches:
        leaf = batch[LEAVES.get(name, "label")]
        real = batch["batch_mask"] if name == "scenic_evaluation" else np.ones(len(leaf))
        found += [tuple(np.ravel(row).tolist()) for row, is_real in zip(leaf, real, strict=True) if is_real]
    return sorted(found)


@pytest.mark.parametrize("name", gate(TRAINERS, KILLED))
def test_it_goes_on_from_what_a_killed_process_said_on_other_devices(name, root, killed):
    record, digest = killed[name]
    loader = TRAINERS[name](root, workers=0, **two_devices(name))
    loader.set_state(record)
    step, batch = next(loader.enumerate())
    assert (step, fingerprint_of(name, batch)) == (SEEN, digest)


@pytest.mark.parametrize("name", TRAINERS)
def test_batches_are_those_of_the_original(name, root):
    needs_peer = re.search(r"import (tensorflow|grain|torch)", inspect.getsource(original(name)))
    if needs_peer and os.environ.get("PEERS") != "1":
        pytest.skip("PEERS=1 runs the originals")
    steps, several = STEPS.get(name, 3), two_devices(name) if name in ("pmapped", "several_processes") else {}
    batches = zip(original(name)(root, **several), range(steps), strict=False)
    theirs = [flat(name, jax.device_get(batch)) for batch, _ in batches]
    loader = TRAINERS[name](root, workers=0, **several)
    ours = [flat(name, jax.device_get(batch)) for batch, _ in zip(loader, range(steps), strict=False)]
    described = [
        jax.tree.map(lambda x: (x.shape[name == "wmt_buckets" :], jax.dtypes.canonicalize_dtype(x.dtype)), batch)
        for batch in (ours[0], theirs[0])
    ]
    if name == "wmt_buckets":  # the first bucket is random
        described = [
            jax.tree.map(lambda x: (x.shape[0], x.shape[1] in (16, 32), x.dtype.name), b[0]) for b in (ours, theirs)
        ]
    assert described[0] == described[1]
    if name not in DRAWN:
        assert samples(name, ours) == samples(name, theirs)


def test_what_the_loader_has_for_parts_of_samples_saves_lines():
    made = {name: (len(lines(made)), len(lines(of_parts.before(name)))) for name, made in of_parts.TRAINERS.items()}
    assert [name for name, (ours, before) in made.items() if ours >= before] == []


@pytest.mark.parametrize("name", gate(of_parts.TRAINERS, ["scans", "cameras", "translation"]))
def test_batches_are_those_of_a_program_that_does_without(name, root):
    both = of_parts.TRAINERS[name](root, workers=0), of_parts.before(name)(root, workers=0)
    for ours, theirs, _ in zip(*both, range(3), strict=False):
        jax.tree.map(np.testing.assert_array_equal, ours, theirs)
        assert jax.tree.map(lambda x: x.dtype, ours) == jax.tree.map(lambda x: x.dtype, theirs)
