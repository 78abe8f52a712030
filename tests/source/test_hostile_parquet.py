"""Parquet files made to take time or memory, or to break a parser: each is an error that names it, and costs little."""

from __future__ import annotations

import io
import itertools
import random

import numpy as np
import pytest
from growth import assert_linear
from thrift_files import changed, paths_in, thrift

from jaxdali import ConfigError, SourceDataError, source
from jaxdali._feed.records.parquet_columns import Leaf, read_footer
from jaxdali._feed.records.parquet_pages import size_of_column
from jaxdali._feed.records.thrift import Wrong, read_struct

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

MIB = 1 << 20
ODD = (
    None,
    True,
    -1,
    0,
    1 << 40,
    (1 << 63) - 1,
    0.5,
    float("nan"),
    b"",
    b"a",
    [],
    [1],
    [[]],
    [{}],
    [b"a"],
    {},
    {1: {}},
)


def file_of(*parts):
    """A file of columns, and a footer after them."""
    *columns, footer = parts
    return b"PAR1" + b"".join(columns) + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def parts_of(content):
    """The bytes between "PAR1" and the footer, and what the footer says."""
    size = int.from_bytes(content[-8:-4], "little")
    return content[4 : -8 - size], read_struct(content[-8 - size : -8])[0]


def written(table, **options):
    stream = io.BytesIO()
    pq.write_table(table, stream, **{"store_schema": False, "write_statistics": False, **options})
    return stream.getvalue()


def opened(folder, content, *columns, **options):
    (path := folder / "hostile.parquet").write_bytes(content)
    return source.Parquet(path, list(columns) or None, **options)


@pytest.mark.parametrize(
    "footer",
    [
        b"\x49" + b"\x19" * 5000 + b"\0",
        b"\x4b" + b"\x01\xbb" * 5000,
        b"\x4c" * 5000,
        b"\x49\x1c\x19\x1c\x39\x0c\0\x26\x02\0\0",
        b"\x49\xfc" + b"\xff" * 8 + b"\x3f" + bytes(50),
        b"\x49\xf1\xff\xff\xff\xff\x07" + b"\x01" * 50,
        b"\x48\xff\xff\xff\xff\x07",
        b"\x46" + b"\xff" * 20,
        thrift({2: [{4: b"r", 5: 1}] * 100_000, 4: []}),
        thrift({2: [{4: b"r", 5: 1}, {4: b"x", 5: 1 << 30}], 4: []}),
    ],
    ids=["lists", "maps", "structs", "no meta", "2**62", "bools", "text", "number", "schema", "children"],
)
def test_footers_that_are_deep_or_say_that_they_are_large(tmp_path, footer):
    with pytest.raises(ConfigError, match=r"hostile.parquet: its footer, at byte 4, is damaged: "):
        opened(tmp_path, file_of(footer))


def test_any_value_of_a_footer_may_be_any_other(tmp_path):
    table = pa.table({"x": range(6), "s": [{"a": b"%d" % k, "b": [k]} for k in range(6)]})
    columns, footer = parts_of(written(table, row_group_size=4))
    assert len(opened(tmp_path, file_of(columns, thrift(footer)))) == 6
    refused = 0
    for path, other in random.Random(1).sample([*itertools.product(paths_in(footer)[1:], ODD)], 500):
        try:
            data = opened(tmp_path, file_of(columns, thrift(changed(footer, path, other))), max_group_bytes=MIB)
            [data[k] for k in (0, len(data) - 1)]
        except (ConfigError, SourceDataError) as error:
            assert "hostile.parquet" in str(error)
            refused += 1
    assert refused > 200


def test_a_name_of_many_levels_is_opened_and_read_in_time(tmp_path):
    def make(levels):
        return written(pa.table({"a" + ".array" * levels + ".x": [1, 2, 3]}))

    def work(content):
        (name,) = opened(tmp_path, content)[0]
        assert opened(tmp_path, content, "a")._footers is not None and opened(tmp_path, content, name)[1] == {name: 2}

    assert_linear(make, work, 1000)


