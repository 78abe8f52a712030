"""The layouts of DALI's outputs are the recorded ones, and what is computed of inputs of any layout is DALI's.

`python tests/oracles/test_layouts_beside_dali.py` records them.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

import numpy as np
import pytest

if __name__ == "__main__":
    sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "support")]

from beside_dali import load, pipeline
from layout_calls import CALLS, DRAWN, INPUTS, RECORD, REFUSED, calls_for, recorded, sample

pytestmark = pytest.mark.dali


def run(system: str, name: str, calls: list[str]) -> list[tuple[str, str, np.ndarray]]:
    """Returns layout, type and value of what each of the calls makes of an input."""
    dali = load(system)
    shape, layout = INPUTS[name]
    one = sample(shape)
    pipe = pipeline(dali, batch_size=1, prefetch_queue_depth=1)
    with pipe:
        node = dali.fn.external_source(lambda: [one], layout=layout or None)
        pipe.set_outputs(*(CALLS[call](dali.fn, dali.types, node) for call in calls))
    pipe.build()
    return [(out.layout(), out.dtype.name, np.array(out.at(0))) for out in pipe.run()]


def theirs(name: str) -> dict[str, tuple[str, str, np.ndarray]]:
    """Returns what DALI makes of an input, for the calls that it does not refuse."""
    found = {}
    for call in calls_for(name):
        try:
            (found[call],) = run("nvidia.dali", name, [call])
        except (RuntimeError, TypeError, ValueError):
            continue
    return found


@pytest.mark.parametrize("name", INPUTS)
def test_dalis_layouts_are_the_recorded_ones(name):
    assert {call: layout for call, (layout, _, _) in theirs(name).items()} == recorded()[name]


@pytest.mark.parametrize("name", ["H W C without", "H W without", "F H W C without", "CHW"])
def test_what_is_computed_is_dalis(name):
    answered = theirs(name)
    calls = [call for call in answered if name not in REFUSED.get(call, ())]
    for call, (layout, dtype, value) in zip(calls, run("jaxdali", name, calls), strict=True):
        assert (layout, dtype, value.shape) == (*answered[call][:2], answered[call][2].shape), call
        if call.split(".")[0].split()[0] in DRAWN or not _is_defined(call, name):
            continue
        ours, other = np.asarray(value, np.float64), np.asarray(answered[call][2], np.float64)
        np.testing.assert_allclose(ours, other, rtol=1e-4, atol=1 if dtype == "UINT8" else 1e-4, err_msg=call)


def _is_defined(call: str, name: str) -> bool:
    """Whether DALI's values are the same in each run: fn.grid_mask reads other memory unless there are three axes."""
    return call != "grid_mask" or len(INPUTS[name][0]) == 3


def main() -> None:
    found: dict[str, Any] = {name: {call: one[0] for call, one in theirs(name).items()} for name in INPUTS}
    RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
