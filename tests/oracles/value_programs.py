"""Programs that compute with nodes, whose outputs are bit for bit the same in both systems.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline.
"""

from __future__ import annotations

import numpy as np
from beside_dali import Programs, counted, graph, images

equal = Programs()


@equal
@graph
def subscripts(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    at = dali.fn.external_source(counted()) % 3
    return x[0], x[-1, 1], x[:, 1], x[0:1], x[:, ::2], x[:, at], x[at % 2, 0:2, -1], x[1][1]


@equal
@graph
def new_axes(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    return x[dali.newaxis], x[dali.newaxis("N")], x[:, 0, dali.newaxis("A")]


@equal
@graph
def arithmetic(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    y, several = dali.fn.external_source(counted()), [1, 2, 3]
    return (
        *(x + 1, x * 1.5, -x, +x, x + x, x - 20, 100 - x, x // 2, x % 7, x / 2),
        *(x > 15, x == 12, (x > 12) & (x < 20), x + y, y + several, abs(10 - y)),
        *(x - np.uint8(20), np.uint8(10) - x, np.int16(3) * x, np.uint16(3) & x, np.float64(1.5) * x, np.int64(12) > x),
        x + dali.types.Constant(np.array([1, 2, 3], np.uint8)),
    )


@equal
@graph
def functions(dali):
    x = dali.fn.external_source(counted(3))
    return dali.math.max(x, 12), dali.math.clamp(x, 11, 12), dali.math.floor(x / 2), dali.math.abs(11 - x)


@equal
@graph
def shapes(dali):
    x = dali.fn.external_source(images(), layout="HWC")
    as_numbers = dali.types.INT32
    return (
        x.shape(dtype=as_numbers),
        x[0].shape(dtype=as_numbers),
        x.shape(dtype=dali.types.FLOAT) / 2,
        dali.fn.crop(x, crop=(1, 2)).shape(dtype=as_numbers),
        dali.fn.crop_mirror_normalize(x).shape(dtype=as_numbers)[0],
    )


@equal
@graph
def constants_as_outputs(dali):
    constant = dali.types.Constant
    return (
        *(1, 2.5, True, [1, 2, 3], (1.5, 2), [True, False], np.float32(3), np.int64(-3)),
        *(np.arange(3, dtype=np.int16), np.zeros((2, 1)), np.arange(3), np.array(5)),
        *(constant(4), constant([1, 2]), constant(3, dtype=dali.types.UINT8), constant(3, shape=(2,))),
        constant(np.zeros((2, 3, 1), np.uint8), layout="HWC"),
        dali.fn.external_source(counted()),
    )


@equal
@graph
def constants_without_anything_else(dali):
    return [1, 2]
