"""External sources that are fed: in order, from any thread, and the error if nothing was fed."""

import threading
import time

import front_sources
import numpy as np
import pytest

from jaxdali import ConfigError, NoInputError, Pipeline, SourceDataError, StateError, fn, types


def fed(depth=2, layout=None, outputs=1, batch_size=4, **options):
    """A pipeline of inputs "a", "b", ... that returns each input, and the first one plus 1."""
    pipe = Pipeline(batch_size=batch_size, seed=1, prefetch_queue_depth=depth)
    with pipe:
        nodes = [fn.external_source(name=name, layout=layout, **options) for name in "abc"[:outputs]]
        pipe.set_outputs(*nodes, nodes[0] + 1)
    return pipe


def batch(value, samples=2):
    return np.full((samples, 3), value, np.int16)


def value_of(outputs):
    assert outputs[-1].at(0)[0] == outputs[0].at(0)[0] + 1
    return int(outputs[0].at(0)[0])


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_what_is_fed_comes_out_in_order(depth):
    pipe = fed(depth)
    assert pipe.input_feed_count("a") == 1
    for value in range(3):
        pipe.feed_input("a", batch(value))
    assert [value_of(pipe.run()) for _ in range(3)] == [0, 1, 2]
    # One batch at a time, whatever the depth of the queue.
    for value in range(3, 6):
        assert value_of(pipe.run(a=batch(value, samples=value - 2))) == value


def test_where_nothing_was_fed_it_can_be_fed_later():
    pipe = fed(outputs=2)
    with pytest.raises(
        StateError, match=r"peek the data batch that doesn't exist.*feed_input\('a', data\) before each run"
    ):
        pipe.run()
    pipe.feed_input("a", batch(1))
    with pytest.raises(StateError, match=r"feed_input\('b', data\)"):
        pipe.run()
    pipe.feed_input("b", batch(2))
    assert value_of(pipe.run()) == 1
    with pytest.raises(StateError, match="peek the data batch"):
        pipe.run()


def test_nodes_lists_and_files():
    pipe = Pipeline(batch_size=2, seed=1)
    with pipe:
        files, numbers = fn.external_source(num_outputs=2, dtype=[types.UINT8, types.INT32])
        pipe.set_outputs(fn.decoders.image(files), numbers)
    pipe.feed_input(files, [front_sources.file(k) for k in range(2)])
    pipe.feed_input(numbers, [np.int32([k]) for k in range(2)])
    images, again = pipe.run()
    for k in range(2):
        np.testing.assert_array_equal(images.at(k), front_sources.pixels(k))
        assert again.at(k).tolist() == [k]


def test_data_are_copied_when_they_are_fed_unless_they_are_not():
    for no_copy, expected in ((False, [0, 1]), (True, [9, 9])):
        pipe, room = fed(no_copy=no_copy), batch(0)
        pipe.feed_input("a", room)
        room[:] = 1
        pipe.feed_input("a", room)
        room[:] = 9
        assert [value_of(pipe.run()) for _ in range(2)] == expected


def test_repeat_last():
    pipe = fed(repeat_last=True)
    with pytest.raises(StateError, match="peek the data batch"):
        pipe.run()
    pipe.feed_input("a", batch(1))
    assert [value_of(pipe.run()) for _ in range(3)] == [1, 1, 1]
    pipe.feed_input("a", batch(2))
    assert [value_of(pipe.run()) for _ in range(2)] == [2, 2]


def test_blocking_waits_for_another_thread():
    pipe = fed(blocking=True)

    def feed():
        for value in range(3):
            time.sleep(0.05)
            pipe.feed_input("a", batch(value))

    thread = threading.Thread(target=feed)
    thread.start()
    assert [value_of(pipe.run()) for _ in range(3)] == [0, 1, 2]
    thread.join()


def test_reset_loses_nothing_that_was_fed():
    pipe = fed(depth=3)
    for value in range(4):
        pipe.feed_input("a", batch(value))
    assert value_of(pipe.run()) == 0
    pipe.reset()
    assert [value_of(pipe.run()) for _ in range(3)] == [1, 2, 3]


class Legacy(Pipeline):
    """A class as programs for early versions of DALI wrote it."""

    def __init__(self, depth):
        super().__init__(batch_size=2, prefetch_queue_depth=depth)
        self.fed = 0

    def define_graph(self):
        self.data = fn.external_source(name="data")
        return self.data, self.data + 1

    def iter_setup(self):
        if self.fed == 4:
            raise StopIteration
        self.feed_input(self.data, batch(self.fed))
        self.fed += 1


