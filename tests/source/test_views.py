"""Sources made of other sources: which sample each returns, in which epoch."""

import collections
import functools
import os
import re
import weakref

import numpy as np
import pytest

from jaxdali import ConfigError, SourceDataError, StateError, source
from jaxdali._feed.source.access import describe_sample, read_sample, read_samples
from jaxdali._feed.source.structure import Structure
from jaxdali.types import sample_info_type


class Named:
    """Samples with the source's letter and their index; it records the indices that were requested."""

    def __init__(self, letter, length):
        self.letter, self.length, self.asked = letter, length, []

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if not 0 <= index < self.length:
            raise IndexError(index)
        self.asked.append(index)
        return f"{self.letter}{index}"

    def source_info(self, index):
        return f"{self.letter}/{index}.jpg"


class Drawn:
    """Its samples are random numbers."""

    def __len__(self):
        return 4

    def __getitem__(self, index, rng):
        return rng.integers(1 << 30)


A, B = Named("a", 3), Named("b", 2)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (source.concat(A, B, A), "a0 a1 a2 b0 b1 a0 a1 a2"),
        (source.concat(["x"], B), "x b0 b1"),
        (source.subset(A, [2, 0, 2]), "a2 a0 a2"),
        (source.subset(A, (k for k in (1,))), "a1"),
        (source.subset(A, slice(None, None, -1)), "a2 a1 a0"),
        (source.subset(A, np.array([True, False, True])), "a0 a2"),
        (source.subset(A, []), ""),
        (source.repeat(B, 3), "b0 b1 b0 b1 b0 b1"),
        (source.map(B, str.upper), "B0 B1"),
        (source.filter(A, lambda sample: sample != "a1"), "a0 a2"),
        (source.mix(A, B, weights=[2, 1], length=6), "a0 b0 a1 a2 b1 a0"),
        (source.map(source.subset(source.concat(A, B), [4, 0]), str.upper), "B1 A0"),
    ],
)
def test_samples(data, expected):
    assert list(data) == expected.split()
    assert len(data) == len(expected.split()) and repr(data).endswith(f"of {len(data)} samples")
    for index in (-1, len(data)):
        with pytest.raises(IndexError):
            data[index]


def test_they_call_samples_what_their_source_does():
    data = source.map(source.concat(A, source.subset(B, [1])), str.upper)
    assert describe_sample(data, 3, 0) == "b/1.jpg"
    assert describe_sample(source.mix(A, length=3), 0, 2) == "a/0.jpg"
    assert describe_sample(source.mix(A, length=2), 0, 1) == "a/2.jpg", "of the epoch that it is read in"
    assert describe_sample(source.concat([1]), 0, 0) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_mix_keeps_shares_and_wastes_nothing(seed):
    rng = np.random.default_rng(seed)
    parts = [Named(letter, int(rng.integers(1, 40))) for letter in "abcd"[: rng.integers(1, 5)]]
    weights = rng.uniform(0.01, 1, len(parts))
    length = int(rng.integers(1, 200))
    data = source.mix(*parts, weights=weights, length=length)
    seen = {part.letter: [] for part in parts}
    for epoch in range(3):
        for index in range(length):
            sample = read_sample(data, index, sample_info_type(0)(index, 0, 0, epoch))
            seen[sample[0]].append(int(sample[1:]))
            if epoch == 0:
                for part, share in zip(parts, weights / weights.sum(), strict=True):
                    assert abs(len(seen[part.letter]) - (index + 1) * share) < len(parts)
    for part in parts:  # each continues where it stopped
        assert seen[part.letter] == [k % part.length for k in range(len(seen[part.letter]))]


@pytest.mark.parametrize("seed", range(3))
def test_a_mix_whose_weights_change_goes_on_in_each_source_where_it_stopped(seed):
    rng = np.random.default_rng(seed)
    parts = [Named(letter, int(rng.integers(1, 40))) for letter in "abc"]
    table = rng.uniform(0, 1, (6, 3)) * (rng.random((6, 3)) < 0.7) + np.eye(3)[rng.integers(0, 3, 6)] * 1e-9
    data = source.mix(*parts, weights=lambda epoch: table[epoch], length=50)
    seen = {part.letter: [] for part in parts}
    for epoch in range(6):
        before = {letter: len(samples) for letter, samples in seen.items()}
        for index in range(50):
            sample = read_sample(data, index, sample_info_type(0)(index, 0, 0, epoch))
            seen[sample[0]].append(int(sample[1:]))
            for part, share in zip(parts, table[epoch] / table[epoch].sum(), strict=True):
                assert abs(len(seen[part.letter]) - before[part.letter] - (index + 1) * share) < len(parts)
    for part in parts:
        assert seen[part.letter] == [k % part.length for k in range(len(seen[part.letter]))]
    again = source.mix(*parts, weights=lambda epoch: table[epoch], length=50)  # a worker that begins in the last epoch
    assert [again.locate(k, 5) for k in range(50)] == [data.locate(k, 5) for k in range(50)] and len(again) == 50


