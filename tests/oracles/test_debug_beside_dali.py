"""Our debug mode must give the batches of NVIDIA's DALI without debug mode (DALI's own debug mode needs a GPU)."""

from __future__ import annotations

import beside_dali
import numpy as np
import pytest
from beside_dali import BATCH, Output, batches, counted, folder, images, load

pytestmark = pytest.mark.dali


def both(define, **options):
    """Returns the batches of DALI's pipeline, and those of ours in debug mode."""
    options = {"batch_size": BATCH, "num_threads": 1, "device_id": None, "seed": 7, **options}
    theirs, ours = (load(system) for system in beside_dali.SYSTEMS)
    return (
        batches(theirs.pipeline_def(lambda: define(theirs), **options)()),
        batches(ours.pipeline_def(lambda: define(ours), debug=True, **options)()),
    )


def test_images_and_numbers():
    def define(dali):
        fn, types = dali.fn, dali.types
        files, labels = fn.readers.file(file_root=folder(), name="Reader")
        decoded = fn.decoders.image(files)
        arrays = fn.external_source(images(), layout="HWC")
        ends = fn.external_source(lambda k: np.int32([[1 + k % 2], [2]]))
        return (
            fn.flip(decoded, vertical=1),
            fn.slice(decoded, 0, ends, axes=[0]),
            fn.crop_mirror_normalize(arrays, mean=3.0, std=2.0, mirror=labels % 2, dtype=types.FLOAT),
            fn.cat(arrays, fn.pad(arrays, shape=[2, 3, 4]), axis=2),
            fn.cast(labels, dtype=types.INT64) * 2,
            labels / 2,
            fn.reductions.sum(fn.cast(arrays, dtype=types.FLOAT), axes=[0]),
        )

    theirs, ours = both(define)
    assert theirs == ours and isinstance(theirs[0][0], Output)


def test_epochs_and_several_sets_of_inputs():
    def define(dali):
        fn = dali.fn
        numbers = fn.external_source(counted(2, epoch=2), cycle="raise")
        one, other = fn.cast([numbers, numbers + 1], dtype=dali.types.FLOAT)
        return one, other, fn.python_function(numbers, function=lambda sample: sample[:1])

    theirs, ours = both(define)
    assert theirs == ours and "end" in theirs