@pytest.mark.parametrize("depth", [1, 3])
def test_iter_setup_feeds(depth):
    pipe = Legacy(depth)
    for epoch in range(2):
        assert value_of(pipe.run()) == 0 and pipe.fed == depth
        assert [value_of(pipe.run()) for _ in range(3)] == [1, 2, 3]
        with pytest.raises(StopIteration):
            pipe.run()
        pipe.fed = 0
        pipe.reset()
        assert pipe.epoch_idx == epoch + 1


@pytest.mark.parametrize(
    ("feed", "error", "words"),
    [
        (lambda pipe: pipe.feed_input("x", batch(1)), KeyError, "Could not find an input operator with name 'x'.*'a'"),
        (lambda pipe: pipe.run(x=batch(1)), NoInputError, "Could not find an input operator with name 'x'"),
        (
            lambda pipe: pipe.feed_input("a", batch(1, samples=5)),
            SourceDataError,
            "Expected batch_size <= 4, actual: 5",
        ),
        (lambda pipe: pipe.feed_input("a", 3), TypeError, "Unsupported callback return type: int"),
        (lambda pipe: pipe.feed_input("a", batch(1), layout="W"), ConfigError, "got layout='W'.*has 'X'"),
        (lambda pipe: pipe.feed_input(fed().num_outputs, batch(1)), TypeError, "expects the name .* its node; got 2"),
    ],
)
def test_feeding_that_is_refused(feed, error, words):
    pipe = fed(layout="X")
    with pytest.raises(error, match=words):
        feed(pipe)
    pipe.feed_input("a", batch(7), layout="X")
    assert value_of(pipe.run()) == 7


def test_the_first_batch_has_the_layout_of_all():
    pipe = fed()
    pipe.feed_input("a", batch(0), layout="W")
    pipe.feed_input("a", batch(1))
    pipe.feed_input("a", batch(2), layout="W")
    for value in range(3):
        outputs = pipe.run()
        assert value_of(outputs) == value and [out.layout() for out in outputs] == ["W", "W"]
    with pytest.raises(ConfigError, match=r"got layout='C'.*has 'W'"):
        pipe.feed_input("a", batch(3), layout="C")
    late = fed()
    late.feed_input("a", batch(0))
    with pytest.raises(ConfigError, match=r"got layout='W'.*has ''.*from the first batch"):
        late.feed_input("a", batch(1), layout="W")
    built = fed()
    built.build()
    built.feed_input("a", batch(1), layout="W")
    assert [out.layout() for out in built.run()] == ["W", "W"]
    with pytest.raises(ConfigError, match=r"got layout='C'.*has 'W'"):
        built.feed_input("a", batch(3), layout="C")
    wrong = fed()
    wrong.feed_input("a", batch(0), layout="HWC")
    with pytest.raises(SourceDataError, match="The layout 'HWC' cannot describe 1-dimensional data"):
        wrong.run()


def test_what_was_declared_is_what_is_fed():
    pipe = fed(dtype=types.INT16, ndim=1)
    for value, words in (
        (np.zeros((2, 3), np.int32), "expected data of type"),
        (np.zeros((2, 3, 1), np.int16), "1 dim"),
    ):
        pipe.feed_input("a", value)
        with pytest.raises(SourceDataError, match=words):
            pipe.run()
        pipe.reset()
    pipe.feed_input("a", batch(5))
    assert value_of(pipe.run()) == 5


def test_what_is_no_batch_is_refused_by_name():
    for device in ("cpu", "gpu"):
        with pytest.raises(SourceDataError, match=r"feed_input\('a', data\): .*unexpected batch size"):
            fed(device=device).feed_input("a", np.zeros((5, 3)))


def test_a_source_of_its_own_is_not_fed():
    pipe = Pipeline(batch_size=2)
    with pipe:
        node = fn.external_source(lambda: batch(1), batch=True, name="mine")
        pipe.set_outputs(node)
    for name in ("mine", node):
        with pytest.raises(NoInputError, match="Cannot use `feed_input` on the external source 'mine'"):
            pipe.feed_input(name, batch(1))
    pipe.close()
    with pytest.raises(StateError, match="closed"):
        pipe.feed_input("mine", batch(1))
