"""What grows with processes, samples and shards: `benchmarks/scale.py` runs, and what was mended stays mended."""

import importlib.util
import json
import pathlib
import pickle
import sys

import pytest

from jaxdali._dali.readers.listing import LabelledFiles
from jaxdali._feed.source.packed_paths import PackedPaths
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


def labelled(classes, images):
    names = [f"simulated://bucket/class{k}/image_{n:09}.jpg" for k in range(classes) for n in range(images)]
    return LabelledFiles(names, range(len(names)))


@pytest.mark.parametrize("make", [scale_data.KINDS["ImageFolder"], labelled])
def test_workers_share_the_names_of_files(make):
    """What they share does not stay in the pickle stream, from 1 MiB on."""
    shared = []
    data = make(10, 14_000)
    text = pickle.dumps(data, protocol=5, buffer_callback=lambda one: one.raw().nbytes < 1 << 20 or shared.append(one))
    assert len(text) < 5 * len(data)  # labels of four bytes
    names = [data.source_info(index) for index in (0, 77_777, -1)]
    copy = pickle.loads(text, buffers=shared)
    assert [copy.source_info(index) for index in (0, 77_777, -1)] == names


def test_packed_paths_are_a_list():
    paths = ["a", "", "b/\udcff", "é"]
    packed = PackedPaths(iter(paths))
    assert packed == paths and [*packed] == paths and packed[1:] == paths[1:] and packed[-1] == "é"
    assert packed != [*paths, ""] and packed != "abc" and packed.index("é") == 3 and "b" not in packed
    assert repr(packed) == "['a', '', 'b/\\udcff', and 1 more]" and repr(PackedPaths([])) == "[]"
    with pytest.raises(IndexError):
        packed[4]
    with pytest.raises(IndexError):
        PackedPaths([])[0]


def test_the_program_runs(tmp_path, capsys):
    """It checks samples and states itself. What is known of samples does not cost more for more of them."""
    numbers, plot = tmp_path / "scale.json", tmp_path / "scale.svg"
    drawn = ["--plot", str(plot)] if importlib.util.find_spec("matplotlib") else []
    for parts in (["processes", "lengths"], ["store", *scale.SAMPLES]):
        scale.main(["--quick", "--json", str(numbers), *drawn, "--parts", *parts])
    told = capsys.readouterr().out
    assert "| 4 | yes |" in told and "1,000 processes, 10^9 samples in 10^5 shards, on paper" in told
    assert not drawn or plot.read_text().startswith("<?xml")
    results = json.loads(numbers.read_text())["results"]
    assert results["processes"]["4 agree"]["checked_steps"] == results["processes"]["4 apart"]["checked_steps"] == 13
    assert all(row["state_bytes"] < 400 for row in results["processes"].values())
    few, many = results["lengths"].values()
    assert many["kept"] < 2 * few["kept"]
