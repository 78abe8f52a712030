"""Arguments that are nodes, whose samples may differ in shape."""

import numpy as np
import pytest

from jaxdali import fn, pipeline_def
from jaxdali.errors import SourceDataError

IMAGES = [np.full((4, 5, 3), 7, np.uint8), np.full((6, 3, 3), 9, np.uint8)]


def run(define):
    with pipeline_def(define, batch_size=2)() as pipe:
        (output,) = pipe.run()
        return [np.asarray(output.at(k)) for k in range(2)]


def images():
    return fn.external_source(lambda: IMAGES, layout="HWC")


def test_arrays_that_are_as_large_as_their_samples():
    # The means come from other images, on another canvas, with extent 1 along the axis.
    others = [image[:, :1] + np.uint8(k) for k, image in enumerate(IMAGES)]
    rows = fn.external_source(lambda: others)
    found = run(lambda: fn.normalize(images(), mean=rows, stddev=2.0, axes=[1]))
    for k, (one, image) in enumerate(zip(found, IMAGES, strict=True)):
        np.testing.assert_array_equal(one, np.full(image.shape, -k / 2, np.float32))


def test_others_are_errors_that_say_where():
    others = fn.external_source(lambda: [np.zeros((3, 2, 2), np.float32), np.zeros((2, 2, 3), np.float32)])
    words = "mean of fn.normalize must have the extent 1 or that of its sample along axis 0"
    with pytest.raises(SourceDataError, match=rf"{words}.*defined at .*test_node_arguments"):
        run(lambda: fn.normalize(images(), mean=others, axes=[0]))
