"""How a graph is built, compared with NVIDIA's DALI: each program runs in both systems."""

from __future__ import annotations

import threading

import graph_programs
import numpy as np
import pytest
import value_programs
from beside_dali import (
    SYSTEMS,
    batches,
    counted,
    folder,
    forms,
    graph,
    images,
    load,
    pipeline,
    results,
    who_equals_whom,
)
from drawn_programs import drawn
from wrong_programs import WRONG

pytestmark = pytest.mark.dali

EQUAL = graph_programs.equal | value_programs.equal


@pytest.fixture(params=SYSTEMS)
def dali(request):
    return load(request.param)


@pytest.mark.parametrize("name", EQUAL)
def test_outputs_are_equal(name):
    theirs, ours = (results(EQUAL[name], system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


@pytest.mark.parametrize("name", drawn)
def test_draws_are_of_the_same_forms_and_the_same_ones_are_equal(name):
    theirs, ours = (results(drawn[name], system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert who_equals_whom(ours) == who_equals_whom(theirs)


@pytest.mark.parametrize("name", WRONG)
def test_both_refuse(name):
    program, theirs, ours = WRONG[name]
    for system, (error, words) in zip(SYSTEMS, (theirs, ours), strict=True):
        with pytest.raises(error, match=words):
            results(program, system)


@pytest.mark.parametrize(
    ("nested", "spelled"),
    [
        (lambda x, y: [x, y], lambda x, y: (x, y)),
        (lambda x, y: (x, [y, x]), lambda x, y: (x, y, x)),
        (lambda x, y: ([x], (y, [y])), lambda x, y: (x, y, y)),
    ],
    ids=["list", "list in a tuple", "lists and tuples"],
)
def test_lists_of_outputs_are_flattened_where_dali_refuses_them(nested, spelled):
    def returns(outputs):
        return graph(lambda dali: outputs(dali.fn.external_source(counted()), dali.fn.external_source(counted(2))))

    with pytest.raises(TypeError, match="nested"):
        results(returns(nested), "nvidia.dali")
    assert results(returns(nested), "jaxdali") == results(returns(spelled), "nvidia.dali")


# WITH EITHER SYSTEM ---------------------------------------------------------------------------------------------------


def test_the_current_pipeline(dali):
    current = dali.Pipeline.current
    outer, inner, elsewhere = pipeline(dali), pipeline(dali), []
    assert current() is None
    with outer:
        with inner:
            assert current() is inner
        assert current() is outer
        with outer:
            assert current() is outer
        thread = threading.Thread(target=lambda: elsewhere.append(current()))
        thread.start()
        thread.join()
    assert current() is None and elsewhere == [None]
    with pytest.raises(KeyError), inner:
        raise KeyError
    assert current() is None
    dali.Pipeline.push_current(outer)
    dali.Pipeline.push_current(inner)
    assert current() is inner
    dali.Pipeline.pop_current()
    assert current() is outer
    dali.Pipeline.pop_current()
    assert current() is None


@pytest.mark.parametrize("preserve", [False, True])
def test_a_source_is_asked_if_something_behind_it_is_preserved(dali, preserve):
    asked = []

    def source(iteration):
        asked.append(iteration)
        return [np.zeros((2, 3, 3), np.uint8)] * 2

    pipe = pipeline(dali, prefetch_queue_depth=1)
    with pipe:
        dali.fn.flip(dali.fn.external_source(source), preserve=preserve)
        pipe.set_outputs(dali.fn.random.uniform())
    pipe.run()
    pipe.run()
    assert asked[:2] == ([0, 1] if preserve else [])


@pytest.mark.parametrize("preserve", [False, True])
def test_a_reader_is_known_if_it_is_used(dali, preserve):
    pipe = pipeline(dali)
    with pipe:
        dali.fn.readers.file(file_root=folder(), name="files", preserve=preserve)
        pipe.set_outputs(dali.fn.random.uniform())
    pipe.build()
    assert list(pipe.reader_meta()) == ["files"] * preserve


def test_an_output_of_a_source_that_nobody_uses(dali):
    @graph
    def one_of_two(dali):
        return dali.fn.external_source(lambda: ([np.int32(1)] * 2, [np.int32(2)] * 2), num_outputs=2)[1]

    with pytest.warns(Warning, match="not used"):
        found = batches(one_of_two(dali))
    assert [out.samples for (out,) in found] == [[2, 2]] * len(found)


def test_a_list_of_one_node_gives_a_node(dali):
    with pipeline(dali):
        x = dali.fn.external_source(images())
        for operator in (dali.fn.flip, dali.fn.crop_mirror_normalize, dali.fn.random.uniform):
            assert type(operator([x])) is type(x)


def test_several_outputs_are_a_list(dali):
    with pipeline(dali):
        assert type(dali.fn.readers.file(file_root=folder())) is list
        assert type(dali.fn.external_source(counted(), num_outputs=1)) is list
        x = dali.fn.external_source(counted())
        assert type(x).__name__ == "DataNode" and +x is x
