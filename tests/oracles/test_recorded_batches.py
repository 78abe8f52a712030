"""Today's batches are the recorded ones: order, draws, pixels and arithmetic must only change on purpose.

`python tests/oracles/test_recorded_batches.py` writes the record anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import sys

import numpy as np
import pytest
from optimizations import optimizations

RECORD = pathlib.Path(__file__).with_name("recorded_batches.json")


def digest(batches) -> str:
    """Returns a hash of names, types, shapes and bits, batch by batch."""
    found = hashlib.sha256()
    for batch in batches:
        for name, leaf in sorted(batch.items()):
            array = np.ascontiguousarray(leaf)
            found.update(repr((name, str(array.dtype), array.shape)).encode() + array.tobytes())
        found.update(b"|")
    return found.hexdigest()[:16]


def recorded() -> dict[str, str]:
    return json.loads(RECORD.read_text())


# The last bit of random values depends on XLA's optimizations, which `make test` turns off.
_compiled_as_users_have_them = optimizations(True)


@pytest.mark.parametrize("name", list(recorded()) if RECORD.exists() else [])
def test_the_batches_are_those_that_were_recorded(name):
    from recorded_programs import DEVICES, ON_MANY, ON_ONE

    if name in ON_ONE:
        assert digest(ON_ONE[name]()) == recorded()[name]
    else:
        for count in DEVICES:
            assert digest(ON_MANY[name](count)) == recorded()[name], f"on {count} devices"


def test_every_case_is_recorded():
    from recorded_programs import ON_MANY, ON_ONE

    assert sorted(recorded()) == sorted([*ON_ONE, *ON_MANY])
    assert len(set(recorded().values())) == len(recorded()) >= 30


def main() -> None:
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    here = pathlib.Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent / "support")]
    from recorded_programs import ON_MANY, ON_ONE

    found = {name: digest(case()) for name, case in ON_ONE.items()}
    found |= {name: digest(case(1)) for name, case in ON_MANY.items()}
    RECORD.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
