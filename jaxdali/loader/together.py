"""What becomes of a Loader of several processes when a step fails in one of them. This file loads jax."""

from __future__ import annotations

from typing import Any, Protocol

from ..executor.host_stage import HostStage
from ..iterator.agreement import Peers
from ..iterator.shared_end import Consumed, SharedEnd
from ..iterator.step_outcomes import StepOutcomes
from .agreed_steps import AgreedHost, AgreedStage, Explain

__all__ = ["AgreeOnSteps", "EndTogether", "Together"]


class Together(Protocol):
    """What `Course` asks, in the thread that takes the steps."""

    @property
    def step(self) -> int | None:
        """The step at which it has ended in all processes; None while it goes on."""
        ...

    def check(self, step: int) -> None:
        """Raises if this step is not to be handed out, because another process failed."""
        ...

    def failed(self, error: Exception, step: int, is_final: bool) -> None:
        """Notes that a step raised an error in this process; `is_final`: and nothing follows it until `seek`."""
        ...

    def begin(self, step: int) -> None:
        """Called when an executor begins."""
        ...

    def restart(self, step: int) -> None:
        """Called before the executor goes elsewhere."""
        ...

    def close(self) -> None:
        """Ends its thread."""
        ...

    def make_host(self, explain: Explain, *arguments: Any) -> HostStage:
        """Makes the `HostStage` that steps are taken from."""
        ...

    def make_stage(self, stage: Any, explain: Explain, steps_per_epoch: int) -> Any:
        """Returns the device's part, which may ask the other processes."""
        ...


class EndTogether:
    """An error of one process ends the Loader in all of them.

    Args:
        peers: the processes.
        consumed: the Loader's steps.
    """

    def __init__(self, peers: Peers, consumed: Consumed):
        self._end = SharedEnd(peers, consumed)

    @property
    def step(self) -> int | None:
        return self._end.step

    def check(self, step: int) -> None:
        self._end.check(step)

    def failed(self, error: Exception, step: int, is_final: bool) -> None:
        self._end.report(error, step, is_final)

    def begin(self, step: int) -> None:
        self._end.begin()

    def restart(self, step: int) -> None:
        self._end.restart()

    def close(self) -> None:
        self._end.close()

    def make_host(self, explain: Explain, *arguments: Any) -> HostStage:
        return HostStage(*arguments)

    def make_stage(self, stage: Any, explain: Explain, steps_per_epoch: int) -> Any:
        return stage


class AgreeOnSteps:
    """An error of a step in one process is one of that step in all of them."""

    def __init__(self, peers: Peers):
        self._outcomes = StepOutcomes(peers)

    @property
    def step(self) -> int | None:
        return None if self._outcomes.final is None else self._outcomes.final.step

    def check(self, step: int) -> None:
        if self._outcomes.final is not None:
            raise self._outcomes.final.as_error()

    def failed(self, error: Exception, step: int, is_final: bool) -> None:
        self._outcomes.submit(step, lambda: error, is_final)  # if it failed before there was anything to submit
        self._outcomes.wait(step)  # until the others can learn of it: what comes next may be a `seek`

    def begin(self, step: int) -> None:
        self._outcomes.begin(step)

    def restart(self, step: int) -> None:
        self._outcomes.begin(step)

    def close(self) -> None:
        self._outcomes.close()

    def make_host(self, explain: Explain, *arguments: Any) -> HostStage:
        return AgreedHost(self._outcomes, explain, *arguments)

    def make_stage(self, stage: Any, explain: Explain, steps_per_epoch: int) -> Any:
        return AgreedStage(stage, self._outcomes, explain, steps_per_epoch)
