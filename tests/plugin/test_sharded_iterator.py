"""Iterators that return global arrays: which data lie where, in which form, and from which pipeline."""

import collections

import jax
import numpy as np
import pytest
from case_names import plain
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding
from reader_pipelines import labels_of

from jaxdali import ConfigError, DecodeError, fn, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator, LastBatchPolicy, data_iterator

P = PartitionSpec
FILES = 48


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(jax.devices("cpu")[:8]).reshape(2, 2, 2), ("x", "y", "z"))


def draw(shard_id=0, num_shards=1):
    """Labels, a random number per sample, and a random row of four."""
    files = ["/dev/null"] * FILES
    _, labels = fn.readers.file(
        files=files, name="reader", shard_id=shard_id, num_shards=num_shards, pad_last_batch=True, random_shuffle=False
    )
    return {
        "label": labels,
        "number": fn.random.uniform(range=(0.0, 1.0)),
        "row": fn.random.uniform(range=(0.0, 1.0), shape=[4]),
    }


def by_label(batches):
    """Returns the random values by the label of their sample."""
    found = {}
    for batch in batches:
        labels, numbers, rows = (np.asarray(batch[name]) for name in ("label", "number", "row"))
        for label, number, row in zip(labels[..., 0].ravel(), numbers.ravel(), rows.reshape(-1, 4), strict=True):
            found[int(label)] = (float(number), *row.tolist())
    return found


def iterate(**arguments):
    return data_iterator(draw, reader_name="reader", **arguments)(batch_size=8, seed=3, py_num_workers=0)


@pytest.fixture(scope="module")
def alone():
    """The values that one device draws for each sample of the epoch."""
    return by_label(iterate())


# The batch axis lies on any subset of the mesh axes; other axes are cut, too, or replicated.
SPECS = [
    (P("x"), 2),
    (P(("x", "y")), 4),
    (P(("z", "x")), 4),
    (P(("x", "y", "z")), 8),
    (P("y", "z"), 2),
    (P(None), 1),
    (P(None, "x"), 1),
    (P(), 1),
]


@pytest.mark.parametrize(("spec", "parts"), SPECS, ids=plain)
def test_an_epoch_is_the_same_under_any_sharding(mesh, alone, spec, parts):
    sharding = {
        "label": NamedSharding(mesh, P(*spec[:1])),
        "number": NamedSharding(mesh, P(*spec[:1])),
        "row": NamedSharding(mesh, spec),
    }
    iterator = iterate(sharding=sharding)
    batches = list(iterator)
    assert len(batches) == len(iterator) == FILES // 8
    for batch in batches:
        assert {name: array.sharding for name, array in batch.items()} == sharding
        assert batch["label"].shape == (8, 1) and batch["row"].shape == (8, 4)
        # Part k of the batch comes from shard k.
        shards = np.asarray(batch["label"])[:, 0].reshape(parts, -1) // (FILES // parts)
        assert (shards == np.arange(parts)[:, None]).all()
        for shard in batch["row"].addressable_shards:
            np.testing.assert_array_equal(shard.data, np.asarray(batch["row"])[shard.index])
    assert by_label(batches) == alone and len(alone) == FILES


def test_outputs_may_be_cut_differently(mesh, alone):
    sharding = {
        "label": NamedSharding(mesh, P(("x", "y"))),
        "number": NamedSharding(mesh, P("y")),
        "row": NamedSharding(mesh, P(None, "z")),
    }
    batches = list(iterate(sharding=sharding))
    assert {name: array.sharding for name, array in batches[0].items()} == sharding
    assert by_label(batches) == alone


def test_one_sharding_serves_all_outputs_and_programs_take_them(mesh):
    sharding = NamedSharding(mesh, P("x"))
    batch = next(iterate(sharding=sharding, output_map=["number", "label"]))
    assert list(batch) == ["number", "label"]
    step = jax.jit(lambda batch: (batch["number"].sum(), batch["label"] + 1), in_shardings=sharding)
    total, labels = step(batch)
    assert labels.sharding.is_equivalent_to(sharding, 2)
    np.testing.assert_allclose(total, np.asarray(batch["number"]).sum(), rtol=1e-6)


