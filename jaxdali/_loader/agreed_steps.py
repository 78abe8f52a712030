"""Steps that are handed out only when they have succeeded in all processes. This file loads jax."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jaxdali._base.interruptions import is_interruption
from jaxdali._run.executor.host_stage import HostStage
from jaxdali._run.executor.step import Step
from jaxdali._run.multihost.step_outcomes import StepOutcomes

__all__ = ["AgreedHost", "AgreedStage"]

Explain = Callable[[BaseException, int], None]


class AgreedHost(HostStage):
    """Tells the other processes of what its sources raise.

    Args:
        outcomes: of all processes.
        explain: adds notes to the error of a step.
        check: raises if the data are not what they were.
        arguments: those of `HostStage`.
    """

    def __init__(self, outcomes: StepOutcomes, explain: Explain, check: Callable[[], None], *arguments: Any):
        super().__init__(*arguments)
        self._outcomes = outcomes
        self._check_data = check
        self._explain = explain

    def take(self) -> Step:
        try:
            self._check_data()
            return super().take()
        except StopIteration:
            raise
        except Exception as error:
            if not is_interruption(error):
                raised, step = error, self._taken
                self._explain(raised, step)
                self._outcomes.submit(step, lambda: raised, is_final=True)
            raise


class AgreedStage:
    """A device stage whose steps wait for the outcomes of the other processes, which it begins to exchange as soon as
    a step is dispatched.

    Args:
        stage: the device's part.
        outcomes: of all processes.
        explain: adds notes to the error of a step.
        look: that of `StepOutcomes.wait`.
        steps_per_epoch: by which steps are counted.
    """

    def __init__(
        self, stage: Any, outcomes: StepOutcomes, explain: Explain, look: Callable[[], None], steps_per_epoch: int
    ):
        self._stage = stage
        self._look = look
        self._outcomes = outcomes
        self._explain = explain
        self._steps_per_epoch = steps_per_epoch

    @property
    def engine_counts(self) -> dict[str, int] | None:
        """As for a device stage."""
        return self._stage.engine_counts

    def prepare(self, step: Step) -> None:
        """As for a device stage."""
        self._or_tell(step, lambda: self._stage.prepare(step))

    def dispatch(self, step: Step) -> None:
        """As for a device stage."""
        self._or_tell(step, lambda: self._stage.dispatch(step))
        self._outcomes.submit(self._number(step), functools.partial(self._outcome, step))

    def check(self, step: Step) -> None:
        """Raises this process's own error, or that of another one."""
        # First, because it may be interrupted, and then all is done again: only the stage's own check counts failures.
        failures = self._outcomes.wait(self._number(step), self._look)
        self._stage.check(step)
        if failures:
            raise failures[0].as_error()

    def _number(self, step: Step) -> int:
        return step.epoch * self._steps_per_epoch + step.iteration

    def _or_tell(self, step: Step, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            if not is_interruption(error):
                number, raised = self._number(step), error
                self._explain(raised, number)
                self._outcomes.submit(number, lambda: raised)
            raise

    def _outcome(self, step: Step) -> Exception | None:
        error = self._stage.outcome(step)
        if error is not None:
            self._explain(error, self._number(step))
        return error
