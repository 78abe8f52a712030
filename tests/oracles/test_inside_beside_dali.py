"""Python functions inside of graphs, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from ragged_batches import check, images

pytestmark = pytest.mark.dali


def test_functions_of_python():
    def outputs(dali, x, y):
        fn = dali.fn
        halves = fn.python_function(fn.flip(x), function=lambda image: image[::2], output_layouts="HWC")
        rows = fn.python_function(
            x, y, function=lambda xs, ys: [np.concatenate([a[0], b[0]]) for a, b in zip(xs, ys, strict=True)],
            batch_processing=True,
        )  # fmt: skip
        sums, shapes = fn.python_function(
            halves,
            halves.shape(),
            function=lambda image, shape: (image.sum((0, 1)) / np.float64(3), shape),
            num_outputs=2,
            output_layouts=["C"],
        )
        turned = dali.ops.PythonFunction(np.flipud, output_layouts="HWC")
        return (
            halves,
            rows,
            sums,
            shapes,
            fn.flip(turned(y)),
            fn.cast(fn.python_function(sums, function=lambda s: s * 2), dtype=dali.types.FLOAT),
            fn.python_function(function=lambda: np.arange(6, dtype=np.int64).reshape(2, 3)),
            fn.python_function(x, np.float32([1, 2]), function=lambda image, pair: pair + image[0, 0, 0]),
        )

    check([images(), images()], outputs)
