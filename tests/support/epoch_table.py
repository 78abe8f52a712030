"""The table of epochs recorded from DALI itself."""

from __future__ import annotations

import dataclasses
import json
import pathlib

LENGTH, SHARDS, BATCH = 13, 4, 2


@dataclasses.dataclass(frozen=True)
class Row:
    """One shard with one setting: the samples of each batch of three epochs, and `len` at the start of each."""

    stick: bool
    pad: bool
    policy: str
    shard: int
    epochs: tuple[tuple[tuple[int, ...], ...], ...]
    lengths: tuple[int, ...]

    def __str__(self) -> str:
        return f"stick={self.stick}-pad={self.pad}-{self.policy}-{self.shard}"


def _row(line: str) -> Row:
    setting, *epochs, lengths = (part.strip() for part in line.split(";"))
    stick, pad, policy, shard = setting.split()
    batches = [json.loads(f"[{epoch.replace('][', '],[')}]") for epoch in epochs]
    return Row(
        stick == "True",
        pad == "True",
        policy,
        int(shard),
        tuple(tuple(map(tuple, epoch)) for epoch in batches),
        tuple(map(int, lengths.split("/"))),
    )


def rows() -> list[Row]:
    lines = pathlib.Path(__file__).with_name("epochs_of_13.txt").read_text().splitlines()
    return [_row(line) for line in lines if not line.startswith("#")]
