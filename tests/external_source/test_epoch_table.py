"""What comes at the end of the data, and after a reset, by DALI's table; the same however a source is run."""

from __future__ import annotations

import epoch_tables
from epoch_tables import RUNS
from processes import run_program
from tiers import start_methods

# 14 runs; S: StopIteration, R: a reset, after every second S in a row.
FOR_EVER = "0 1 2 S S R S S R S S R S S R S S R S"
REPEATED = "0 1 2 0 1 2 0 1 2 0 1 2 0 1"
ANEW = "0 1 2 S S R 0 1 2 S S R 0 1 2 S"

TABLE = [
    ("iterable", None, FOR_EVER),
    ("iterable", "quiet", REPEATED),
    ("iterable", "raise", ANEW),
    ("generator function", None, FOR_EVER),
    ("generator function", "quiet", REPEATED),
    ("generator function", "raise", ANEW),
    ("callable of samples", None, ANEW),
    ("callable of batches", None, ANEW),
]
# Other names of the same cycles, other forms of the same kinds, and sources that cannot begin again.
MORE = [
    *(("iterable", cycle, FOR_EVER) for cycle in (False, "no")),
    ("iterable", True, REPEATED),
    *(
        (name, cycle, expected)
        for name in ("list", "object with a generator function", "partial of a generator function")
        for cycle, expected in ((None, FOR_EVER), ("quiet", REPEATED), ("raise", ANEW))
    ),
    *((name, cycle, FOR_EVER) for name in ("iterator", "iterable once") for cycle in (None, "quiet", "raise")),
]


def spelled(seen) -> str:
    assert sum(entry != "reset" for entry in seen) == RUNS
    return " ".join({"stop": "S", "reset": "R"}.get(entry, str(entry)) for entry in seen)


def check(start_method, table, depths):
    rows = [(name, cycle, ahead) for name, cycle, _ in table for ahead in depths]
    expected = [sequence for *_, sequence in table for _ in depths]
    results = run_program(epoch_tables.table, start_method, rows)
    for row, seen, wanted in zip(rows, results, expected, strict=True):
        assert spelled(seen) == wanted, row


@start_methods("fork")
def test_the_table_with_workers(start_method):
    check(start_method, TABLE, (1, 3))


def test_the_table_without_workers():
    check(None, TABLE + MORE, (None,))


def test_other_forms_with_a_worker():
    check("fork", MORE, (1, 3))
