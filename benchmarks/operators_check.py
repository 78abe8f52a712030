"""Checks that both systems make the same of the same files: `operators_check.py PIPELINE SOURCE FOLDER TASK`.

TASK is JSON: fields of `Task`. Nothing is random: images are flipped, contrast is 1.7, random windows are whole images.
(By chance, about one window in a thousand is a pixel smaller, but not in both systems; one per batch is tolerated.)
Prints JSON: `refused`, the reason why jaxdali does not accept the pipeline; or how far values are apart.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
from operators_measure import open_stream
from photographs import file_names
from pipelines import DEFINITIONS, Definition, Task
from processes import descendants, end

# This fraction of the values may be off by one of the file's 256 levels (1.7 with contrast). No value may be off by
# more than FARTHEST.
OFF_SHARE, FARTHEST = 0.01, 2.01
# On a GPU, where DALI decodes with nvJPEG, many levels are off by one, and some by two or three.
OFF_SHARE_GPU, FARTHEST_GPU = 0.2, 6.01
# Mean difference of an image above which its window must be a different one.
CHANCE = 0.05


def _compare(definition: Definition, ours: list[Any], theirs: list[Any], device: str) -> dict[str, float]:
    """Differences in levels. Ends the process if shapes, dtypes or labels differ, or values differ too much."""
    if not np.array_equal(np.ravel(ours[-1]), np.ravel(theirs[-1])):
        raise SystemExit(
            f"labels are {np.ravel(ours[-1])[:4]}... with jaxdali, {np.ravel(theirs[-1])[:4]}... with DALI"
        )
    level = 1.7 if definition.contrast else 1.0
    scale = np.array(definition.moments()[1], np.float32)[:, None, None] / level
    apart = []
    for mine, other in zip(ours[:-1], theirs[:-1], strict=True):
        if mine.shape != other.shape or mine.dtype != other.dtype:
            raise SystemExit(f"{mine.dtype}{mine.shape} with jaxdali, {other.dtype}{other.shape} with DALI")
        apart.append(np.abs(mine - other) * scale)
    all_ = np.concatenate(apart)
    chance = all_.mean((1, 2, 3)) > CHANCE
    if chance.sum() == 1:
        all_ = all_[~chance]
    found = {"off": float((all_ > 0.5).mean()), "largest": float(all_.max())}
    share, farthest = (OFF_SHARE_GPU, FARTHEST_GPU) if device == "gpu" else (OFF_SHARE, FARTHEST)
    if not (found["off"] <= share and found["largest"] <= farthest):
        raise SystemExit(f"values are too far from DALI's: {found}")
    return found


def main() -> None:
    name, source, folder, options = sys.argv[1:]
    definition = DEFINITIONS[name]
    task = Task(file_names(folder), source, fixed=True, **json.loads(options))
    from jaxdali.errors import ConfigError

    try:
        ours = [np.asarray(array) for array in next(open_stream("jaxdali", definition, task))]
    except (ConfigError, AttributeError) as error:  # a missing operator or argument
        answer: dict[str, Any] = {"refused": str(error).splitlines()[0]}
    else:
        theirs = [np.asarray(array) for array in next(open_stream("DALI", definition, task))]
        answer = _compare(definition, ours, theirs, task.device)
    print(json.dumps(answer), flush=True)
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
