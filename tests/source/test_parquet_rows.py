"""Rows of Parquet files as a source: compared with pyarrow, shuffled, resumed, from URLs, and from damaged files."""

from __future__ import annotations

import os
import pathlib
import pickle
import random
import signal

import numpy as np
import pytest
from object_server import object_server

from jaxdali import ConfigError, Loader, SourceDataError, source
from jaxdali._feed.records.parquet_columns import read_footer

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

ROWS, GROUP = 23, 5
WRITERS = {
    "plain": {"row_group_size": GROUP, "use_dictionary": False, "compression": "none"},
    "old": {"row_group_size": 7, "version": "1.0", "compression": "gzip"},
    "new": {"row_group_size": 9, "version": "2.6", "data_page_version": "2.0", "compression": "zstd"},
    "one group": {"write_statistics": False},
}


def table_from(first):
    rows = range(first, first + ROWS)
    columns = {
        "x": pa.array(rows, pa.int64()),
        "half": pa.array([k / 2 for k in rows], pa.float32()),
        "odd": pa.array([k % 2 == 1 for k in rows]),
        "name": pa.array([f"n\N{DEGREE SIGN}{k}" for k in rows]),
        "kind": pa.array(["a", "bb", "c"][k % 3] for k in rows).dictionary_encode(),
        "image": pa.array(
            [{"bytes": b"j%d" % k, "path": None} for k in rows],
            pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        ),
        "ids": pa.array([[k] * (k % 4) for k in rows], pa.list_(pa.int32())),
        "box": pa.array([[k, 1, 2, 3] for k in rows], pa.list_(pa.float32(), 4)),
        "matrix": pa.array([[[k, 1.0], [2.0, 3.0]] for k in rows], pa.list_(pa.list_(pa.float64()))),
        "gap": pa.array([None if k == 3 else k for k in rows], pa.int16()),
        "when": pa.array([k for k in rows], pa.timestamp("s")),
        "words": pa.array([["a"] for _ in rows]),
    }
    return pa.table(columns)


READ = ["x", "half", "odd", "name", "kind", "image.bytes", "ids", "box", "matrix"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parquet")
    for part, (name, options) in enumerate(WRITERS.items()):
        pq.write_table(table_from(part * ROWS), folder / f"{part} {name}.parquet", **options)
    return sorted(map(str, folder.iterdir()))


def test_rows_are_those_that_pyarrow_reads(files):
    data = pickle.loads(pickle.dumps(source.Parquet(files, READ)))
    expected = [row for file in files for row in pq.ParquetFile(file).read(columns=READ).to_pylist()]
    assert len(data) == len(expected) == 4 * ROWS and data.bounds.tolist() == [k * ROWS for k in range(5)]
    order = random.Random(0).sample(range(len(data)), len(data))
    for index in order:
        found = data[index]
        lists = {name: value.tolist() for name, value in found.items() if isinstance(value, np.ndarray)}
        assert {**found, **lists} == expected[index]
    types = {name: value.dtype for name, value in found.items() if isinstance(value, np.ndarray | np.generic)}
    assert types == {"x": "i8", "half": "f4", "odd": "?", "ids": "i4", "box": "f4", "matrix": "f8"}
    with pytest.raises(IndexError, match="row 92 of 92"):
        data[92]


def test_what_is_read_is_what_is_named(files):
    whole, image = source.Parquet(files[0]), source.Parquet(files[0], ["image.bytes", "x"])
    assert image[4] == {"image": {"bytes": b"j4"}, "x": 4}
    assert len({one.digest() for one in (whole, image, source.Parquet(files[1], ["image.bytes", "x"]))}) == 3
    assert source.Parquet(files).source_info(ROWS + 8) == f"{files[1]}, row group 1, row 1"
    with pytest.raises(ConfigError, match="has no column 'nam'; it has 'x', 'half'"):
        source.Parquet(files, ["nam"])
    with pytest.raises(ConfigError, match="columns must be a list of names, got 'x'"):
        source.Parquet(files, "x")
    for column, words in (
        ("when", r"'when' has the type timestamp\[ms\], expected numbers"),
        ("words", "'words' has lists of string, expected numbers"),
        ("gap", "row group 0, row 3: column 'gap' is null there"),
    ):
        with pytest.raises(SourceDataError, match=words):
            source.Parquet(files[0], [column])[3]
    assert source.Parquet(files[0], ["gap"])[4] == {"gap": 4}
    assert source.Parquet(files[0], ["image"])[4] == {"image": {"bytes": b"j4", "path": None}}


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.struct([("bytes", pa.binary())])])
def test_a_null_is_none_where_something_may_be_missing(tmp_path, kind):
    values = [None if k == 3 else {"bytes": b"x"} if pa.types.is_struct(kind) else "x" for k in range(5)]
    pq.write_table(pa.table({"x": pa.array(values, kind)}), tmp_path / "nulls.parquet")
    data = source.Parquet(str(tmp_path / "nulls.parquet"))
    assert [data[k]["x"] is None for k in range(5)] == [False, False, False, True, False]


