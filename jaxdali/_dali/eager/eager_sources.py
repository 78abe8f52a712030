"""Sources and readers in debug mode: called in this process, for one batch per iteration."""

from __future__ import annotations

import dataclasses

from jaxdali._base.interruptions import is_interruption
from jaxdali._feed.ring.feed import Feed
from jaxdali._run.executor.host_stage import HostStage
from jaxdali._run.executor.step import Step
from jaxdali.errors import StateError
from ..graph.call import Call, DataNode
from ..graph.graph import Graph, find_graph
from ..graph.scope import Scope
from ..operators.sources.spec import SourceSpec
from ..planner.feed_setup import make_feeds
from ..planner.options import PipelineOptions
from ..planner.plan import FeedPlan, Plan, make_plan, note_site
from .eager_values import Value

__all__ = ["EagerSource", "NothingFed"]


class NothingFed(StateError):
    """An external source has no data yet; nothing is lost."""


class EagerSource:
    """A source or a reader, and its position.

    Args:
        call: the source's call, as the first iteration wrote it.
        scope: that of this iteration.

    Attributes:
        graph: has only this call; it is used to feed the source.
    """

    def __init__(self, call: Call, scope: Scope, options: PipelineOptions, seed: int):
        # No workers: nothing runs beside the user's code that could wait for them, and the user may be debugging the
        # source.
        options = dataclasses.replace(options, py_num_workers=0)
        twin = dataclasses.replace(call, branch=(), source=_in_process(call.source))
        twin.outputs = [DataNode(twin, node.index, node.numbered) for node in call.outputs]
        self.graph: Graph = find_graph(twin.outputs, [], scope)
        self._plan: Plan = make_plan(self.graph, options, seed)
        self._host = HostStage(make_feeds(self._plan, options), options.batch_size)
        self._step: Step | None = None
        self._taken = 0  # iterations of this epoch so far

    @property
    def endless(self) -> bool:
        """Whether it has no epochs."""
        return self._plan.endless

    @property
    def feeds(self) -> list[FeedPlan]:
        """Its feed, as in a plan."""
        return self._plan.feeds

    @property
    def ring_feeds(self) -> list[Feed]:
        """What delivers its batches."""
        return self._host.feeds

    def take(self, iteration: int) -> list[Value]:
        """Returns the outputs for an iteration of the epoch; the same ones if asked again. Skips the batches of
        iterations that did not take one.

        Raises:
            NothingFed: the user has fed no data.
            Exception: see `HostStage.take`.
        """
        while self._taken <= iteration:
            self._wait_for_data()
            try:
                self._step = self._host.take()
            except (Exception, SystemExit) as error:
                if is_interruption(error):
                    raise
                note_site(error, self._plan, self._host.failed)
                self._host.acknowledge_error()
                raise
            self._taken += 1
        assert self._step is not None
        (batch,) = self._step.batches
        return [Value(column, batch) for column in batch.columns]

    def _wait_for_data(self) -> None:
        if names := self._host.starved():
            raise NothingFed(
                f"Attempted to peek the data batch that doesn't exist: call feed_input({names[0]!r}, data) before each "
                "run, or declare it with blocking=True"
            )

    def restart(self, epoch: int, completed: int, goes_on: bool) -> None:
        """Begins an epoch.

        Args:
            completed: iterations of the last epoch that reached the user. A batch that was taken beyond them comes
                first in the new epoch, if the source continues where it stood.
            goes_on: see `Feed.restart`.
        """
        unused = [self._step] if self._step is not None and self._taken > completed else []
        self._host.restart(epoch, unused=unused, goes_on=goes_on)
        self._step, self._taken = None, 0

    def close(self) -> None:
        """Releases the slots."""
        self._step = None
        self._host.close()


def _in_process(spec: object) -> object:
    if isinstance(spec, SourceSpec) and spec.parallel:
        return dataclasses.replace(spec, parallel=False, prefetch_queue_depth=None)
    return spec
