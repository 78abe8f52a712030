"""Parquet files read by pyarrow as a Loader's data: a table in memory, and a stream of row groups, also in shards."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import jaxdali
from jaxdali import source

ROWS, GROUP = 23, 5


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = str(tmp_path_factory.mktemp("parquet") / "a.parquet")
    table = pa.table(
        {"x": np.arange(ROWS), "y": np.arange(ROWS, dtype=np.float32) / 2, "name": [f"n{k}" for k in range(ROWS)]}
    )
    pq.write_table(table, path, row_group_size=GROUP)
    return path


def groups(path):
    """Returns the row groups, as batches of arrays."""
    return groups_of_shard(path, 0, 1)


def groups_of_shard(path, shard_id, num_shards):
    """Yields every `num_shards`-th row group."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    for group in range(shard_id, file.num_row_groups, num_shards):
        table = file.read_row_group(group, columns=["x", "y"])
        yield {name: table[name].to_numpy() for name in table.column_names}


def rows_of(loader, begin=0):
    loader.seek(begin)
    with loader:
        return [tuple(np.asarray(batch[name]).tolist() for name in ("x", "y")) for batch in loader]


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_table_in_memory(parquet, shuffle):
    import pyarrow.parquet as pq

    table = pq.read_table(parquet, columns=["x", "y"])
    data = source.Arrays(**{name: table[name].to_numpy() for name in table.column_names})
    given = {"batch_size": 4, "shuffle": shuffle, "seed": 1, "epochs": 1, "last_batch": "drop"}
    found = rows_of(jaxdali.Loader(data, **given))
    flat = [x for xs, _ in found for x in xs]
    assert len({*flat}) == 20 and (flat == list(range(20))) != shuffle
    assert all(ys == [x / 2 for x in xs] for xs, ys in found)
    assert rows_of(jaxdali.Loader(data, **given), 3) == found[3:]


def test_a_stream_of_row_groups_goes_on_at_any_step(parquet):
    def loader():
        stream = source.Iterable(functools.partial(groups, parquet), batched=True)
        return jaxdali.Loader(stream, batch_size=4, epochs=1, workers=1, last_batch="drop")

    found = rows_of(loader())
    assert found == [(list(range(k, k + 4)), [x / 2 for x in range(k, k + 4)]) for k in range(0, 20, 4)]
    for step in (1, 4):
        assert rows_of(loader(), step) == found[step:]


def test_shards_of_row_groups_give_each_row_once(parquet):
    stream = source.Iterable(functools.partial(groups_of_shard, parquet), batched=True, shards=2, length=ROWS)
    found = rows_of(jaxdali.Loader(stream, batch_size=4, epochs=1, workers=1, last_batch="drop"))
    flat = [x for xs, _ in found for x in xs]
    assert len(flat) == len({*flat}) == 20 and all(ys == [x / 2 for x in xs] for xs, ys in found)


def test_a_file_that_is_cut_off_is_pyarrows_error_where_the_loader_is_made(parquet, tmp_path):
    import pyarrow as pa

    with open(parquet, "rb") as file:
        (tmp_path / "cut.parquet").write_bytes(file.read()[:-30])
    stream = source.Iterable(functools.partial(groups, str(tmp_path / "cut.parquet")), batched=True)
    with pytest.raises(pa.ArrowInvalid, match="magic bytes not found in footer"):
        jaxdali.Loader(stream, batch_size=4, epochs=1, workers=1)