def test_text_that_is_not_utf_8_is_an_error_of_its_row(tmp_path):
    texts = pa.array([b"a", b"\xff"]).cast(pa.string(), safe=False)
    pq.write_table(pa.table({"x": texts}), tmp_path / "latin.parquet", use_dictionary=False)
    data = source.Parquet(str(tmp_path / "latin.parquet"))
    assert data[0] == {"x": "a"}
    with pytest.raises(SourceDataError, match="column 'x' has text there that is not UTF-8"):
        data[1]


def numbers(data, **given):
    with Loader(data, batch_size=8, epochs=2, **given) as loader:
        return [np.asarray(batch["x"]).tolist() for batch in loader]


@pytest.mark.parametrize("together", [1, 3])
def test_a_shuffled_epoch_has_each_row_once_from_a_few_groups_at_a_time(files, together):
    data = source.Parquet(files, ["x"], row_groups_kept=together)
    sampler = source.RowGroupSampler(data.groups, seed=1, together=together)
    orders = [sampler.indices(epoch, np.arange(len(data))) for epoch in range(3)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(len(data)))
        groups = np.searchsorted(data.groups, order, "right") - 1
        last_new = np.sort(np.unique(groups, return_index=True)[1])
        for few in range(0, len(last_new), together):  # the rows of a few groups all come before those of the next ones
            end = last_new[few + together] if few + together < len(last_new) else len(order)
            assert len(set(groups[last_new[few] : end])) == len(last_new[few : few + together])
            assert not set(groups[end:]) & set(groups[:end])
    assert (orders[0] != orders[1]).any() and (orders[0] != np.arange(len(data))).any()
    some = np.array([90, 3, 40])
    np.testing.assert_array_equal(sampler.indices(2, some), orders[2][some])
    np.testing.assert_array_equal(
        source.RowGroupSampler(data.groups.tolist(), 1, together).indices(1, some), orders[1][some]
    )
    found = numbers(data, sampler=sampler, workers=2)
    assert found == numbers(data, sampler=sampler, workers=0)
    assert [x for batch in found[:12] for x in batch][: len(data)] == orders[0].tolist()


class Killer:
    """Kills its process at one row, but only once."""

    def __init__(self, flag):
        self.flag = str(flag)

    def __call__(self, sample):
        if sample["x"] == 61 and not os.path.exists(self.flag):
            pathlib.Path(self.flag).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return sample


def test_a_killed_worker_loses_and_repeats_nothing(files, tmp_path):
    data = source.Parquet(files, ["x"])
    given = {"sampler": source.RowGroupSampler(data.groups, 7)}
    found = numbers(source.map(data, Killer(tmp_path / "killed")), workers=2, **given)
    assert found == numbers(data, workers=0, **given) and (tmp_path / "killed").exists()


def test_it_resumes_at_every_step_on_other_devices(files):
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    data = source.Parquet(files, ["x"])

    def loader(devices, workers):
        sharding = NamedSharding(Mesh(np.array(jax.devices()[:devices]), ("part",)), PartitionSpec("part"))
        sampler = source.RowGroupSampler(data.groups, 7)
        return Loader(data, batch_size=8, epochs=1, sampler=sampler, sharding=sharding, workers=workers)

    found, states = [], []
    with loader(1, 0) as one:
        for _ in range(12):
            states.append(one.get_state())
            found.append(np.asarray(next(iter(one))["x"]).tolist())
    for step, state in enumerate(states):
        with loader(4, int(step == 5)) as one:
            one.set_state(state)
            assert np.asarray(next(iter(one))["x"]).tolist() == found[step], step