def test_devices_make_an_axis_for_pmap(alone):
    devices = jax.devices("cpu")[2:6]
    batches = list(iterate(devices=devices))
    for batch in batches:
        assert batch["row"].shape == (4, 2, 4)
        assert [shard.device for shard in batch["row"].addressable_shards] == devices
    assert by_label(batches) == alone
    doubled = jax.pmap(lambda x: 2 * x, devices=devices)(batches[0]["row"])
    np.testing.assert_array_equal(doubled, 2 * np.asarray(batches[0]["row"]))


def test_without_the_axis_rows_follow_each_other(alone):
    batches = list(iterate(devices=jax.devices("cpu")[:4], pmap_compatible=False))
    assert batches[0]["row"].shape == (8, 4) and len(batches[0]["row"].sharding.device_set) == 4
    assert by_label(batches) == alone


@pytest.mark.parametrize("placed", [True, False])
def test_class_and_decorator_agree(mesh, placed):
    """Pipelines on different devices are matched by device, those on one device by their order."""
    sharding = NamedSharding(mesh, P(("x", "y")))
    order = [2, 0, 3, 1] if placed else [0, 1, 2, 3]

    def labels(shard_id, num_shards):
        return draw(shard_id, num_shards)["label"]

    made = data_iterator(labels, ["label"], reader_name="reader", sharding=sharding)
    by_decorator = made(batch_size=8, seed=3, py_num_workers=0)
    pipes = [labels_of(FILES, 2, k, 4, 2 * k if placed else None, pad_last_batch=True) for k in order]
    by_class = DALIGenericIterator(pipes, ["label"], reader_name="reader", sharding=sharding)
    for _ in range(3):
        mine, theirs = next(by_class)["label"], next(by_decorator)["label"]
        assert mine.sharding == theirs.sharding
        np.testing.assert_array_equal(mine, theirs)


def test_a_single_device_is_a_sharding_too():
    device = jax.devices("cpu")[3]
    batch = next(iterate(sharding=SingleDeviceSharding(device)))
    assert batch["row"].devices() == {device} and batch["row"].shape == (8, 4)


def test_a_batch_that_fails_leaves_the_shards_in_step(mesh, tmp_path):
    good = tmp_path / "good"
    good.write_bytes(b"")

    @data_iterator(output_map=["label"], reader_name="reader", sharding=NamedSharding(mesh, P("x")))
    def mine(shard_id, num_shards):
        files = [str(good)] * 12
        files[8] = str(tmp_path / "none")
        shard = {"shard_id": shard_id, "num_shards": num_shards, "stick_to_shard": True}
        _, labels = fn.readers.file(files=files, name="reader", **shard)
        return labels

    iterator = mine(batch_size=4, py_num_workers=0)
    for _ in range(2):  # the file is missing in the next epoch, too
        found = []
        while True:
            try:
                found.append(next(iterator)["label"][:, 0].tolist())
            except StopIteration:
                break
            except FileNotFoundError as error:
                assert "none" in str(error)
                found.append("failed")
        assert found == [[0, 1, 6, 7], "failed", [4, 5, 10, 11]]
        iterator.reset()


