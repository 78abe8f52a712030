"""Steps that are handed out only when they have succeeded in all processes. This file loads jax."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._base.interruptions import is_interruption
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._run.executor.host_stage import HostStage, Step
from jaxdali._run.multihost.failure import Failure
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
    """A device stage whose batches wait for the outcomes of the other processes, which it begins to exchange as soon as
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

    def prepare(self, step: Step) -> Any:
        """As for a device stage."""
        return self._or_tell(step, lambda: self._stage.prepare(step))

    def dispatch(self, prepared: Any) -> _AgreedBatch:
        """As for a device stage."""
        step = prepared.step
        batch = self._or_tell(step, lambda: self._stage.dispatch(prepared))
        number = self._number(step)
        self._outcomes.submit(number, functools.partial(self._outcome, batch, step))
        return _AgreedBatch(batch, functools.partial(self._outcomes.wait, number, self._look))

    def _number(self, step: Step) -> int:
        return step.epoch * self._steps_per_epoch + step.iteration

    def _or_tell(self, step: Step, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except Exception as error:
            if not is_interruption(error):
                number, raised = self._number(step), error
                self._explain(raised, number)
                self._outcomes.submit(number, lambda: raised)
            raise

    def _outcome(self, batch: Any, step: Step) -> Exception | None:
        error = batch.outcome(step)
        if error is not None:
            self._explain(error, self._number(step))
        return error


class _AgreedBatch:
    """A dispatched batch, see `DeviceBatch`."""

    def __init__(self, batch: Any, wait: Callable[[], list[Failure]]):
        self._batch = batch
        self._wait = wait

    @property
    def outputs(self) -> Any:
        return self._batch.outputs

    @property
    def columns(self) -> Sequence[HostColumn]:
        return self._batch.columns

    def check(self, step: Step) -> None:
        """Raises this process's own error, or that of another one."""
        # First, because it may be interrupted, and then all is done again: only the batch's own check counts failures.
        failures = self._wait()
        self._batch.check(step)
        if failures:
            raise failures[0].as_error()

    def close(self, used: bool = True) -> None:
        self._batch.close(used)