@pytest.mark.parametrize(
    "zeros", [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1e-300, 0, 1e300]]
)
def test_sources_without_a_weight_in_an_epoch_are_left_out(zeros):
    data = source.mix(A, B, Named("c", 4), weights=lambda epoch: np.roll(zeros, epoch), length=12)
    for epoch in range(3):
        letters = [data.locate(index, epoch)[0].letter for index in range(12)]
        assert {*letters} >= {
            letter for letter, weight in zip("abc", np.roll(zeros, epoch), strict=True) if weight > 1e-9
        }
        assert not {*letters} & {
            letter for letter, weight in zip("abc", np.roll(zeros, epoch), strict=True) if not weight
        }


NO_WEIGHTS = [5, None, True, [[1], [2]], [[1], [2, 3]], ["a", "b"], "12", {1: 0.5, 2: 0.5}, {0.5, 0.2}, [1, None]]
NO_WEIGHTS += [[1, 1j], [1, np.nan], [1, np.inf], [1.7e308, 0.9e308], [1, 10**400]]
NO_WEIGHTS += [[1, -1], [0, 0], [1], [1, 2, 3], [[1, 2]], []]


@pytest.mark.parametrize("wrong", NO_WEIGHTS)
def test_wrong_weights_of_an_epoch_name_it(wrong):
    words = re.escape(
        f"the weights of epoch 2 are {wrong!r:.200}; expected 2 numbers, one for each source, none of them negat"
    )
    data = source.mix(A, B, weights=lambda epoch: wrong if epoch == 2 else [1, 1])
    assert [data.locate(0, epoch)[1] for epoch in (1, 0)] == [0, 0]
    with pytest.raises(ConfigError, match=words):
        data.locate(0, 3)
    with pytest.raises(ConfigError, match=words.replace("2", "0", 1)):
        source.mix(A, B, weights=lambda epoch: wrong)
    with pytest.raises(ConfigError, match=r"mix: (weights must be positive|2 sources need as many)"):
        source.mix(A, B, weights=wrong or [])  # None are the sources' lengths


@pytest.mark.parametrize("given", [(1, 2), np.array([1, 2]), {"a": 1, "b": 2}.values(), range(1, 3)])
def test_what_has_numbers_in_order_is_weights(given):
    wanted = source.mix(A, B, weights=list(given))
    for weights in (given, (number for number in given), lambda epoch: given, lambda epoch: (one for one in given)):
        data = source.mix(A, B, weights=weights)
        assert [data.locate(k, 0) for k in range(5)] == [wanted.locate(k, 0) for k in range(5)]


@pytest.mark.parametrize("weights", [lambda epoch: [1 / epoch, 1], lambda epoch: (1 / (epoch + k) for k in range(2))])
def test_what_weights_raise_is_said_to_be_theirs(weights):
    with pytest.raises(ZeroDivisionError) as raised:
        source.mix(A, B, weights=weights)
    assert raised.value.__notes__ == ["raised by weights(0), the function of the epoch that source.mix was given"]


def test_a_mix_without_weights_has_each_sample_once():
    counts = collections.Counter(source.mix(A, B))
    assert counts == dict.fromkeys(["a0", "a1", "a2", "b0", "b1"], 1)


def test_random_numbers_are_the_samples_own():
    def read(data, index, epoch=0, seed=5):
        return read_sample(data, index, sample_info_type(seed)(index, 0, 0, epoch))

    info = sample_info_type(5)(2, 0, 0, 1)
    assert read(Drawn(), 2, epoch=1) == info.rng.integers(1 << 30)
    assert len({read(Drawn(), *place) for place in ((2, 0), (2, 1), (1, 1), (2, 0, 6))}) == 4
    data = source.map(Drawn(), lambda sample, rng: (sample, rng.integers(1 << 30)))
    first, second = read(data, 3)
    assert first == read(Drawn(), 3) != second, "one generator a sample"
    with pytest.raises(StateError, match=r"a parameter rng, which only a Loader gives.*jaxdali\.Loader\("):
        data[0]


class OfEpoch(list):
    """Its samples are pairs of a number and the epoch."""

    def __getitem__(self, index, epoch, rng=None):
        return super().__getitem__(index), epoch if rng is None else (epoch, rng.integers(1 << 30))


