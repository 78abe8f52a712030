"""Notes which decoders a function uses, while it is traced."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

__all__ = ["note_decoding", "noted_decodings"]

# (decoder, fancy_upsampling), in the order of their first use; None: nothing is noted.
_Decodings = dict[tuple[int, bool], None]
_noted: ContextVar[_Decodings | None] = ContextVar("jaxdali_noted_decodings", default=None)


@contextlib.contextmanager
def noted_decodings() -> Iterator[_Decodings]:
    """Notes the decodings within its block, as (decoder, fancy_upsampling); `decoder` is an index in
    `jaxdali._base.batch.DECODERS`.

    It cannot see a user's own jitted function that was traced before, because JAX does not trace it again.
    """
    found: _Decodings = {}
    token = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(token)


def note_decoding(decoder: int, fancy_upsampling: bool) -> None:
    """Notes that images are decoded with this decoder."""
    found = _noted.get()
    if found is not None:
        found[decoder, fancy_upsampling] = None
