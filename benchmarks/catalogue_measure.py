"""A process of `catalogue.py`: `catalogue_measure.py TASK` answers each line that it reads, a question, with JSON.

An answer says how long the use took with inputs of each size, or how it failed. The process ends with its input.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from catalogue_cases import cases_on
from catalogue_cpu import answer_on_cpu
from catalogue_gpu import answer_on_gpu, device_name
from catalogue_task import Question, Task


def answer(question: Question, task: Task) -> dict[str, Any]:
    """The answer for one use: its text, and the results for each size."""
    case = cases_on(task.device)[question.name][question.use]
    found: dict[str, Any] = {"text": case.text}
    for size in question.sizes:
        if task.device == "cpu":
            found[size] = answer_on_cpu(case, size, task)
        else:
            found[size] = answer_on_gpu(question.name, case, size, task, question.alone)
    return found


def main() -> None:
    # Redirects what libraries print, because this process's output must be lines of JSON.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    task = Task.from_text(sys.argv[1])
    for line in sys.stdin:
        found = answer(Question.from_text(line), task)
        if task.device != "cpu":
            found["device"] = device_name()
        print(json.dumps(found), file=answers)
    os._exit(0)  # threads of both systems may still be waiting


if __name__ == "__main__":
    main()
