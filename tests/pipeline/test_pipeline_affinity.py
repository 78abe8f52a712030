"""`set_affinity`: threads and workers run where the masks say, and only as long as they should."""

import os

import affinity_programs
import pytest
from processes import run_program, run_several

from jaxdali import ConfigError, pipeline_def
from jaxdali._dali.planner.options import PipelineOptions
from jaxdali._run.executor.affinity import decode_affinity

CPUS = sorted(os.sched_getaffinity(0))
FIRST, LAST = CPUS[0], CPUS[-1]
NONE = CPUS[-1] + 1000  # no machine that runs the tests has this CPU


def test_decode_threads_are_on_the_cpus_of_the_mask_while_they_decode():
    cells = [
        # mask, num_threads, set_affinity, CPUs that are seen, warning
        (f"{FIRST},{LAST}", 2, True, [[FIRST], [LAST]], None),
        (f"{LAST}", 1, True, [[LAST]], None),
        (f"{LAST},{FIRST}", 1, True, [[LAST]], None),
        (f"{LAST}", 2, True, [[LAST]], "decode thread 1 not pinned, because DALI_AFFINITY_MASK has 1 of 2 entries"),
        (f"{NONE},{FIRST}", 2, True, [[FIRST]], f"decode thread 0 should run on CPU {NONE}, but this process has"),
        (f"{FIRST},{LAST}", 2, False, [], None),
        (None, 2, True, [], "decode thread 0, 1 not pinned, because DALI_AFFINITY_MASK is not set"),
    ]
    # If the process has only one CPU, all threads are on it anyway, and are not seen.
    cells = [(*cell[:3], [cpus for cpus in cell[3] if cpus != CPUS], cell[4]) for cell in cells]
    calls = [(*cell[:4], fused) for cell, fused in zip(cells, [True, False] * len(cells), strict=False)]
    for cell, found in zip(cells, run_several(affinity_programs.decode, calls), strict=True):
        assert found["seen"] == sorted([cpu] for cpu in {cpus[0] for cpus in cell[3]}), cell
        assert len(found["warnings"]) == (cell[4] is not None), (cell, found["warnings"])
        assert cell[4] is None or cell[4] in found["warnings"][0]


@pytest.mark.parametrize("start_method", ["fork", "spawn", "forkserver"])
def test_workers_are_on_the_cpus_of_their_mask_and_so_are_those_that_come_later(start_method):
    found = run_program(affinity_programs.workers, start_method, f"{LAST},{FIRST}", 3, True)
    assert found["before"] == found["after"] == [[[LAST]], [[FIRST]], [CPUS]]
    (warning,) = found["warnings"]
    assert "worker 2 not pinned, because JAXDALI_AFFINITY_MASK has 2 of 3 entries" in warning


def test_workers_without_a_mask_are_left_alone_without_a_word():
    calls = [("forkserver", mask, 1, asked) for mask, asked in ((f"{LAST}", False), (None, True))]
    for found in run_several(affinity_programs.workers, calls):
        assert found == {"before": [[CPUS]], "after": [[CPUS]], "warnings": []}


def test_a_mask_that_is_none_is_said_when_the_pipeline_starts(monkeypatch):
    monkeypatch.setenv("DALI_AFFINITY_MASK", "zero")
    with pytest.raises(ConfigError, match=r"DALI_AFFINITY_MASK must be comma-separated ids of CPUs.*'zero'"):
        decode_affinity(1, None)
    # The variable is read when it is needed, not when jaxdali is imported.
    monkeypatch.setenv("DALI_AFFINITY_MASK", str(LAST))
    assert decode_affinity(1, None) == ((LAST,),)
    monkeypatch.setenv("JAXDALI_AFFINITY_MASK", "one")

    @pipeline_def(batch_size=1, set_affinity=True, py_num_workers=1)
    def pipe():
        from jaxdali import fn

        return fn.external_source(lambda info: 0, batch=False, parallel=True)

    with pytest.raises(ConfigError, match="JAXDALI_AFFINITY_MASK must be comma-separated ids"):
        pipe().start_py_workers()


@pytest.mark.parametrize(("given", "expected"), [(None, False), (False, False), (True, True)])
def test_the_argument(given, expected):
    assert PipelineOptions.from_arguments({"batch_size": 1, "set_affinity": given}).set_affinity is expected
