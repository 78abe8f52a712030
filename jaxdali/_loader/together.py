"""What becomes of a Loader of several processes when a step fails in one of them. This file loads jax."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from jaxdali._run.executor.host_stage import HostStage
from jaxdali._run.multihost.agreement import Peers
from jaxdali._run.multihost.shared_end import Consumed, SharedEnd
from jaxdali._run.multihost.step_outcomes import StepOutcomes
from .agreed_steps import AgreedHost, AgreedStage, Explain

__all__ = ["AgreeOnSteps", "EndTogether", "Together"]


class Together(abc.ABC):
    """What `StepRunner` asks, in the thread that takes the steps.

    Args:
        peers: the processes.
        consumed: the Loader's steps.

    Attributes:
        checks_data: the host stage that it makes checks the data, ahead of the step that is handed out.
        agrees: a step is handed out only when it has succeeded in all processes.
    """

    checks_data = False
    agrees = False

    def __init__(self, peers: Peers, consumed: Consumed):
        self._end = SharedEnd(peers, consumed, self.agrees)

    @property
    def step(self) -> int | None:
        """The step at which it has ended in all processes; None while it goes on."""
        return self._end.step

    def enter(self, step: int) -> None:
        """Called before a step is taken. Raises if another process has ended the Loader."""
        self._end.enter(step)

    def check(self, step: int) -> None:
        """Raises if this step is not to be handed out, because another process has ended the Loader."""
        self._end.check(step)

    def taken(self, step: int) -> None:
        """Called when a step is handed out."""
        self._end.taken(step)

    def stands_at(self, step: int) -> None:
        """Called after `failed`, with the step that comes next."""
        self._end.failed(step)

    def missed(self, step: int) -> None:
        """Called when there is no such step."""
        self._end.missed(step)

    @abc.abstractmethod
    def failed(self, error: Exception, step: int, is_final: bool) -> None:
        """Notes that a step raised an error in this process; `is_final`: and nothing follows it until `seek`."""

    @abc.abstractmethod
    def begin(self, number: int, step: int) -> None:
        """Called before an executor begins, which has been moved `number` times before, and when it is moved; after an
        interrupt, once more.
        """

    def check_move(self) -> None:
        """Raises StateError if it has ended, and cannot go elsewhere."""
        self._end.check_open()

    def close(self) -> None:
        """Ends its threads."""
        self._end.close()

    def make_host(self, explain: Explain, check: Callable[[], None], *arguments: Any) -> HostStage:
        """Makes the `HostStage` that steps are taken from.

        Args:
            check: raises if the data are not what they were.
        """
        return HostStage(*arguments)

    def make_stage(self, stage: Any, explain: Explain, steps_per_epoch: int) -> Any:
        """Returns the device's part, which may ask the other processes."""
        return stage


class EndTogether(Together):
    """An error of one process ends the Loader in all of them."""

    def failed(self, error: Exception, step: int, is_final: bool) -> None:
        self._end.report(error, step, is_final)

    def begin(self, number: int, step: int) -> None:
        """Nothing: an error ends all that there is."""


class AgreeOnSteps(Together):
    """An error of a step in one process is one of that step in all of them. Only processes that take different steps end
    it for good.
    """

    checks_data = True
    agrees = True

    def __init__(self, peers: Peers, consumed: Consumed):
        super().__init__(peers, consumed)
        self._outcomes = StepOutcomes(peers, consumed.exclusive)
        self._step = 0
        self._number, self._came_from = 0, 0

    @property
    def step(self) -> int | None:
        final = self._outcomes.final
        return super().step if final is None else final.step

    def enter(self, step: int) -> None:
        self._step = step
        self._end.enter(step, self._number)
        if self._outcomes.final is not None:
            raise self._outcomes.final.as_error()

    def failed(self, error: Exception, step: int, is_final: bool) -> None:
        if super().step is not None:
            return  # it has ended in all processes
        self._outcomes.submit(step, lambda: error, is_final)  # if it failed before there was anything to submit
        self._outcomes.wait(step, self._look)  # until the others can learn of it: what comes next may be a `seek`

    def begin(self, number: int, step: int) -> None:
        if number != self._number:
            self._number, self._came_from = number, self._end.behind
        self._outcomes.begin((number, self._came_from, step))

    def close(self) -> None:
        self._outcomes.close()
        super().close()

    def make_host(self, explain: Explain, check: Callable[[], None], *arguments: Any) -> HostStage:
        return AgreedHost(self._outcomes, explain, check, *arguments)

    def make_stage(self, stage: Any, explain: Explain, steps_per_epoch: int) -> Any:
        return AgreedStage(stage, self._outcomes, explain, self._look, steps_per_epoch)

    def _look(self) -> None:
        self._end.check(self._step)
