"""A progress bar (tqdm) over batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from jaxdali.errors import BackendUnavailable

__all__ = ["progress"]

_Batch = TypeVar("_Batch")

# How often statistics are read.
_POLL_S = 1.0


def progress(
    batches: Iterable[_Batch], *, stats: Callable[[], object] | None = None, **bar: object
) -> Iterator[_Batch]:
    """Iterates over batches below a tqdm bar, which shows samples per second and the share of time spent waiting for
    batches.

    Args:
        batches: a `Loader`, an iterator of `jaxdali.plugin.jax`, or any other iterable. If it has a length, that is the
            bar's `total`.
        stats: returns `Statistics`: `stats` of a Loader or a Pipeline; None: that of `batches`, if it has one. Without
            it the bar only counts batches.
        bar: arguments of `tqdm.auto.tqdm`, such as `desc` and `disable`.

    Returns:
        An iterator over the same batches.

    Raises:
        BackendUnavailable: tqdm is not installed.

    Example:
        >>> from jaxdali import progress
        >>> [batch for batch in progress([10, 20, 30], disable=True)]  # disable: without the bar
        [10, 20, 30]
    """
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise BackendUnavailable("jaxdali.progress needs tqdm: pip install tqdm") from error
    stats = stats or getattr(batches, "stats", None)
    return _below(tqdm(total=_length(batches), **{"unit": "batch", **bar}), batches, stats)


def _below(bar: Any, batches: Iterable[_Batch], stats: Callable[[], Any] | None) -> Iterator[_Batch]:
    looked = 0.0
    with bar:
        for batch in batches:
            yield batch
            bar.update()
            if stats is not None and time.monotonic() - looked >= _POLL_S:
                looked = time.monotonic()
                bar.set_postfix_str(_words(stats()), refresh=False)
        if stats is not None:
            bar.set_postfix_str(_words(stats()))


def _words(stats: Any) -> str:
    waits = stats.waits
    waiting = (waits.source_s + waits.decoder_s + waits.device_s) / waits.seconds if waits.seconds else 0.0
    return f"{stats.samples_per_s:.0f} samples/s, {waiting:.0%} waiting"


def _length(batches: Any) -> int | None:
    try:
        return len(batches)
    except TypeError:  # it has no length, or does not know it
        return None