@pytest.mark.parametrize("moment", ["assembling", "trimming"])
def test_an_interrupt_before_a_batch_is_handed_out_does_not_lose_it(mesh, monkeypatch, moment):
    iterator = iterate(sharding=NamedSharding(mesh, P("x")), prepare_first_batch=moment == "trimming")
    expected = list(iterate(sharding=NamedSharding(mesh, P("x"))))

    def interrupted(*_):
        monkeypatch.undo()
        raise KeyboardInterrupt

    place = iterator._jaxdali._assemble["row"] if moment == "assembling" else iterator._jaxdali
    monkeypatch.setattr(type(place), "__call__" if moment == "assembling" else "_trimmed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(iterator)
    assert by_label(list(iterator)) == by_label(expected)


def test_a_batch_that_an_epoch_leaves_out_may_fail(tmp_path, caplog):
    @data_iterator(output_map=["label"], reader_name="reader", last_batch_policy=LastBatchPolicy.DROP, auto_reset=True)
    def mine():
        files = ["/dev/null"] * 4 + [str(tmp_path / "none")]
        _, labels = fn.readers.file(files=files, name="reader", pad_last_batch=True)
        return labels

    iterator = mine(batch_size=4, py_num_workers=0)
    for _ in range(3):
        assert [batch["label"][:, 0].tolist() for batch in iterator] == [[0, 1, 2, 3]]
    assert caplog.text.count("a batch that the epoch skips failed") == 3


def test_a_reader_beside_a_source_keeps_its_epochs():
    @data_iterator(
        output_map=["label", "x"], reader_name="reader", last_batch_policy=LastBatchPolicy.DROP, auto_reset=True
    )
    def mine():
        _, labels = fn.readers.file(files=["/dev/null"] * 5, name="reader", pad_last_batch=True)
        return labels, fn.external_source(lambda info: np.zeros(1, np.float32), batch=False)

    iterator = mine(batch_size=4, py_num_workers=0)
    for _ in range(3):
        assert [batch["label"][:, 0].tolist() for batch in iterator] == [[0, 1, 2, 3]]


@pytest.mark.parametrize("kept", [1, 20])
def test_arrays_of_several_devices_are_the_slots_until_many_are_kept(mesh, kept):
    """Returned arrays never change; if a consumer only keeps one batch, no batch is copied out of its slot."""

    @data_iterator(output_map=["rows"], sharding=NamedSharding(mesh, P(("x", "y", "z"))), size=160)
    def mine(shard_id, num_shards):
        def sample(info):
            return np.full(64, info.iteration * 8 + shard_id, np.uint8)

        return fn.external_source(sample, batch=False)

    iterator = mine(batch_size=8, py_num_workers=0)
    batches = collections.deque(maxlen=kept)
    for batch in iterator:
        batches.append(batch["rows"])
    copied = sum(feed.copied_batches for pipeline in iterator._pipes for feed in pipeline._jaxdali_session.feeds)
    assert bool(copied) == (kept > 1)
    for number, rows in enumerate(batches, start=20 - kept):
        expected = np.repeat(np.arange(number * 8, number * 8 + 8, dtype=np.uint8)[:, None], 64, axis=1)
        np.testing.assert_array_equal(rows, expected)


def test_nothing_is_transferred_by_itself(mesh):
    sharding = {"label": P(("x", "y")), "number": P("x"), "row": P("x", "y")}
    with jax.transfer_guard("disallow"):
        batches = list(iterate(sharding={name: NamedSharding(mesh, spec) for name, spec in sharding.items()}))
        partial = data_iterator(draw, reader_name="reader", last_batch_policy=LastBatchPolicy.PARTIAL)
        last = list(partial(batch_size=7, seed=3, py_num_workers=0))[-1]
    assert len(batches) == 6 and last["row"].shape == (FILES % 7, 4)


def test_decoding_that_fails_is_told_once_and_the_next_batch_is_whole(mesh):
    from jpeg_files import pillow_jpeg

    file = pillow_jpeg(16, 16)

    def sample(shard_id):
        def make(info):
            broken = shard_id == 1 and info.idx_in_epoch == 3
            return np.frombuffer(file[:90] if broken else file, np.uint8)

        return make

    @data_iterator(output_map=["image"], size=32, sharding=NamedSharding(mesh, P("x")))
    def mine(shard_id, num_shards):
        return fn.resize(fn.decoders.image(fn.external_source(sample(shard_id), batch=False)), size=(16, 16))

    iterator = mine(batch_size=4)
    assert next(iterator)["image"].shape == (4, 16, 16, 3)
    with pytest.raises(DecodeError):
        next(iterator)
    assert [pipe._jaxdali_session.executor.position for pipe in iterator._pipes] == [2, 2]
    assert next(iterator)["image"].shape == (4, 16, 16, 3)


def test_sources_without_a_reader_draw_as_of_their_shard(mesh):
    @data_iterator(output_map=["x", "node"], size=16, sharding=NamedSharding(mesh, P(("x", "y"))))
    def mine(shard_id, num_shards):
        node = fn.external_source(lambda info: np.zeros(1, np.float32), batch=False)
        return [fn.random.uniform(range=(0.0, 1.0)), node]

    assert len(np.unique(next(mine(batch_size=8, seed=1))["x"])) == 8


def test_tuples_and_lists_are_named_by_the_output_map():
    for form in (tuple, list):

        @data_iterator(output_map=["a", "b"], reader_name="reader")
        def mine(form=form):
            drawn = draw()
            return form([drawn["label"], drawn["row"]])

        assert {name: array.shape for name, array in next(mine(batch_size=4)).items()} == {"a": (4, 1), "b": (4, 4)}


@pytest.mark.parametrize(
    ("function", "decorator", "call", "words"),
    [
        (draw, {"sharding": "s", "devices": "d"}, {}, "Only one of `sharding` and `devices`"),
        (draw, {"sharding": "s"}, {"batch_size": 9}, "batch_size=9 is that of the global batch.* multiple of 2"),
        (draw, {"sharding": "s"}, {"device_id": 1}, "device_id= follows from sharding"),
        (draw, {"sharding": "s"}, {"shard_id": 1}, "shard_id= follows from sharding"),
        (draw, {"devices": "d", "last_batch_policy": LastBatchPolicy.PARTIAL}, {}, "partial last batch policy"),
        (draw, {"sharding": "s", "output_map": ["other"]}, {}, "output_map names 'other', but draw returned 'label'"),
        (lambda: draw()["label"], {"sharding": "s", "output_map": ["x"]}, {}, "it has no shard_id and no num_shards"),
        (draw, {"devices": []}, {}, "expects distinct jax.Devices"),
        (draw, {"sharding": "s", "pmap_compatible": True, "size": 16}, {}, "exclude each other"),
        (lambda: draw()["label"], {}, {}, "output_map is empty"),
    ],
    ids=plain,
)
def test_refused(mesh, function, decorator, call, words):
    values = {"s": NamedSharding(mesh, P("x")), "d": jax.devices("cpu")[:2]}
    decorator = {
        name: values.get(value, value) if isinstance(value, str) else value for name, value in decorator.items()
    }
    with pytest.raises(ConfigError, match=words):
        data_iterator(function, **decorator)(**{"batch_size": 8, **call})


@pytest.mark.parametrize("form", ["sharding", "devices"])
def test_pipelines_are_on_the_devices_of_the_mesh_not_on_those_of_a_number(monkeypatch, form):
    """On a machine with GPUs, CPU device 5 is not GPU 5, so nothing may look up a device by number."""

    def counted():
        raise AssertionError("a device was looked for by its number")

    monkeypatch.setattr("jaxdali._dali.planner.device.local_gpus", counted)
    devices = [jax.devices("cpu")[k] for k in (5, 2, 7)]
    numbers = []

    def mine(shard_id, num_shards, device_id):
        numbers.append(device_id)
        node = fn.external_source(lambda info: np.full(3, shard_id, np.float32), batch=False)
        return {"source": node, "drawn": fn.random.uniform(range=(0.0, 1.0)), "sum": fn.brightness_contrast(node)}

    of_mesh = NamedSharding(Mesh(np.array(devices), ("x",)), P("x"))
    place: dict = {"sharding": of_mesh} if form == "sharding" else {"devices": devices}
    iterator = data_iterator(mine, size=12, **place)(batch_size=6)
    assert numbers == [None] * 3  # as in DALI for pipelines without a GPU
    assert [pipe.device for pipe in iterator._pipes] == devices
    for pipe in iterator._pipes:
        assert [array.devices() for array in pipe.run_arrays()] == [{pipe.device}] * 3
    batch = next(iterator)
    assert np.asarray(batch["source"]).reshape(6, 3)[:, 0].tolist() == [0, 0, 1, 1, 2, 2]
    assert [shard.device for shard in batch["sum"].addressable_shards] == devices


def test_the_wrong_number_of_pipelines_is_refused(mesh):
    pipes = [labels_of(FILES, 2, k, 4) for k in range(4)]
    with pytest.raises(ConfigError, match="cuts the batch into 2 parts, 2 of them on this process, but there are 4"):
        DALIGenericIterator(pipes, ["label"], reader_name="reader", sharding=NamedSharding(mesh, P("x")))


def test_an_axis_that_does_not_divide_is_refused(mesh):
    sharding = {name: NamedSharding(mesh, P("x")) for name in ("label", "number")}
    with pytest.raises(ConfigError, match=r"output 'label' of shape .* does not fit its sharding"):
        iterate(sharding={**sharding, "label": NamedSharding(mesh, P("x", "y"))}, output_map=["label", "number"])


def test_ragged_shards_are_refused(mesh):
    @pipeline_def(batch_size=2)
    def mine(extent):
        return fn.external_source(lambda info: np.zeros(extent, np.float32), batch=False)

    pipes = [mine(extent) for extent in (3, 4)]
    with pytest.raises(ConfigError, match="Shards shapes have to be the same"):
        DALIGenericIterator(pipes, ["x"], size=8, sharding=NamedSharding(mesh, P("x")))
