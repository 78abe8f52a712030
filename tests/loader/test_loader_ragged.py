"""Leaves of a Loader's samples whose shapes differ: pairs in every batch where they are declared, errors elsewhere."""

import jax
import numpy as np
import pytest
from front_sources import Mapped, of_lengths
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader, SourceDataError
from jaxdali.source import BucketSampler


def lengths(batch, keys):
    data, shapes = batch["ids"]
    return {"sum": data.sum(axis=1), "length": shapes[:, 0]}


@pytest.mark.parametrize("workers", [0, 1])
def test_a_declared_leaf_is_a_pair_in_every_batch(workers):
    options = {"batch_size": 4, "epochs": 1, "workers": workers, "ragged": ["ids"]}
    with Loader(Mapped(of_lengths, 12), **options) as loader:
        batches = list(loader)
    assert len(batches) == 3
    for k, batch in enumerate(batches):
        assert jax.tree.structure(batch) == jax.tree.structure(loader.element_spec)
        data, shapes = batch["ids"]
        assert data.dtype == shapes.dtype == np.int32 and shapes.shape == (4, 1)
        for row in range(4):
            expected = of_lengths(4 * k + row)["ids"]
            np.testing.assert_array_equal(data[row], np.pad(expected, (0, data.shape[1] - len(expected))))
            assert shapes[row, 0] == len(expected)
    with Loader(Mapped(of_lengths, 12), lengths, **options) as loader:
        found = list(loader)
    for batch, pair in zip(found, batches, strict=True):
        jax.tree.map(np.testing.assert_array_equal, batch, lengths(pair, None))


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("augment", [None, lambda batch, keys: batch["y"]], ids=["plain", "augment"])
def test_others_that_differ_are_an_error_of_their_step(augment, workers):
    with Loader(Mapped(of_lengths, 12), augment, batch_size=4, epochs=1, workers=workers) as loader:
        steps = loader.enumerate()
        words = (
            r"differ in shape in 'ids': the first of .* has \(1,\), this one \(2,\).*Loader\(..., ragged=\('ids',\)\)"
        )
        with pytest.raises(SourceDataError, match=words) as caught:
            next(steps)
        assert (caught.value.output, caught.value.sample_index, loader.step) == ("ids", 1, 1)
        assert caught.value.__notes__ == ["step 0; the sample is data[1]"]
        # The next step follows. Its samples are alike, but unlike the first sample of the data.
        with pytest.raises(SourceDataError, match=r"first of .* has \(1,\), this one \(5,\)"):
            next(steps)
        assert loader.step == 2


def test_leaves_are_named_by_what_leads_to_them():
    def sample(index):
        return {"text": {"ids": np.zeros(1 + index)}, "boxes": [np.zeros((index, 4)), np.zeros(3)]}

    data = Mapped(sample)
    batch = next(iter(Loader(data, batch_size=4, workers=0, ragged=(("text", "ids"), ("boxes", 0)))))
    assert batch["text"]["ids"][1][:, 0].tolist() == [1, 2, 3, 4]
    assert batch["boxes"][0][1].tolist() == [[k, 4] for k in range(4)]
    assert batch["boxes"][0][0].shape == (4, 4, 4), "an axis in which samples agree is not padded"
    assert batch["boxes"][1].shape == (4, 3)
    with pytest.raises(SourceDataError, match=r"ragged=\(\('text', 'ids'\), \('boxes', 0\)\)"):
        next(iter(Loader(data, batch_size=4, workers=0, ragged=(("text", "ids"),))))
    values, shapes = next(iter(Loader(Mapped(np.ones), batch_size=4, workers=0, ragged=[()])))
    assert values.sum(axis=1).tolist() == shapes[:, 0].tolist() == [0, 1, 2, 3]


def test_lists_of_numbers_are_arrays():
    """Hugging Face's datasets have tokens and boxes in this form."""

    def sample(index):
        boxes = [[0.5, 1, 2, index]] * index
        return {"ids": [index] * 3, "boxes": boxes or [[0.0] * 4], "flags": [True, False], "pair": (1, 2.5)}

    batch = next(iter(Loader(Mapped(sample), batch_size=4, workers=1, ragged=["boxes"])))
    assert batch["ids"].tolist() == [[k] * 3 for k in range(4)] and batch["ids"].dtype == np.int32
    assert batch["flags"].shape == (4, 2) and batch["flags"].dtype == np.bool_
    assert batch["boxes"][1].tolist() == [[1, 4], [1, 4], [2, 4], [3, 4]] and batch["boxes"][0][3, 2, 3] == 3
    assert [leaf.shape for leaf in batch["pair"]] == [(4,), (4,)], "a tuple is a nesting"
    with pytest.raises(SourceDataError, match=r"empty list in 'boxes', which does not tell .* np.empty\(\(0, 4\)"):
        Loader(Mapped(lambda i: {"x": i, "boxes": [[1.0] * 4] * i}), batch_size=4, workers=0, ragged=["boxes"])
    none = Loader(Mapped(lambda i: {"boxes": [[1.5, 2]] * (1 - i % 2)}), batch_size=4, workers=0, ragged=["boxes"])
    assert next(iter(none))["boxes"][1].tolist() == [[1, 2], [0, 2], [1, 2], [0, 2]]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ([1, 2.5], "expected numbers of type int64 in the list 'ids', as the first sample has them, got float64"),
        ([1, [2]], "'ids' holds lists of different lengths, which are not an array"),
        ([1, None], r"'ids' is a list of numbers in the first sample, but now \[1, None\]"),
        ([2**63, 2**63], "'ids' is a list of numbers in the first sample, but now"),
        ([1, 2, 3], r"first of the data has \(2,\), this one \(3,\)"),
        (np.ma.masked_array([1, 2], [True, False]), "a masked array, but batches have no masks"),
    ],
)
def test_lists_that_are_not_alike(other, words):
    with pytest.raises(SourceDataError, match=words):
        next(iter(Loader([{"ids": [1, 2]}, {"ids": other}], batch_size=2, workers=0)))


