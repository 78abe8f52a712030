"""The switch of mutations, which mutated files of the package ask. It is copied beside the package.

JAXDALI_MUTATION is the number of the mutation that is in effect. If JAXDALI_REACHED is a file, each mutation that is
asked about is noted there, with the test that runs. A worker process may know an older test from its start: both are
noted.
"""

from __future__ import annotations

import os

_CHOSEN = int(os.environ.get("JAXDALI_MUTATION", "0"))
_NOTES = os.environ.get("JAXDALI_REACHED")
_AT_START = os.environ.get("PYTEST_CURRENT_TEST", "")
_noted: set[tuple[int, str]] = set()


def on(number: int) -> bool:
    if _NOTES is not None:
        _note(_NOTES, number)
    return number == _CHOSEN


def _note(notes: str, number: int) -> None:
    for test in (_AT_START, os.environ.get("PYTEST_CURRENT_TEST", "")):
        if test and (number, test) not in _noted:
            _noted.add((number, test))
            with open(notes, "a") as file:  # a line is one write, so processes do not mix theirs
                file.write(f"{number}\t{test}\n")
