"""ArrayRecord's own data source as a Loader's data: order, epochs, resume and errors, over several files."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import jaxdali
from jaxdali import SourceError, source

COUNTS = (7, 1, 12)


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Returns a source of the numbers from 0 on, in files whose groups differ in size."""
    pytest.importorskip("array_record", reason="array_record is not installed")
    from array_record.python.array_record_data_source import ArrayRecordDataSource
    from array_record.python.array_record_module import ArrayRecordWriter

    folder, number, paths = tmp_path_factory.mktemp("records"), 0, []
    for group, count in enumerate(COUNTS, 1):
        paths.append(str(folder / f"{group}.array_record"))
        writer = ArrayRecordWriter(paths[-1], f"group_size:{group}")
        for _ in range(count):
            writer.write(str(number).encode())
            number += 1
        writer.close()
    return ArrayRecordDataSource(paths)


def numbers(loader):
    with loader:
        return [np.asarray(batch["x"]).tolist() for batch in loader]


def loader_of(records, **given):
    data = source.map(records, lambda record: {"x": np.int32(record)})
    return jaxdali.Loader(data, batch_size=4, seed=3, epochs=2, **given)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("shuffle", [False, True])
def test_each_record_comes_once_an_epoch(records, workers, shuffle):
    found = numbers(loader_of(records, shuffle=shuffle, workers=workers))
    for epoch in (found[:5], found[5:]):
        flat = [one for batch in epoch for one in batch]
        assert sorted(flat) == list(range(20)) and (flat == sorted(flat)) != shuffle
    assert found == numbers(loader_of(records, shuffle=shuffle, workers=0))


@pytest.mark.parametrize("step", [1, 4, 7])
def test_a_loader_goes_on_at_any_step(records, step):
    whole = numbers(loader_of(records, shuffle=True, workers=1))
    loader = loader_of(records, shuffle=True, workers=1)
    loader.seek(step)
    assert numbers(loader) == whole[step:]


def test_records_are_those_that_were_written(records):
    copied = pickle.loads(pickle.dumps(records))
    assert [copied[k] for k in (0, 7, 19)] == [records[k] for k in (0, 7, 19)] == [b"0", b"7", b"19"]


def test_what_is_no_number_is_an_error_of_its_step(records):
    data = source.map(records, lambda record: {"x": np.int32(record if record != b"9" else b"nine")})
    with jaxdali.Loader(data, batch_size=4, epochs=1, workers=1) as loader:
        batches = iter(loader)
        assert [np.asarray(next(batches)["x"]).tolist() for _ in range(2)] == [[0, 1, 2, 3], [4, 5, 6, 7]]
        with pytest.raises(SourceError, match="nine"):
            next(batches)
