"""Which decoders a function asks for, noted while it is traced."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

__all__ = ["note_decoding", "noted_decodings"]

# (decoder, fancy_upsampling), in the order in which they were asked for; None: nobody wants to know.
_Decodings = dict[tuple[int, bool], None]
_noted: ContextVar[_Decodings | None] = ContextVar("jaxdali_noted_decodings", default=None)


@contextlib.contextmanager
def noted_decodings() -> Iterator[_Decodings]:
    """A block whose decodings are noted, as (decoder, fancy_upsampling); `decoder` is an index in `jaxdali.batch.DECODERS`.

    A function of the user's own that was jitted and traced before is not traced again, and so not seen.
    """
    found: _Decodings = {}
    token = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(token)


def note_decoding(decoder: int, fancy_upsampling: bool) -> None:
    """Somebody asks for images of this decoder."""
    found = _noted.get()
    if found is not None:
        found[decoder, fancy_upsampling] = None