@pytest.mark.parametrize("groups", [[0], [1, 5], [0, 5, 4], [0, 0], [0.0, 2.0], [[0, 1]], [[0, 1], [2]]])
def test_what_are_no_groups(groups):
    with pytest.raises(ConfigError, match="expects where each group begins"):
        source.RowGroupSampler(groups)


def test_a_sampler_looks_at_its_groups_once_and_takes_nothing_more_along():
    sampler = source.RowGroupSampler(np.arange(10_001))
    size = len(pickle.dumps(sampler))
    first = sampler.indices(0, [5, 7])
    key = sampler._content.of(lambda: b"made anew")
    assert key == sampler.groups.tobytes() and len(pickle.dumps(sampler)) == size
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(sampler)).indices(0, [5, 7]), first)


@pytest.mark.parametrize("groups", [0, 1])
@pytest.mark.parametrize("columns", [None, ["x"]])
def test_an_empty_shard_between_full_ones(tmp_path, groups, columns):
    table = pa.table({"x": [1, 2, 3], "y": [1, 2, 3]})
    paths = [tmp_path / f"{k}.parquet" for k in range(3)]
    for path, one in zip(paths, (table, table.slice(0, 0), table), strict=True):
        with pq.ParquetWriter(path, table.schema) as writer:
            if groups or one.num_rows:
                writer.write_table(one)
    data = source.Parquet(paths, columns)
    assert [data[k]["x"] for k in range(len(data))] == [1, 2, 3, 1, 2, 3] and data.bounds.tolist() == [0, 3, 3, 6]
    order = source.RowGroupSampler(data.groups, together=2).indices(0, np.arange(6))
    assert sorted(order.tolist()) == list(range(6))
    with pytest.raises(ConfigError, match="hold no row"):
        source.Parquet(paths[1], columns)


def test_an_empty_list_of_lists_has_the_type_and_rank_of_others(tmp_path):
    kind = pa.list_(pa.list_(pa.list_(pa.int32())))
    pq.write_table(pa.table({"x": pa.array([[], [[[1]]], [[]]], kind)}), path := tmp_path / "a.parquet")
    data = source.Parquet(path)
    assert [(data[k]["x"].dtype, data[k]["x"].shape) for k in range(3)] == [
        ("i4", (0, 0, 0)),
        ("i4", (1, 1, 1)),
        ("i4", (1, 0, 0)),
    ]


def test_files_with_other_columns_are_refused_when_they_are_opened(tmp_path):
    one, other, lists = (tmp_path / f"{name}.parquet" for name in ("one", "other", "lists"))
    pq.write_table(pa.table({"x": [[1]], "y": [1], "s": [{"a": 1}]}), one)
    pq.write_table(pa.table({"z": [1], "x": [[1]], "s": [{"b": 1}]}), other)
    for columns, words in ((None, "'s.a', 's.b', 'y', 'z'"), (["s"], "'s.a', 's.b'")):
        with pytest.raises(
            ConfigError, match=rf"other.parquet has different columns from .*one.parquet: .* has {words}$"
        ):
            source.Parquet([one, other], columns)
    # Writers name the elements of lists differently; the columns are the same.
    pq.write_table(pa.table({"s": [{"a": 1}], "x": [[1]], "y": [1]}), lists, use_compliant_nested_type=False)
    assert read_footer(str(lists)).names != read_footer(str(one)).names
    assert len(source.Parquet([one, lists])) == len(source.Parquet([one, other], ["x"])) == 2


def test_columns_of_a_generator_and_what_are_no_columns(files):
    assert source.Parquet(files, (name for name in ("x", "half")))[4] == {"x": 4, "half": 2.0}
    for columns, words in ((5, "got 5"), ([5], "got .5."), ([], "at least one column"), ([["x"]], "list of names")):
        with pytest.raises(ConfigError, match=words):
            source.Parquet(files, columns)


@pytest.mark.parametrize("kind", [pa.string(), pa.binary()])
def test_chunks_of_bytes_become_one_that_may_be_above_2_gib(kind, monkeypatch):
    from jaxdali._feed.source import parquet_groups

    seen = []
    for name in ("_bytes", "_text"):
        monkeypatch.setattr(
            parquet_groups, name, lambda array, *given: seen.append(array.type) or array[given[-1]].as_py()
        )
    chunks = [pa.array(["a"], kind), pa.array(["b", "c"], kind)]
    many, one = (parquet_groups._reader(pa.chunked_array(some), "x") for some in (chunks, chunks[1:]))
    values, wide = (
        (["a", "b", "c"], pa.large_string()) if kind == pa.string() else ([b"a", b"b", b"c"], pa.large_binary())
    )
    assert [many(k) for k in range(3)] == values and [one(k) for k in range(2)] == values[1:]
    assert seen[:3] == [wide] * 3


