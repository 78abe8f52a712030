"""Programs with branches on nodes whose outputs are the same in both systems, and some that both refuse.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from beside_dali import BATCH, Programs, counted

branched = Programs()
refused = Programs()


def numbers() -> list[np.ndarray]:
    """The same samples in each batch: 0, 1, 2, ..."""
    return [np.int32(k) for k in range(BATCH + 2)]


def ragged() -> list[np.ndarray]:
    return [np.full((2 + k, 5 - k, 3), 10 * k + 1, np.uint8) for k in range(BATCH + 2)]


def _program(outputs: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """Makes a program: a pipeline of what `outputs` makes of the package and a node of 0, 1, 2, 3."""

    @functools.wraps(outputs)
    def program(dali: Any) -> Any:
        def define() -> Any:
            return outputs(dali, dali.fn.external_source(numbers))

        options = {"batch_size": BATCH + 2, "num_threads": 1, "device_id": None}
        return dali.pipeline_def(enable_conditionals=True, **options)(define)()

    return program


def same(outputs: Callable[[Any, Any], Any]) -> Any:
    return branched(_program(outputs))


def wrong(outputs: Callable[[Any, Any], Any]) -> Any:
    return refused(_program(outputs))


# CONDITIONS -----------------------------------------------------------------------------------------------------------


@same
def if_else(_dali, x):
    if x > 1:
        y = x + 10
    else:
        y = x * 100
    return y


@same
def elif_and_values_that_are_changed(_dali, x):
    y = x
    if x > 2:
        y += 5
    elif x > 0:
        y += 50
    else:
        y += 500
    return y, x


@same
def nested(_dali, x):
    y = x
    if x > 0:
        y = y * 3
        if x % 2 == 0:
            y = y + 1
        else:
            y = y + 2
    return y


@same
def numbers_as_conditions(_dali, x):
    if x:
        a = x + 1
    else:
        a = x + 100
    if x * 0.5:
        b = a
    else:
        b = a + 1
    return a, b


@same
def logical_words(_dali, x):
    low, high = x < 2, x > 0
    return (
        low and high,
        low or high,
        not low,
        not x,
        not x * 0.5,
        not low and (high or True),
        True and low,
        low and True,
        0 < x < 3,
    )


@same
def what_is_not_asked_need_not_hold(_dali, x):
    if x > 0 and 12 // x > 4:
        y = 100 // x
    else:
        y = x
    return y


@same
def branches_in_loops(_dali, x):
    for k in range(3):
        if x > k:
            x = x - 1
    return x


@same
def python_in_between(_dali, x):
    flags = [True, False]
    results = []
    for flag in flags:
        if flag and x > 1:
            y = x
        elif not flag or len(flags) == 3:
            y = x * 2
        else:
            y = x * 3
        results.append(y)
    return tuple(results)


# WHAT THEY LEAVE ------------------------------------------------------------------------------------------------------


@same
def constants(dali, x):
    if x > 1:
        a, b, c = 3, True, np.array([1, 2], np.uint8)
    else:
        a, b, c = 4, False, dali.types.Constant(np.array([3, 4], np.uint8))
    return a, b, c


@same
def tuples_and_dictionaries(_dali, x):
    if x > 1:
        y = (x, {"a": x + 1})
    else:
        y = (x + 5, {"a": x + 6})
    return y[0], y[1]["a"]


@same
def entries_and_attributes(_dali, x):
    class Held:
        pass

    held, entries = Held(), {"a": x}
    held.x = x
    if x > 1:
        held.x = x + 5
        entries["a"] = x + 7
        entries["b"] = x + 8
    else:
        entries["b"] = x
    return held.x, entries["a"], entries["b"]


@same
def samples_of_different_extents(dali, x):
    images = dali.fn.external_source(ragged, layout="HWC")
    if x % 2 == 0:
        images = dali.fn.flip(images[0:2])
    else:
        images = images[:, 1:2] * dali.types.Constant(2).uint8()
    return images, dali.fn.cast(images, dtype=dali.types.FLOAT) + 0.5


@same
def sources_in_branches(dali, x):
    if x > 1:
        y = dali.fn.external_source(numbers)
    else:
        y = dali.fn.external_source(numbers) + 10
    return y


@same
def what_one_branch_sets_and_nobody_uses(_dali, x):
    if x > 1:
        unused = x  # noqa: F841
        text = "a"
    else:
        text = "b"  # noqa: F841
    return x


# FUNCTIONS ------------------------------------------------------------------------------------------------------------


@same
def returns_in_branches(_dali, x):
    def both(x):
        if x > 1:
            return x
        else:
            return x + 10

    def early(x, flag):
        if flag:
            return x
        if x > 1:
            return x + 100
        y = x * 7
        return y + 1000

    return both(x), early(x, False), early(x, True)


@same
def methods_and_lambdas(_dali, x):
    class Base:
        def shift(self, x):
            return x + 1

    class Model(Base):
        def __init__(self):
            self.by = 20

        def shift(self, x, *, by=1):
            if x > 1:
                x = x + self.by * by
            return super().shift(x)

    negate = lambda x: not (x > 1)  # noqa: E731
    model = Model()
    return model.shift(x), model.shift(x, by=2), negate(x), *map(lambda x: x > 1 and x < 3, [x])


# REFUSED --------------------------------------------------------------------------------------------------------------


@wrong
def types_that_differ(_dali, x):
    if x > 1:
        y = x * 1.5
    else:
        y = x
    return y


@wrong
def numbers_of_axes_that_differ(dali, x):
    if x > 1:
        y = dali.types.Constant(np.array([1, 2], np.int32))
    else:
        y = x
    return y


@wrong
def a_condition_of_several_numbers(dali, x):
    if dali.fn.external_source(counted(2)) > 1:
        x = x + 1
    return x


@wrong
def set_in_one_branch(_dali, x):
    if x > 1:
        y = x
    return y


@wrong
def structures_that_differ(_dali, x):
    if x > 1:
        y = (x, x)
    else:
        y = (x,)
    return y[0]


@wrong
def none_and_a_node(_dali, x):
    y = None
    if x > 1:
        y = x
    return y


@same
def batches_of_branches(dali, x):
    """The samples that take a branch are its batch."""
    fn = dali.fn
    images = fn.external_source(ragged, layout="HWC")
    levels = fn.cast(images, dtype=dali.types.FLOAT)
    moved, few, padded, mean, mosaic = x, x, images, levels, images
    if x != 1:
        moved, few = fn.permute_batch(x, indices=[2, 0, 1]), fn.permute_batch(images, indices=[0, 0, 2])[0, 0, 0]
        padded, mean = fn.pad(images), fn.normalize(levels, batch=True, axes=[0, 1, 2])
        mosaic = fn.multi_paste(images, in_ids=[2, 0], output_size=[6, 6])
        few = fn.cast(few, dtype=dali.types.INT32)
    return moved, few, padded, fn.cast(mean * 10, dtype=dali.types.INT32), mosaic


@same
def functions_of_branches(dali, x):
    def together(batch):
        return [np.array(sum(map(int, batch)) + 100 * len(batch), np.int32) for _ in batch]

    total = x
    if x > 0:
        total = dali.fn.python_function(x, function=together, batch_processing=True)
    return total


@same
def indices_of_branches(dali, x):
    one = dali.fn.external_source(lambda: [np.int32(k % 2) for k in range(BATCH + 2)])
    found = x
    if x > 0:
        if x < 3:
            found = dali.fn.permute_batch(x, indices=one)
        else:
            found = dali.fn.permute_batch(x, indices=[0])
    return found


@wrong
def words_of_integers(_dali, x):
    return x and x


@wrong
def a_while_loop(_dali, x):
    while x > 1:
        x = x - 1
    return x


@wrong
def an_assertion(_dali, x):
    assert x > 1
    return x


@wrong
def a_loop_that_is_left(_dali, x):
    for k in range(3):
        if x > k:
            break
        x = x + 1
    return x


@wrong
def a_function_that_is_not_converted(dali, x):
    return dali.pipeline.do_not_convert(_early)(x)


def _early(x):
    if x > 1:
        return x
    return x + 1