def test_parsers_take_time_that_grows_with_the_bytes():
    assert_linear(lambda n: thrift({1: [{1: b"x", 2: k} for k in range(n)]}), read_struct, 4000)
    page = thrift({1: 0, 2: 10, 3: 0, 5: {1: 1, 2: 0}})
    assert_linear(lambda n: page * n, lambda piece: size_of_column(piece, Leaf(0, False), 1), 4000)


def bombs():
    """Small files, whose row group takes 64 MiB or more if all its values are written out; and the last row's value, if it
    can be read nevertheless.
    """
    value, rows = b"x" * (MIB // 4), 256
    alike = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([value]))
    yield "dictionary", written(pa.table({"x": alike}), store_schema=True), value
    yield "no schema", written(pa.table({"x": alike})), value
    fields = pa.StructArray.from_arrays([alike, pa.array(range(rows))], names=["a", "b"])
    yield "struct", written(pa.table({"x": fields})), {"a": value, "b": rows - 1}
    longer = pa.array([value + b"%d" % k for k in range(rows)])
    beginnings = {"use_dictionary": False, "column_encoding": {"x": "DELTA_BYTE_ARRAY"}}
    yield "beginnings", written(pa.table({"x": longer}), **beginnings), None
    zeros = np.zeros(8 * MIB, np.int64)
    yield "zeros", written(pa.table({"x": zeros}), compression="zstd", row_group_size=len(zeros)), None
    yield "list", written(pa.table({"x": [zeros]}), compression="zstd"), None
    one_size = pa.array([value] * rows, pa.binary(len(value)))
    yield "one size", written(pa.table({"x": one_size}), compression="zstd"), None
    yield "lists of bytes", written(pa.table({"x": pa.ListArray.from_arrays([0, rows], alike)})), None


BOMBS = ["dictionary", "no schema", "struct", "beginnings", "zeros", "list", "one size", "lists of bytes"]


@pytest.fixture(scope="module")
def made():
    return {name: given for name, *given in bombs()}


@pytest.fixture
def memory():
    """Counts what Arrow allocates."""
    whole = pa.default_memory_pool()
    pa.set_memory_pool(counted := pa.proxy_memory_pool(whole))
    yield counted
    pa.set_memory_pool(whole)


@pytest.mark.parametrize("name", BOMBS)
def test_what_is_decoded_has_a_limit(made, memory, tmp_path, name):
    content, last = made[name]
    assert len(content) < MIB and [*made] == BOMBS
    data = opened(tmp_path, content, max_group_bytes=6 * MIB)
    if last is None:
        with pytest.raises(SourceDataError, match=r"hostile.parquet, row group 0: .*(max_group_bytes=|lists of)"):
            data[len(data) - 1]
    else:
        assert data[len(data) - 1] == {"x": last} and data[0]["x"] is not None
    assert memory.max_memory() < 4 * 6 * MIB


def test_without_a_limit_of_their_own_they_are_read(made, tmp_path):
    for name in ("dictionary", "beginnings", "one size"):
        assert len(opened(tmp_path, made[name][0])[255]["x"]) >= MIB // 4


def test_the_limit_can_be_set_and_by_default_grows_with_the_file(tmp_path, monkeypatch):
    from jaxdali._feed.source import parquet_groups

    content = written(pa.table({"x": np.arange(100_000), "y": np.zeros(100_000)}), use_dictionary=False)
    monkeypatch.setattr(parquet_groups, "MOST_BYTES", 1000)
    assert opened(tmp_path, content)[5] == {"x": 5, "y": 0}  # at most 8 times its bytes in the file
    with pytest.raises(
        SourceDataError, match=r"takes up to 9\d{5} bytes when it is decoded, more than 800000; .*max_group_by"
    ):
        opened(tmp_path, content, "x", max_group_bytes=800_000)[5]
    monkeypatch.setattr(parquet_groups, "STORED", 1)
    with pytest.raises(SourceDataError, match="write smaller row groups, read fewer columns="):
        opened(tmp_path, content)[5]
    for wrong in (0, -1, 1.5, "1 GiB"):
        with pytest.raises(ConfigError, match="max_group_bytes must be an integer, at least 1"):
            opened(tmp_path, content, max_group_bytes=wrong)


