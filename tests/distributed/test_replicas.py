"""Where devices hold the same rows, each process reads a row once, and decodes it once for all its devices."""

import pytest
import replica_programs
from processes import run_program
from test_distributed import run_together
from tiers import gate

BATCH, SAMPLES = replica_programs.BATCH, replica_programs.BATCH * replica_programs.STEPS


def assert_once(found, rows, replicas):
    """Checks that exactly these rows of every batch were read and decoded once, and lie on `replicas` devices."""
    samples = [first + row for first in range(0, SAMPLES, BATCH) for row in rows]
    for counts in (found["Loader"], found["iterator"]):
        assert counts["held"] == [[sample, replicas] for sample in samples]
        assert counts["read"] == counts["decoded"] == [[sample, 1] for sample in samples]


def test_replicas_of_one_process_share_what_was_read_and_decoded():
    assert_once(run_program(replica_programs.count_alone, 8, 4), range(BATCH), 4)


@pytest.mark.parametrize("replicas", gate([2, 4], [4]))
def test_replicas_of_two_processes_share_what_each_has_read_and_decoded(replicas):
    """With replicas=2 the replicas are in one process; with 4 both processes hold all rows."""
    first, second = run_together(replica_programs.count_together, 2, replicas)
    assert_once(first, range(BATCH // 2) if replicas == 2 else range(BATCH), 2)
    assert_once(second, range(BATCH // 2, BATCH) if replicas == 2 else range(BATCH), 2)