@pytest.mark.parametrize(
    ("ragged", "words"),
    [
        ("ids", r"must be a tuple or list of leaves, e.g. ragged=\('ids',\), or a dict .*, got 'ids'"),
        (True, "must be a tuple or list of leaves"),
        ({"ids": 0}, r"ragged\['ids'\] must be an integer, at least 1, got 0"),
        ({"ids": (64, 32)}, r"ragged\['ids'\] must be an integer, or several in ascending order, got \(64, 32\)"),
        ({"ids": ()}, "or several in ascending order"),
        ({"tokens": 64}, "names 'tokens', but samples have no such leaf"),
        (["tokens"], "names 'tokens', but samples have no such leaf; those whose shapes could differ are: 'ids'"),
        ([0], "names 0, but samples have no such leaf"),
        (
            [("words",)],
            r"names \('words',\), which is nested, with 3 leaves, and not an array; have samples hold a flat list",
        ),
        (["ids", "y"], "names 'y', whose shape cannot differ: it has no axes"),
        (["jpeg"], "names 'jpeg', whose shape cannot differ: it is an image file"),
    ],
)
def test_what_cannot_be_ragged_is_refused(ragged, words):
    data = Mapped(lambda i: {"ids": np.zeros(2), "y": 3, "jpeg": b"", "words": (1, 2, 3)})
    with pytest.raises(ConfigError, match=words):
        Loader(data, batch_size=4, ragged=ragged)


def test_batches_that_differ_from_the_first_sample_are_refused_too():
    loader = Loader(Mapped(lambda i: {"x": np.zeros(3 if i < 4 else 5)}, 12), batch_size=4, epochs=1, workers=0)
    steps = loader.enumerate()
    assert next(steps)[1]["x"].shape == loader.element_spec["x"].shape == (4, 3)
    for sample in (4, 8):
        words = rf"in 'x': the first of the data has \(3,\), this one \(5,\).*sample {sample},"
        with pytest.raises(SourceDataError, match=words):
            next(steps)


def test_samples_of_another_rank_are_refused_though_declared():
    data = Mapped(lambda i: {"ids": np.zeros((2,) * (1 + (i == 2)))})
    with pytest.raises(
        SourceDataError, match=r"has 2 dimensions, but the first sample .* 1; .*\[output 'ids', sample 2"
    ):
        next(iter(Loader(data, batch_size=4, workers=0, ragged=["ids"])))


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize(("given", "widths"), [(8, [8, 8, 8]), ([4, 6, 12], [4, 6, 12]), (None, [4, 5, 12])])
def test_what_leaves_are_padded_to(given, widths, cut):
    mesh = Mesh(np.array(jax.devices("cpu")[:2]), "x")
    sharding = NamedSharding(mesh, PartitionSpec("x")) if cut else None
    data = Mapped(lambda i: of_lengths(i if given != 8 else i % 8), 12)
    loader = Loader(data, batch_size=4, epochs=1, workers=0, ragged={"ids": given}, sharding=sharding)
    batches = list(loader)
    assert [batch["ids"][0].shape for batch in batches] == [(4, width) for width in widths]
    values, shapes = batches[2]["ids"]
    for row, (ids, [length]) in enumerate(zip(np.asarray(values), np.asarray(shapes), strict=True)):
        expected = data[8 + row]["ids"]
        np.testing.assert_array_equal(ids, np.pad(expected, (0, widths[2] - len(expected))))
        assert length == len(expected)
    assert loader.element_spec["ids"][0].shape == (4, 1 if given is None else widths[0])


def test_a_sample_that_is_longer_is_an_error_of_its_step():
    loader = Loader(Mapped(of_lengths, 12), batch_size=4, epochs=1, workers=0, ragged={"ids": (4, 5)})
    steps = loader.enumerate()
    assert [next(steps)[1]["ids"][0].shape for _ in range(2)] == [(4, 4), (4, 5)]
    words = r"'ids' of this sample has shape \(9,\), but ragged= pads its first axis to at most 5; .*sample 8"
    with pytest.raises(SourceDataError, match=words):
        next(steps)
    with pytest.raises(SourceDataError, match=r"ragged=\{'y': 3, 'ids': None\}"):
        data = Mapped(lambda i: {"ids": np.zeros(i), "y": np.zeros(1)})
        next(iter(Loader(data, batch_size=4, workers=0, ragged={"y": 3})))


def test_leaves_of_the_widths_of_a_sampler_are_padded_by_its_lengths():
    lengths = [1, 2, 9, 3, 16, 2, 4, 1]
    data = Mapped(lambda i: {"x": np.ones(lengths[i]), "y": np.ones(1), "z": np.ones(2)})
    ragged = {"x": (4, 16), "y": (4, 16), "z": (2, 16)}
    loader = Loader(data, batch_size=2, sampler=BucketSampler(lengths, 2, (4, 16)), ragged=ragged, epochs=1, workers=0)
    widths = [[batch[leaf][0].shape[1] for leaf in "xyz"] for batch in loader]
    assert sorted(widths) == [[4, 4, 2]] * 3 + [[16, 16, 2]]
    lies = BucketSampler([1] * 8, 2, (4, 16))
    with pytest.raises(
        SourceDataError, match="that the sampler was given for this batch is above 4; give it the lengths of"
    ):
        list(Loader(data, batch_size=2, sampler=lies, ragged=ragged, epochs=1, workers=0))
