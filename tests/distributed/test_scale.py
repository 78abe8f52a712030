"""What grows with processes, samples and shards: `benchmarks/scale.py` runs, and what was mended stays mended."""

import json
import pathlib
import sys

import pytest

from jaxdali._run.multihost.agreement import Joint

sys.path.append(str(pathlib.Path(__file__).parents[2] / "benchmarks"))
import scale
import scale_data
import scale_measure


def bytes_told(processes, facts):
    """Returns how many bytes each of so many processes is told when they make something, and what it learns of the facts."""
    fields = {f"field {number}": "x" * 200 for number in range(10)}

    def work(place, _):
        peers = Joint("thing").compare(fields, facts(place.process))
        return place.client.tally.total()[2] / processes, peers.facts

    found, _ = scale_measure.run(processes, work)
    assert all(one[1] == [facts(process) for process in range(processes)] for one in found)
    return sum(one[0] for one in found)


@pytest.mark.parametrize("differ", [False, True])
def test_what_processes_have_in_common_is_told_once(differ):
    def facts(process):
        return {"samples": process} if differ else None

    few, many = bytes_told(4, facts), bytes_told(32, facts)
    of_facts = sum(len(json.dumps(facts(process))) for process in range(32))
    assert many < 1.5 * few + 4 * of_facts, (few, many)


@pytest.mark.parametrize("kind", ["TFRecords", "WebDataset"])
def test_remote_indices_are_read_together(kind):
    assert scale_data.starting(kind, 630, 63)["reads_at_once"] == 32  # 1, 2, 4 and so on, and what is left
