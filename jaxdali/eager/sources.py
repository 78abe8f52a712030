"""Sources and readers in debug mode: asked in this process, for one batch an iteration."""

from __future__ import annotations

import dataclasses

from ..errors import StateError
from ..executor.host_stage import HostStage, Step
from ..graph.call import Call, DataNode
from ..graph.graph import Graph, find_graph
from ..graph.scope import Scope
from ..operators.sources.spec import SourceSpec
from ..planner.feed_setup import make_feeds
from ..planner.options import PipelineOptions
from ..planner.plan import FeedPlan, Plan, make_plan, note_site
from .values import Value

__all__ = ["EagerSource", "NothingFed"]


class NothingFed(StateError):
    """An external source has nothing to give yet; nothing is lost."""


class EagerSource:
    """A source, or a reader, and where it stands.

    Args:
        call: that was written in the first iteration.
        scope: of that iteration.

    Attributes:
        graph: of that call alone, by which it is fed.
    """

    def __init__(self, call: Call, scope: Scope, options: PipelineOptions, seed: int):
        # Beside the user's code there is nobody who could wait for workers, and what is debugged may be the source.
        options = dataclasses.replace(options, py_num_workers=0)
        twin = dataclasses.replace(call, branch=(), source=_in_process(call.source))
        twin.outputs = [DataNode(twin, node.index, node.numbered) for node in call.outputs]
        self.graph: Graph = find_graph(twin.outputs, [], scope)
        self._plan: Plan = make_plan(self.graph, options, seed)
        self._host = HostStage(make_feeds(self._plan, options), options.batch_size)
        self._step: Step | None = None
        self._taken = 0  # iterations of this epoch

    @property
    def endless(self) -> bool:
        """It has no epochs."""
        return self._plan.endless

    @property
    def feeds(self) -> list[FeedPlan]:
        """What is known of it, as a plan has it."""
        return self._plan.feeds

    def take(self, iteration: int) -> list[Value]:
        """The outputs in an iteration of the epoch; in the same one they stay. What was left out is passed over.

        Raises:
            NothingFed: by the user.
            Exception: see `HostStage.take`.
        """
        while self._taken <= iteration:
            self._wait_for_data()
            try:
                self._step = self._host.take()
            except (Exception, SystemExit) as error:
                note_site(error, self._plan, self._host.failed)
                self._host.heard()
                raise
            self._taken += 1
        assert self._step is not None
        (batch,) = self._step.batches
        return [Value(column, batch) for column in batch.columns]

    def _wait_for_data(self) -> None:
        if names := self._host.starved():
            raise NothingFed(
                f"Attempted to peek the data batch that doesn't exist: call feed_input({names[0]!r}, data) before each run, "
                "or write it with blocking=True"
            )

    def restart(self, epoch: int, completed: int) -> None:
        """Begins an epoch.

        Args:
            completed: iterations of the last one that reached the user. What was taken for another comes first now, where
                the source goes on where it stood.
        """
        unused = [self._step] if self._step is not None and self._taken > completed else []
        self._host.restart(epoch, unused=unused)
        self._step, self._taken = None, 0

    def close(self) -> None:
        """Lets go of slots."""
        self._step = None
        self._host.close()


def _in_process(spec: object) -> object:
    if isinstance(spec, SourceSpec) and spec.parallel:
        return dataclasses.replace(spec, parallel=False, prefetch_queue_depth=None)
    return spec
