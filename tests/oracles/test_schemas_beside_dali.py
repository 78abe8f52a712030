"""The record of DALI's operators that tests/operators/test_schemas.py reads is that of the installed DALI."""

from __future__ import annotations

import pytest
from schemas import installed, recorded

pytestmark = pytest.mark.dali


def test_the_record_is_that_of_the_installed_dali():
    theirs, record = installed(), recorded()
    assert theirs.keys() == record.keys()
    for name, schema in theirs.items():
        assert schema == record[name], f"{name}: python tests/support/schemas.py"
