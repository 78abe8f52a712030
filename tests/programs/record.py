"""Runs the programs with NVIDIA's DALI, and records what they did: `python tests/programs/record.py`."""

from __future__ import annotations

import json
import pathlib
import sys


def main() -> None:
    here = pathlib.Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent / "support")]
    from facts import RECORD, facts_with
    from running import PROGRAMS

    found = {name: facts_with(name, "nvidia.dali") for name in PROGRAMS}
    lines = {name: ",\n  ".join(map(json.dumps, items)) for name, items in found.items()}
    RECORD.write_text("{\n" + ",\n".join(f' "{name}": [\n  {text}\n ]' for name, text in lines.items()) + "\n}\n")


if __name__ == "__main__":
    main()
