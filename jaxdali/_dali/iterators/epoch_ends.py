"""What a user should know about the end of a source."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali._base.user_warnings import warn_user
from ..epochs.last_batch_policy import LastBatchPolicy
from ..pipeline.session import Session

__all__ = ["EndWarnings"]


class EndWarnings:
    """Warns, once each, of an epoch without a batch, and of samples that fill no batch."""

    def __init__(self, sessions: Sequence[Session], policy: LastBatchPolicy):
        self._sessions = sessions
        self._policy = policy
        self._had_batches = False
        self._warned: set[str] = set()

    def look(self, batches: int) -> None:
        """Looks at an epoch whose source has ended after so many batches."""
        self._had_batches = self._had_batches or bool(batches)
        if self._had_batches and not batches:
            self._warn(
                "an epoch had no batch: the source has ended, and gives nothing more. A generator runs only once: pass "
                'cycle="raise", and the generator function or an iterable that begins anew',
            )
        left = max((feed.left_over for one in self._sessions for feed in one.feeds), default=0)
        if left and self._policy is not LastBatchPolicy.DROP:
            self._warn(
                f"the source raised StopIteration after {left} samples of a batch of "
                f"{self._sessions[0].options.batch_size}, and these are left out, as in DALI: give the source a __len__, "
                "then the last batch comes as last_batch_policy says",
            )

    def _warn(self, text: str) -> None:
        kind = text[:20]
        if kind not in self._warned:
            self._warned.add(kind)
            warn_user(text, UserWarning)
