"""Requests for unavailable memory are refused, because the kernel would kill processes instead."""

from __future__ import annotations

import os

import numpy as np
import pytest
from ring_programs import make_ring

from jaxdali import errors
from jaxdali._feed import _host
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.feed_options import FeedOptions
from jaxdali._feed.ring.feed_options import make_ring as make_ring_of_feed
from jaxdali._feed.ring.inline import InlineProducer
from jaxdali._feed.source.source_kinds import CallableSource

MIB, GIB = 1 << 20, 1 << 30
UNLIMITED = 9223372036854771712


class System:
    """Fakes the files of /proc and of cgroups, in a folder."""

    def __init__(self, root):
        self.root = root
        self.write(
            "proc/meminfo", f"MemTotal: 99 kB\nMemAvailable: {10 * GIB // 1024} kB\nSwapFree: {GIB // 1024} kB\n"
        )

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def first(self, path: str, mounted: str = "/") -> None:
        """Puts the process in a cgroup of version 1."""
        self.write("proc/self/cgroup", f"5:cpu:/\n4:cpuset,memory:{path}\n0::/elsewhere\n")
        options = "rw - cgroup cgroup rw,cpuset,memory"
        self.write(
            "proc/self/mountinfo", f"30 20 0:9 / /proc rw - proc proc rw\n31 20 0:8 {mounted} /cg rw,{options}\n"
        )

    def second(self, path: str, point: str = "/cg") -> None:
        """Puts the process in a cgroup of version 2."""
        self.write("proc/self/cgroup", f"0::{path}\n")
        self.write("proc/self/mountinfo", f"31 20 0:8 / {point} rw shared:3 master:1 - cgroup2 none rw,nsdelegate\n")

    def group(self, folder: str, **files) -> None:
        for name, value in files.items():
            self.write(f"cg{folder}/memory.{name.replace('__', '.')}", f"{value}\n")

    @property
    def available(self) -> tuple[int, str]:
        size, where = _host.available_memory(str(self.root))
        return size, where.replace(str(self.root), "")


@pytest.fixture
def system(tmp_path):
    return System(tmp_path)


def test_of_the_machine_with_its_swap(system):
    assert system.available == (11 * GIB, "this machine")


def test_nobody_says(tmp_path):
    assert _host.available_memory(str(tmp_path))[0] == 2**64 - 1


def test_the_tightest_of_the_cgroups_above_version_1(system):
    system.first("/a/b")
    system.group("", limit_in_bytes=UNLIMITED, usage_in_bytes=GIB)
    system.group("/a", limit_in_bytes=4 * GIB, usage_in_bytes=3 * GIB, stat="total_inactive_file 0")
    system.group("/a/b", limit_in_bytes=8 * GIB, usage_in_bytes=GIB)
    assert system.available == (2 * GIB, "the memory cgroup /cg/a")  # one GiB of it is swap
    system.group("/a", stat=f"cache 5\ntotal_inactive_file {GIB}\ntotal_active_file {GIB // 2}")
    assert system.available == (3 * GIB + GIB // 2, "the memory cgroup /cg/a")
    system.group("/a/b", memsw__limit_in_bytes=2 * GIB, memsw__usage_in_bytes=GIB + 5)
    assert system.available == (GIB - 5, "the memory cgroup /cg/a/b")


def test_the_tightest_of_the_cgroups_above_version_2(system):
    system.second("/a/b")
    system.group("/a", max="max", current=GIB)
    system.group("/a/b", max=4 * GIB, current=3 * GIB, stat=f"file 9\ninactive_file {MIB}\nactive_file {MIB}")
    system.group("/a/b", **{"swap__max": 0, "swap__current": 0})
    assert system.available == (GIB + 2 * MIB, "the memory cgroup /cg/a/b")
    system.group("/a", max=2 * GIB)
    system.group("/a", **{"swap__max": MIB, "swap__current": MIB})
    assert system.available == (GIB, "the memory cgroup /cg/a")
    system.group("/a", current=5 * GIB)
    assert system.available == (0, "the memory cgroup /cg/a")


def test_a_container_sees_a_part_of_the_hierarchy(system):
    system.first("/docker/abc", mounted="/docker/abc")
    system.group("", limit_in_bytes=2 * GIB, usage_in_bytes=2 * GIB)
    assert system.available == (GIB, "the memory cgroup /cg")
    system.first("/docker/abcd", mounted="/docker/abc")  # belongs to another container
    assert system.available == (GIB, "the memory cgroup /cg")


def test_a_mount_point_with_a_space(system):
    system.second("/", point=r"/c\040g")
    system.write("c g/memory.max", str(GIB))
    system.write("c g/memory.current", "7")
    system.write("c g/memory.swap.max", "0")
    assert system.available == (GIB - 7, "the memory cgroup /c g")


# WHAT IS REFUSED


def available() -> int:
    return _host.available_memory()[0]


def test_a_sample_that_does_not_fit_memory_is_refused_and_nothing_is_allocated():
    ring = make_ring(slots=1, chunks=1, stride=1 << 45)
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, 4, [(False, None)])
    sample = np.broadcast_to(np.uint8(1), 2 * available())
    with pytest.raises(_host.ShortOfMemory, match=r"bytes of shared memory are needed, but .* has \d+ left; lower"):
        ring.write(slot, 0, 0, (sample,))
    assert os.fstat(ring.data_fd).st_blocks * 512 <= 2 * MIB and ring.allocated == [MIB]


@pytest.mark.parametrize("batch_size", [2**31 - 2, 2**31, 2**40], ids=str)
def test_a_batch_size_whose_control_block_does_not_fit_is_an_argument_to_mend(batch_size):
    options = FeedOptions(batch_size=batch_size, ahead=1, max_leased=1, chunks=1)
    with pytest.raises(errors.ConfigError, match=f"batches of {batch_size} samples"):
        make_ring_of_feed(options, 1, None)


@pytest.mark.parametrize("hint", [1 << 40, 1 << 61])
def test_a_hint_beyond_memory_is_an_argument_to_mend(hint):
    options = FeedOptions(batch_size=4, ahead=1, max_leased=1, chunks=1, sample_bytes=hint)
    with pytest.raises(errors.ConfigError, match=f"{hint} bytes each"):
        make_ring_of_feed(options, 1, None)


def test_one_large_sample_is_allocated_once():
    """All slots have the capacity, but only the one that needs the memory gets it."""
    large = 40 * MIB
    feed = Feed(
        CallableSource(lambda info: np.zeros(large if info.idx_in_epoch == 3 else 10, np.uint8), None),
        [Column(name="x")],
        FeedOptions(batch_size=2, ahead=1, max_leased=3, chunks=1),
    )
    feed.producer = InlineProducer(feed.served)
    kept = []
    for iteration in range(4):
        assert feed.publish(0, iteration)
        kept.append(feed.take(0, iteration))
    assert [batch.columns[0].lease.capacity for batch in kept] == [MIB] + [64 * MIB] * 3
    assert [batch.columns[0].at(1).size for batch in kept] == [10, large, 10, 10]
    assert sorted(feed.ring.allocated) == [MIB, MIB, MIB, 64 * MIB]
    assert os.fstat(feed.ring.data_fd).st_blocks * 512 == 67 * MIB
    feed.close()