class Recording(list):
    """Recordings cut into epochs, as an electroencephalogram's are: here `epoch` is the index."""

    def __getitem__(self, epoch):
        return super().__getitem__(epoch)


def test_samples_can_depend_on_the_epoch():
    info = sample_info_type(5)(1, 0, 0, 7)
    draw = sample_info_type(5)(1, 0, 0, 7).rng.integers(1 << 30)
    assert read_sample(OfEpoch([3, 4]), 1, info) == (4, (7, draw))
    assert read_sample(Recording([3, 4]), 1, info) == 4
    functions = {
        lambda sample, epoch: (sample, epoch): ("a1", 7),
        lambda sample, *, epoch=3: (sample, epoch): ("a1", 7),
        functools.partial(lambda sample, epoch: (sample, epoch), epoch=3): ("a1", 3),
        lambda epoch: epoch: "a1",
        lambda sample, *args, **kwargs: (sample, args, kwargs): ("a1", (), {}),
    }
    for function, expected in functions.items():
        assert read_sample(source.map(A, function), 1, info) == expected
    assert source.map(A, lambda sample, epoch: (sample, epoch))[1] == ("a1", 0), "outside of a Loader"
    together = source.map(Several("a", 3), lambda sample, epoch: (sample, epoch))
    assert [*read_samples(together, [2, 1], [info] * 2)] == [("a2", 7), ("a1", 7)]


def test_a_filter_is_not_given_what_differs_from_epoch_to_epoch():
    each = source.mix(A, B)  # each sample once, in each epoch
    for data in (
        OfEpoch([1]),
        source.concat(A, source.map(A, lambda sample, epoch: sample)),
        source.mix(A, B, weights=lambda epoch: [1, 1]),
        source.mix(A, B, length=4),
        source.subset(source.mix(A, B, weights=[1, 3]), [0]),
        source.pack(source.map([np.arange(3)], lambda sample, epoch: sample), 4, lengths=[3]),
    ):
        with pytest.raises(ConfigError, match="these differ from epoch to epoch: filter the sources first"):
            source.filter(data, bool)
    assert len(source.filter(each, lambda sample: sample[0] == "a")) == 3


def test_filters_keep_their_answers(tmp_path):
    asked = Named("a", 5)
    cache = tmp_path / "kept.npy"
    for _ in range(2):
        kept = source.filter(asked, lambda sample: sample in ("a1", "a4"), cache=cache)
        assert list(kept) == ["a1", "a4"]
    assert asked.asked == [0, 1, 2, 3, 4, 1, 4, 1, 4] and os.listdir(tmp_path) == ["kept.npy"]
    with pytest.raises(ConfigError, match=r"kept.npy holds bool\[5\], expected bool\[3\], .*remove it"):
        source.filter(A, bool, cache=cache)
    cache.write_text("no array")
    with pytest.raises(ConfigError, match=r"kept.npy holds no array .*remove it"):
        source.filter(A, bool, cache=cache)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: source.concat(), "concat expects at least one source"),
        (lambda: source.concat(A, iter("ab")), "with __len__ and __getitem__, got str_"),
        (lambda: source.subset(A, [3]), "index 3 is not one of the 3 samples, 0 to 2"),
        (lambda: source.subset(A, [-1]), "index -1 is not one of"),
        (lambda: source.subset(A, [True]), "a mask must be bool[3], one per sample, got bool[1]"),
        (lambda: source.subset(A, [0.5]), "slice, integers or bool[3], got float64[1]"),
        (lambda: source.repeat(A, 0), "times must be an integer, at least 1"),
        (lambda: source.map(A, 3), "must be callable, got int"),
        (lambda: source.filter(A, None), "must be callable, got NoneType"),
        (lambda: source.mix(A, B, weights=[1]), "2 sources need as many weights, got 1"),
        (lambda: source.mix(A, B, weights=[1, 0]), "weights must be positive numbers, got [1, 0]"),
        (lambda: source.mix(A, []), "source 1 has no samples"),
        (lambda: source.mix(A, length=0), "length must be an integer, at least 1"),
    ],
)
def test_refused(call, words):
    with pytest.raises(ConfigError, match=re.escape(words)):
        call()


def test_functions_change_samples_of_their_own():
    def halved(sample):
        sample["x"] /= 2
        sample["more"].append(sample["x"])
        return sample

    data = [{"x": 8.0, "more": [1.0]}]
    for _ in range(2):
        assert source.map(data, halved)[0] == {"x": 4.0, "more": [1.0, 4.0]}
    assert data == [{"x": 8.0, "more": [1.0]}]


