"""What is known of samples in addition to their values, compared with NVIDIA's DALI."""

from __future__ import annotations

import re

import numpy as np
import pytest
from beside_dali import batches, folder, images, load, pipeline

pytestmark = pytest.mark.dali


def outputs(dali):
    fn = dali.fn
    files, labels = fn.readers.file(file_root=folder(), random_shuffle=False)
    pixels = fn.decoders.image(files)
    small = fn.crop(pixels, crop=(2, 2))
    of_source = fn.external_source(images(), layout="HWC")
    nodes = [
        files,
        pixels,
        labels,
        of_source,
        small,
        fn.cat(small, small),
        small + labels,
        small[0],
        labels * 2,
    ]
    nodes += [
        fn.reductions.mean(small),
        fn.cast(of_source, dtype=dali.types.FLOAT),
        fn.python_function(small, function=abs),
    ]
    found = [fn.get_property(node, key="source_info") for node in nodes]
    return [*found, fn.get_property(pixels, key="layout"), fn.pad(found[0], fill_value=ord("_")), labels]


def test_source_info_follows_first_inputs():
    def program(system, **options):
        dali = load(system)
        with pipeline(dali) as pipe:
            pipe.set_outputs(*outputs(dali))
        return batches(pipe)

    theirs, ours = program("nvidia.dali"), program("jaxdali")
    assert theirs == ours
    assert bytes(ours[0][0].samples[1]).decode() == "class1/image.png"
    dali = load("jaxdali")
    debugged = dali.pipeline_def(lambda: tuple(outputs(dali)), batch_size=2, seed=7, debug=True)()
    assert batches(debugged) == theirs


def test_what_mixes_samples_wants_to_be_asked_before():
    dali = load("jaxdali")
    files, _ = dali.fn.readers.file(file_root=folder())
    mixed = dali.fn.permute_batch(dali.fn.decoders.image(files), indices=np.int32(1))
    with pytest.raises(ValueError, match="mixes the samples of a batch; get the property before it"):
        dali.fn.get_property(mixed, key="source_info")
    with pytest.raises(ValueError, match="must be one of layout, source_info"):
        dali.fn.get_property(files, key="name")


def mixed(dali):
    """Outputs whose samples show others, each with its input's other operators around it."""
    fn = dali.fn
    files, _ = fn.readers.file(file_root=folder(), random_shuffle=False)
    pixels = fn.decoders.image(files)
    turned = fn.permute_batch(pixels, indices=[1, 0])
    return (
        turned,
        fn.crop(fn.permute_batch(turned, indices=[1, 1]), crop=(2, 2)),
        fn.multi_paste(pixels, in_ids=[1, 0], output_size=(8, 8)),
        fn.multi_paste(turned, in_ids=[0, 1, 1], output_size=(8, 8)),
        fn.multi_paste(pixels, turned, output_size=(8, 8)),
        fn.permute_batch(fn.multi_paste(pixels, turned, output_size=(8, 8)), indices=[0, 0]),
    )


def test_names_of_samples_that_show_others():
    found = []
    for system in ("nvidia.dali", "jaxdali"):
        dali = load(system)
        with pipeline(dali) as pipe:
            pipe.set_outputs(*mixed(dali))
        pipe.build()
        runs = [out for _ in range(2) for out in pipe.run()]
        found.append([[re.findall(r"class\d", out[row].source_info()) for row in range(2)] for out in runs])
    assert found[1] == found[0]
