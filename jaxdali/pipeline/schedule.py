"""Running a pipeline in two steps: have batches computed, then take them."""

from __future__ import annotations

from typing import Any

from ..errors import StateError
from ..types import PipelineAPIType
from .drawn import Drawn

__all__ = ["Scheduled"]


class Scheduled(Drawn):
    """The part of a `Pipeline` that is asked for batches; it knows which of DALI's ways to ask is in use."""

    def __init__(self, options: Any):
        super().__init__(options)
        self._api: PipelineAPIType | None = None
        self._checks_api = True
        self._scheduled = 0  # batches that were scheduled and not taken
        self._begun = False  # something was scheduled in this epoch

    def build(self) -> None:
        """`Pipeline.build`."""
        raise NotImplementedError

    def _ask(self) -> bool:
        """Has the next batches prepared, without waiting; False: the epoch is over."""
        raise NotImplementedError

    def _next_lists(self, cuda_stream: Any) -> tuple[Any, ...]:
        """The next batch, one list of samples an output, in order with a CUDA stream."""
        raise NotImplementedError

    def enable_api_check(self, enable: bool) -> None:
        """Whether `run`, iterators and `schedule_run` exclude each other, which they do as long as nobody says otherwise."""
        self._checks_api = bool(enable)

    def use_api(self, api: PipelineAPIType) -> None:
        """From here on batches are taken in that way.

        Raises:
            StateError: they were taken in another one, and the check is enabled.
        """
        if not self._checks_api:
            return
        if self._api is None:
            self._api = api
        if self._api is not api:
            raise StateError(
                f"Mixing pipeline API type. Currently used: {self._api}, but trying to use {api}. Take batches in one way, "
                "or call enable_api_check(False): each of them takes the next one"
            )

    def schedule_run(self) -> None:
        """Has one batch more computed, the first call of an epoch `prefetch_queue_depth` of them; does not wait.
        `share_outputs` takes them in order. With exec_pipelined=False or exec_async=False it is one in any case, and it is
        computed when it is taken.

        Raises:
            StateError: the pipeline is closed, or `run` or an iterator is in use.
        """
        self.build()
        self.use_api(PipelineAPIType.SCHEDULED)
        self._turn.take(self._schedule, self._end)

    def _schedule(self) -> None:
        if not self._ask():
            return
        self._scheduled += 1 if self._begun else self.options.host_depth
        self._begun = True

    def share_outputs(self, cuda_stream: Any = None) -> tuple[Any, ...]:
        """Waits for the oldest batch that was scheduled: one list of samples an output. It stays valid as long as somebody
        holds it.

        Args:
            cuda_stream: see `Pipeline.run`.

        Raises:
            StopIteration: none is left; `schedule_run` first, or `reset` where the epoch is over.
            Exception: as `run`.
        """
        self.build()
        self.use_api(PipelineAPIType.SCHEDULED)
        return self._turn.take(lambda: self._share(cuda_stream), self._end)

    def _share(self, cuda_stream: Any) -> tuple[Any, ...]:
        if self._scheduled == 0:
            raise StopIteration
        try:
            found = self._next_lists(cuda_stream)
        except StopIteration:
            self._scheduled = 0
            raise
        except Exception:
            self._scheduled -= 1
            raise
        # No call since it was counted as handed out: an interrupt must not lose it.
        self._scheduled -= 1
        return found

    def release_outputs(self) -> None:
        """Says that what `share_outputs` gave is not needed any more. Memory is given back when the last reference goes, so
        nothing happens to what is still held.
        """
        self.use_api(PipelineAPIType.SCHEDULED)

    def outputs(self, cuda_stream: Any = None) -> tuple[Any, ...]:
        """`release_outputs`, then `share_outputs`."""
        self.release_outputs()
        return self.share_outputs(cuda_stream)

    def _forget_schedule(self) -> None:
        """Another epoch begins: what was scheduled is dropped."""
        self._scheduled = 0
        self._begun = False