def test_the_footers_of_the_files_that_are_mixed_are_read_once(files, monkeypatch):
    from jaxdali._feed.source import parquet

    read, found = parquet.read_footer, []
    data = source.Parquet(files, ["x"], row_groups_kept=2)
    monkeypatch.setattr(parquet, "read_footer", lambda path: found.append(path) or read(path))
    for _ in range(2):  # first and second row groups of two files, taking turns
        assert [data[k]["x"] for k in (0, ROWS, 6, ROWS + 8)] == [0, ROWS, 6, ROWS + 8]
    assert found == files[:2]
    assert data[2 * ROWS]["x"] == 2 * ROWS and data[0]["x"] == 0 and found == [*files[:3], files[0]]


def test_each_row_group_is_decoded_once_where_it_is_kept(files, monkeypatch):
    from jaxdali._feed.source import parquet

    read, decoded = parquet.read_group, []
    monkeypatch.setattr(parquet, "read_group", lambda *given: decoded.append(given[2]) or read(*given))
    data = source.Parquet(files, ["x"], row_groups_kept=3)
    sampler = source.RowGroupSampler(data.groups, together=3)
    for index in sampler.indices(0, np.arange(len(data))).tolist():
        assert data[index]["x"] == index
    assert len(decoded) == len(data.groups) - 1


def test_rows_elsewhere_are_those_of_the_files(files, tmp_path):
    folder = files[0].rpartition("/")[0]
    expected = numbers(data := source.Parquet(files, ["x"]), workers=0)
    with object_server(folder) as server:
        urls = [f"{server.url}/{path.rpartition('/')[2].replace(' ', '%20')}" for path in files]
        far = source.Parquet(urls, ["x", "image.bytes"], cache_dir=tmp_path)
        assert [far[k]["image"]["bytes"] for k in (91, 3, 50)] == [b"j91", b"j3", b"j50"]
        assert numbers(far, workers=2, host=[("image", "bytes")]) == expected
        given = {"sampler": source.RowGroupSampler(data.groups), "workers": 1}
        assert numbers(source.Parquet(urls, ["x"]), **given) == numbers(data, **given)


def test_damaged_files(files, tmp_path):
    whole = pathlib.Path(files[2]).read_bytes()
    footer = len(whole) - len(read_footer(files[2]).content)

    def opened(content):
        path = tmp_path / "damaged.parquet"
        path.write_bytes(content)
        return source.Parquet(path, READ)

    for content, words in (
        (whole[:-30], "does not end as Parquet files do"),
        (whole[:-4] + b"PARE", "is encrypted"),
        (b"PAR1", "does not end"),
        (whole[:-8] + b"\xff\xff\xff\x7fPAR1", "footer has 2147483647 bytes"),
        (whole[100:], "is not in the file|is damaged"),
        (whole[:footer] + b"\x19\xfc\xff\xff\xff\xff\x0f" + whole[footer + 7 :], "values at byte"),
    ):
        with pytest.raises(ConfigError, match=words):
            opened(content)
    # If any byte of the footer is wrong, either an error names the file, or rows can be read.
    chance = random.Random(1)
    refused = 0
    for _ in range(150):
        place = chance.randrange(footer, len(whole))
        content = bytearray(whole)
        content[place] ^= 1 << chance.randrange(8)
        try:
            data = opened(content)
            [data[k] for k in range(0, min(len(data), ROWS), 4)]
        except (ConfigError, SourceDataError) as error:
            assert "damaged.parquet" in str(error)
            refused += 1
    assert refused > 50
    with pytest.raises(SourceDataError, match=r"damaged.parquet, row group 1: "):
        begin = int(read_footer(files[2]).ranges[1, 0, 0])
        opened(whole[:begin] + bytes(40) + whole[begin + 40 :])[10]
    (cut := tmp_path / "cut.parquet").write_bytes(whole)
    data = source.Parquet(cut, READ)
    cut.write_bytes(whole[: footer - 200])
    with pytest.raises((SourceDataError, ConfigError), match=r"cut\.parquet"):
        data[0]
