"""Classes derived from the iterators, and the attributes that programs read and set in them."""

import math

import jax
import numpy as np
import pytest
import reader_pipelines

from jaxdali import ConfigError, DecodeError, fn, pipeline_def
from jaxdali.plugin.base_iterator import LastBatchPolicy
from jaxdali.plugin.jax import DALIGenericIterator
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator

KINDS = [DALIGenericIterator, DALIGenericPeekableIterator]


def batches_of(values, size=2, **options):
    @pipeline_def(batch_size=size, seed=1)
    def mine():
        return fn.external_source([np.full((size, 1), value, np.int32) for value in values], **options)

    return mine()


def first_of(batch):
    return int(np.asarray(batch["x"])[0, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_that_unpacks_and_has_a_length(kind):
    class Unpacked(kind):
        def __init__(self, pipelines, size):
            super().__init__(pipelines, ["x"], size=size, auto_reset=True)

        def __next__(self):
            batch = super().__next__()
            return jax.device_get(batch["x"])[0, 0], batch["x"].shape

        def __len__(self):
            return math.ceil(self._size / self.batch_size) * 100

    iterator = Unpacked(batches_of(range(4), cycle="raise"), 8)
    assert len(iterator) == 400
    for _ in range(2):
        assert list(iterator) == [(value, (2, 1)) for value in range(4)]
    assert iterator.next() == (0, (2, 1)), "next() is the class's own"


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_class_sets_before_the_iterator_is_made_is_said_anew(kind):
    class Loader(kind):
        def __init__(self, pipelines, batch_size):
            with pytest.raises(AttributeError, match=r"Loader has no batch_size before DALIGenericIterator\.__init__"):
                print(self.batch_size)
            self.batch_size, self.output_map = batch_size, ("ours",)
            self._size, self._num_gpus, self._first_batch, self._counter = "all", 8, None, 0
            before = self.batch_size, self.output_map, self._size
            super().__init__(pipelines, ["x"], size=4)
            assert before == (batch_size, ("ours",), "all")
            assert (self._size, self._num_gpus, self._counter) == (4, 1, 2)
            self.batch_size, self.output_map = 2, ("x",)

    iterator = Loader(batches_of(range(2)), 7)
    assert (iterator.batch_size, iterator.output_map) == (2, ["x"])
    with pytest.raises(AttributeError, match="batch_size was set to 2 when the iterator was made, and cannot become 3"):
        iterator.batch_size = 3
    with pytest.raises(AttributeError, match=r"output_map was set to \['x'\] .* cannot become \['y'\]"):
        iterator.output_map = ["y"]
    assert [first_of(batch) for batch in iterator] == [0, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_may_have_attributes_of_any_name(kind):
    names = [
        *("_sessions", "_names", "_epochs", "_parts", "_given", "_turn", "_first", "_closed", "_lock", "_looked_at"),
        *("_pipelines", "_assemble", "_policy", "_at_end", "_streams", "_gave", "pipelines", "policy", "names", "turn"),
        *("epochs", "first", "count", "counter", "length", "sharding", "on_error", "_iter", "_epoch", "_data_iter"),
    ]

    class Mine(kind):
        def __init__(self, *arguments, **named):
            for name in names:
                setattr(self, name, "mine")
            super().__init__(*arguments, **named)
            for name in names:
                assert getattr(self, name) == "mine"
                setattr(self, name, "mine")

    with Mine(batches_of(range(3), cycle="raise"), ["x"], size=6) as iterator:
        assert [first_of(batch) for batch in iterator] == [0, 1, 2]
        iterator.reset()
        assert [first_of(batch) for batch in iterator] == [0, 1, 2]


def test_what_programs_read():
    pipe = batches_of(range(3))
    iterator = DALIGenericIterator(pipe, ["x"], 6, None, True, True, LastBatchPolicy.DROP, False)
    assert (iterator.size, iterator._size, iterator.batch_size, iterator._num_gpus) == (6, 6, 2, 1)
    assert iterator.output_map == ["x"] and iterator._pipes == [pipe]
    assert iterator._last_batch_policy is LastBatchPolicy.DROP and iterator._auto_reset == "yes"
    assert (iterator._reader_name, iterator._last_batch_padded, iterator._prepare_first_batch) == (None, True, False)
    assert iterator._first_batch is None and iterator._counter == 0
    for name in ("size", "_size", "_num_gpus", "_counter", "_last_batch_policy"):
        with pytest.raises(AttributeError):
            setattr(iterator, name, 3)
    with pytest.raises(
        AttributeError, match="_size was set to 6 when the iterator was made, and cannot become 3: make another one"
    ):
        iterator._size = 3
    iterator._size = 6  # its current value


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_batch_may_be_taken_by_hand(kind):
    """As in `if self._first_batch is not None: batch, self._first_batch = self._first_batch, None`."""
    iterator = kind(batches_of(range(3)), ["x"])
    assert iterator._counter == 2
    assert first_of(iterator._first_batch) == 0
    iterator._first_batch = None
    assert iterator._first_batch is None and iterator._counter == 2
    iterator._first_batch = None  # its current value
    assert [first_of(batch) for batch in iterator] == [1, 2]


def test_the_first_batch_is_not_set():
    iterator = DALIGenericIterator(batches_of(range(3)), ["x"])
    with pytest.raises(AttributeError, match="_first_batch can only be set to None"):
        iterator._first_batch = {"x": 3}
    assert [first_of(batch) for batch in iterator] == [0, 1, 2]


def test_a_first_batch_that_is_bad_is_none_and_next_raises_it():
    @pipeline_def(batch_size=2, seed=1)
    def mine():
        files = fn.external_source(lambda: [np.zeros(9, np.uint8)] * 2, batch=True)
        return fn.decoders.image(files, canvas=(8, 8))

    iterator = DALIGenericIterator(mine(), ["x"])
    assert iterator._first_batch is None
    iterator._first_batch = None
    with pytest.raises(DecodeError):
        next(iterator)


def test_a_first_batch_that_is_partial():
    iterator = DALIGenericIterator(
        batches_of([7]), ["x"], size=1, last_batch_policy=LastBatchPolicy.PARTIAL, auto_reset=True
    )
    assert iterator._first_batch["x"].tolist() == [[7]]


@pytest.mark.parametrize(
    "use", [iter, next, len, lambda one: one.size, lambda one: one.reset(), lambda one: one.close()]
)
def test_a_constructor_that_did_not_call_ours_is_told_so(use):
    class Forgetful(DALIGenericIterator):
        def __init__(self):
            self.mine = 1

    iterator = Forgetful()
    assert iterator.mine == 1 and not hasattr(iterator, "other")
    with pytest.raises(AttributeError, match=r"^Forgetful has no .* before .*: call super\(\).__init__\(pipelines, "):
        use(iterator)
    with pytest.raises(AttributeError, match="object has no attribute 'other'"):
        _ = DALIGenericIterator(batches_of([7]), ["x"]).other  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("cycle", [None, "quiet", "raise"])
@pytest.mark.parametrize("padded", [False, True])
def test_what_fill_takes_too_much_of_a_source_counts_for_the_next_epoch_unless_it_is_padded(cycle, padded):
    values = [k % 5 for k in range(40)] if cycle is None else range(5)
    iterator = DALIGenericIterator(
        batches_of(values, cycle=cycle), ["x"], size=9, auto_reset=True, last_batch_padded=padded
    )
    lengths = [len(list(iterator)) for _ in range(4)]
    # With "raise", the end of the data is that of an epoch, too.
    assert lengths == ([5] * 4 if padded else [5, 4, 1, 5] if cycle == "raise" else [5, 4, 5, 4])


@pytest.mark.parametrize("cycle", ["quiet", "raise"])
def test_what_drop_leaves_out_of_a_source_is_taken(cycle):
    iterator = DALIGenericIterator(
        batches_of(range(10), cycle=cycle),
        ["x"],
        size=9,
        auto_reset=True,
        last_batch_policy=LastBatchPolicy.DROP,
    )
    epochs = [[first_of(batch) for batch in iterator] for _ in range(2)]
    assert epochs == [[0, 1, 2, 3], [5, 6, 7, 8]]


def test_what_a_reader_says_is_not_said_twice():
    with pytest.raises(ConfigError, match="last_batch_padded should not be set"):
        DALIGenericIterator(reader_pipelines.labels_of(5, 2), ["label"], reader_name="reader", last_batch_padded=True)
