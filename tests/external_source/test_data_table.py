"""What a source may return and what is refused, by DALI's rules; the same with workers and without."""

from __future__ import annotations

import data_programs
import numpy as np
import pytest
from data_programs import BATCHES, SAMPLES
from processes import run_program

WAYS = pytest.mark.parametrize("start_method", [None, "fork"])


def check(outcome, expected, place):
    if isinstance(expected, str):
        assert isinstance(outcome, dict) and "SourceDataError" in outcome["types"], outcome
        assert {"RuntimeError", "TypeError"} <= set(outcome["types"])
        assert expected in outcome["text"]
        assert (outcome["output"], outcome["iteration"], outcome["epoch"]) == ("__ExternalSource_0", 0, 0)
        assert (outcome["worker_id"], outcome["pid"] is None) == place
        return
    assert isinstance(outcome, list), outcome
    ((*rows,),) = outcome
    assert len(rows) == len(expected)
    for (dtype, shape, contents), sample in zip(rows, expected, strict=True):
        assert (dtype, tuple(shape)) == (str(sample.dtype), sample.shape)
        assert contents == sample.tolist()


def check_table(name, table, start_method, repeated):
    place = (None, True) if start_method is None else (0, False)
    outcomes = run_program(data_programs.table, start_method, name)
    for (row, (_, expected)), outcome in zip(table.items(), outcomes, strict=True):
        wanted = expected if isinstance(expected, str) or not repeated else [np.asarray(expected)] * 2
        try:
            check(outcome, wanted, place)
        except Exception as error:
            raise AssertionError(f"{name}: {row}") from error


@WAYS
def test_batches(start_method):
    check_table("BATCHES", BATCHES, start_method, repeated=False)


@WAYS
def test_samples(start_method):
    check_table("SAMPLES", SAMPLES, start_method, repeated=True)