def test_a_function_behind_another_is_given_what_that_returned():
    made = []

    def first(sample):
        made.append({"x": sample["x"] + 1})
        return made[-1]

    def second(sample, rng):
        assert sample is made[-1], "it was copied once more"
        sample["y"] = rng.integers(1 << 30)
        return sample

    data = [{"x": 1}]
    chain = source.map(source.map(data, first), second)
    info = sample_info_type(5)(0, 0, 0, 0)
    assert read_sample(chain, 0, info) == {"x": 2, "y": sample_info_type(5)(0, 0, 0, 0).rng.integers(1 << 30)}
    assert data == [{"x": 1}] and len(chain) == 1 and chain.inner == [data]


def test_a_sample_that_holds_itself():
    sample = {"x": 1, "more": []}
    sample["more"].append(sample)
    with pytest.raises(SourceDataError, match="map was given a dict that holds itself"):
        source.map([sample], lambda sample: sample)[0]
    with pytest.raises(SourceDataError, match="the first sample is a dict that holds itself"):
        Structure(sample)


def test_a_filter_is_not_given_random_numbers():
    for data in (Drawn(), source.map(A, lambda sample, rng: rng.random())):
        with pytest.raises(ConfigError, match=r"filter the data first, and draw in source\.map"):
            source.filter(data, bool)


def test_a_filter_reads_what_needs_no_random_numbers():
    class Optional(list):
        def __getitem__(self, index, rng=None):
            return super().__getitem__(index) if rng is None else rng.random()

    assert len(source.filter(Optional([3, 0, 5]), bool)) == 2


def test_sources_are_not_joined_as_a_list():
    with pytest.raises(ConfigError, match=r"concat expects its sources one by one: .* concat\(\*sources\)"):
        source.concat([A, B])
    assert len(source.concat([{"x": 1}, {"x": 2}], [{"x": 3}])) == 3


class Several(Named):
    """Returns several samples per call, and records the calls."""

    def __getitems__(self, indices):
        self.asked.append(indices)
        return [f"{self.letter}{index}" for index in indices]


def test_sources_that_give_several_samples_are_called_once():
    ours, theirs, alone = Several("a", 5), Several("b", 4), Named("c", 3)
    inner = source.concat(source.subset(ours, [4, 0, 2]), source.repeat(theirs, 2), alone)
    data = source.map(inner, lambda sample, rng: (sample, rng.integers(1 << 30)))
    indices = [13, 0, 3, 2, 7, 11]
    infos = [sample_info_type(5)(place, 0, 0, 1) for place in range(len(indices))]
    found = list(read_samples(data, indices, infos))
    assert [sample for sample, _ in found] == ["c2", "a4", "b0", "a2", "b0", "c0"]
    assert ours.asked == [[4, 2]] and theirs.asked == [[0, 0]] and alone.asked == [2, 0]
    again = [sample_info_type(5)(place, 0, 0, 1) for place in range(len(indices))]
    assert found == [read_sample(data, index, info) for index, info in zip(indices, again, strict=True)]


@pytest.mark.parametrize(
    ("returned", "words"), [([1], "a list of 1"), ({"x": [1, 2]}, "a dict of 1"), (None, "a NoneType;")]
)
def test_several_samples_are_a_list_of_them(returned, words):
    class Wrong(Named):
        def __getitems__(self, indices):
            return returned

    with pytest.raises(SourceDataError, match=f"Wrong.__getitems__ was asked for 2 samples and returned {words}"):
        list(read_samples(Wrong("a", 5), [0, 1], [None, None]))


def test_they_are_called_for_a_few_at_a_time_and_keep_none_that_was_written():
    class Counted(Named):
        def __getitems__(self, indices):
            self.asked.append(len(indices))
            return [np.zeros(3) for _ in indices]

    data = Counted("a", 50)
    samples = read_samples(data, range(40), [None] * 40)
    first = weakref.ref(next(samples))
    assert data.asked == [16] and first() is None
    assert len(list(samples)) == 39 and data.asked == [16, 16, 8]


@pytest.mark.parametrize("bad", [1, None])
def test_the_sample_that_is_at_fault_fails_at_its_place(bad):
    class Failing(Named):
        def __getitem__(self, index):
            if index == bad:
                raise OSError(f"{index} is unreadable")
            return super().__getitem__(index)

        def __getitems__(self, indices):
            raise OSError("one of them is unreadable")

    samples = read_samples(Failing("a", 5), [3, 1], [None, None])
    assert next(samples) == "a3"
    if bad is None:
        assert next(samples) == "a1"
    with pytest.raises(OSError, match="1 is unreadable" if bad else "one of them") as caught:
        next(samples)
    if bad is None:
        assert caught.value.__notes__ == ["raised by Failing.__getitems__; __getitem__ raised for none of its samples"]