@pytest.mark.parametrize("rows", [1, 1 << 40])
@pytest.mark.parametrize("field", [2, 3, (5, 1)], ids=["unpacked", "packed", "values"])
def test_pages_that_say_that_they_are_large(tmp_path, field, rows):
    columns, footer = parts_of(written(pa.table({"x": [7]}), use_dictionary=False, compression="none"))
    page, end = read_struct(columns)
    path = field if isinstance(field, tuple) else (field,)
    page = thrift(changed(page, path, (1 << 31) - 1)) + columns[end:]
    meta = (4, 0, 1, 0, 3)
    for place, value in (((*meta, 7), len(page)), ((*meta, 6), len(page)), ((*meta, 5), rows), ((4, 0, 3), rows)):
        footer = changed(footer, place, value)
    with pytest.raises(SourceDataError, match=r"hostile.parquet, row group 0: "):
        opened(tmp_path, file_of(page, thrift(footer)))[0]


def test_a_dictionary_of_large_and_small_values_is_read_as_it_is_without_one(tmp_path):
    values = [b"x" * (k % 7 * 20_000) + b"%d" % k for k in range(200)]
    table = pa.table({"x": pa.array([values[k * k % 200] if k % 9 else None for k in range(900)]), "y": range(900)})
    content = written(table, dictionary_pagesize_limit=1 << 20, data_page_size=1 << 16)
    data = opened(tmp_path, content, max_group_bytes=100 * MIB)
    for k in range(900):
        assert data[k] == {"x": values[k * k % 200] if k % 9 else None, "y": k}


def test_dictionaries_of_several_chunks_keep_their_own_values():
    from jaxdali._feed.source.parquet_groups import _reader

    chunks = [pa.array(some).dictionary_encode() for some in (["a", "b", "a"], ["c"], ["a", None])]
    value = _reader(pa.chunked_array(chunks), "x")
    assert [value(k) for k in range(5)] == ["a", "b", "a", "c", "a"] and value(5) is None
    beyond = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(["a"]), safe=False)
    with pytest.raises(SourceDataError, match="column 'x' has a value that its dictionary of 1 lacks"):
        _reader(beyond, "x")


def test_sizes_are_those_of_the_pages():
    page = thrift({1: 0, 2: 100, 3: 3, 5: {1: 10, 2: 8}}) + bytes(3)
    entries = thrift({1: 2, 2: 40, 3: 0, 7: {1: 2, 2: 0}})
    assert size_of_column(entries + page * 2, Leaf(0, False), 20) == (20 * 8 + 240, 800, 40, True)
    assert size_of_column(entries + page * 2, Leaf(8, False), 20) == (20 * 8 + 100, 0, 0, False)
    beginnings = thrift({1: 3, 2: 100, 3: 0, 8: {1: 10, 2: 0, 3: 10, 4: 7}})
    assert size_of_column(beginnings, Leaf(0, False), 10) == (180, 1000, 100, False)
    assert size_of_column(page + b"padding", Leaf(4, True), 10) == (140, 0, 0, False)
    for wrong in (b"\x15", thrift({1: 0, 2: -1, 3: 0}), thrift({1: 0, 2: 1, 3: 0}), thrift({1: 0, 2: 1, 3: 0, 5: {}})):
        with pytest.raises(Wrong):
            size_of_column(page + wrong, Leaf(4, False), 20)


def test_a_file_that_was_replaced_is_an_error(tmp_path):
    data = opened(tmp_path, written(pa.table({"x": range(6)}), row_group_size=3))
    opened(tmp_path, written(pa.table({"x": range(4)}), row_group_size=4))
    with pytest.raises(
        SourceDataError, match=r"hostile.parquet, row group 1: the file has changed since it was opened"
    ):
        data[5]
    assert read_footer(str(tmp_path / "hostile.parquet")).rows.tolist() == [4]
