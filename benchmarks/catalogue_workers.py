"""Runs several processes of `catalogue_measure.py`, each of which answers one question at a time."""

from __future__ import annotations

import dataclasses
import pathlib
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from catalogue_task import Question, Task
from standing import Standing, StandingError

__all__ = ["answers"]

PROGRAM = str(pathlib.Path(__file__).with_name("catalogue_measure.py"))


class _Worker:
    """A process, which is replaced if it dies or takes too long."""

    def __init__(self, task: Task, environment: Mapping[str, str]):
        self._task, self._environment = task, environment
        self._process: Standing | None = None

    def answer(self, question: Question, timeout_s: float) -> dict[str, Any]:
        """Asks the process, and returns its answer.

        Raises:
            StandingError: there is no answer.
        """
        process, self._process = self._process or Standing([PROGRAM, self._task.to_text()], self._environment), None
        process.ask(question.to_text())
        found = process.answer(timeout_s)
        self._process = process
        return found

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


def answers(
    task: Task,
    questions: Sequence[Question],
    processes: int,
    environment: Mapping[str, str],
    begin_until: float,
    end_until: float,
    longest_s: float,
) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Yields each question with its answer, as they come. A question that ends its process, or takes too long, only
    loses its own answer; on a GPU it is asked once more, without DALI.

    Args:
        environment: variables of the processes, in addition to those of this one.
        begin_until, end_until: when to stop asking questions, and waiting for answers, in `time.monotonic`'s time.
        longest_s: the most that an answer may take.
    """
    waiting: queue.SimpleQueue[Question] = queue.SimpleQueue()
    for question in questions:
        waiting.put(question)
    found: queue.SimpleQueue[tuple[Question, dict[str, Any]] | None] = queue.SimpleQueue()

    def time_for(worker: _Worker, question: Question) -> dict[str, Any]:
        return worker.answer(question, min(longest_s, end_until - time.monotonic()))

    def asked(worker: _Worker, question: Question) -> dict[str, Any]:
        try:
            return time_for(worker, question)
        except StandingError as error:
            reason = _reason(error)
        if task.device == "cpu" or time.monotonic() > end_until:
            return question.failed(reason)
        try:
            answer = time_for(worker, dataclasses.replace(question, alone=True))
        except StandingError:
            return question.failed(reason)  # the first error says more
        for size in question.sizes:
            answer[size]["DALI failed"] = reason
        return answer

    def work() -> None:
        worker = _Worker(task, environment)
        try:
            while time.monotonic() < begin_until:
                question = waiting.get_nowait()
                found.put((question, asked(worker, question)))
        except queue.Empty:
            pass
        finally:
            found.put(None)
            worker.close()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(max(1, min(processes, len(questions))))]
    for thread in threads:
        thread.start()
    running = len(threads)
    while running:
        one = found.get()
        if one is None:
            running -= 1
        else:
            yield one
    for thread in threads:
        thread.join()


def _reason(error: StandingError) -> str:
    """How the process failed, and the last lines that it wrote."""
    first, _, rest = str(error).partition("\n")
    lines = [line.strip() for line in rest.splitlines() if line.strip()]
    return " ".join([f"the process failed: {first};", *lines[-4:]])[:400]
