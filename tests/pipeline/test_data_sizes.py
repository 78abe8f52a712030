"""Sizes that depend on the data: how often programs are compiled for them, and which sizes are refused."""

from __future__ import annotations

import numpy as np
import pytest

from jaxdali import ConfigError, fn, pipeline_def
from jaxdali._run.executor.device_io.canvas import MeasuredNeed


def test_the_host_tells_few_classes():
    told = []
    need = MeasuredNeed(0, told.append)
    assert need.choose(np.array([7.0, 9.0])) == (1.0, 9.0, ())
    assert need.choose(np.array([2.5, 9.0])) == (1.0, 9.0, ())  # the first number always stays exact
    assert need.choose(np.array([3.0, 33.0]))[1] == 40
    classes = {need.choose(np.array([1.0, most]))[1] for most in range(10, 2000)}
    assert len(classes) < 25 and max(classes) < 2500
    assert need.choose(np.array([4.0, 5.0]))[1] == max(classes)  # the largest number only grows
    assert told[-1] == (told[-1][0], max(classes), ())


def test_the_host_tells_the_largest_of_each_number():
    need = MeasuredNeed(0, lambda _limits: None, each=True)
    assert need.choose(np.array([[1000.0, 2.0], [900.0, 3.0]]))[2] == (1000.0, 3.0)
    assert need.choose(np.array([[1.0, 3.0], [1000.0, 1.0]]))[2] == (1000.0, 3.0)
    rows = [np.array([[300.0 + k % 90, k % 8], [200.0, -1.0]]) for k in range(2000)]
    found = [need.choose(row)[2] for row in rows]
    assert all((row.max(axis=0) <= places).all() for row, places in zip(rows, found, strict=True))
    assert max(places[1] for places in found) < 10 and len(set(found)) < 12
    assert need.choose(np.array([5.0, 6.0, 7.0]))[2] == ()  # samples that differ in length


@pytest.mark.parametrize("numbers", [[-3.0, 8.0], [0.0, 8.0], [0.25, 8.0], [-5.0, -2.0], [np.nan, 4.0]], ids=str)
def test_what_the_host_tells_holds_and_keeps_where_0_lies(numbers):
    need = MeasuredNeed(0, lambda _limits: None)
    need.choose(np.array([100.0]))
    least, most, _ = need.choose(np.array(numbers))
    finite = [number for number in numbers if np.isfinite(number)]
    assert least <= min(finite) and most >= max(finite)
    assert (least > 0) == (min(finite) > 0) and (most < 0) == (max(finite) < 0)


def test_a_size_of_0_among_others_is_refused():
    @pipeline_def(batch_size=2, num_threads=1, device_id=None)
    def pipe():
        images = fn.external_source(lambda: [np.zeros((4, 4, 3), np.uint8)] * 2, layout="HWC")
        width = fn.external_source(lambda: np.asarray([[0], [5]], np.float32))
        return fn.resize(images, resize_x=width, resize_y=6)

    with pytest.raises(ConfigError, match="0 leaves an axis open"):
        pipe().run()
