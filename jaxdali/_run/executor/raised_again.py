"""Errors that are raised more than once."""

from __future__ import annotations

import copy

from jaxdali._base.interruptions import raised_by_handler

__all__ = ["fresh_copy"]


def fresh_copy(error: BaseException) -> BaseException:
    """Returns a copy of an error, without its traceback, that can be raised again. A raised error holds its traceback,
    and with it all frames of the caller; if it were kept here, the pipeline and the caller's batches could not be
    freed.
    """
    try:
        fresh = copy.copy(error)
    except Exception as other:  # a user's exception whose constructor expects other arguments
        if raised_by_handler(other):
            raise
        return error
    fresh.__cause__ = error.__cause__
    fresh.args = error.args  # the constructor may have changed them
    return fresh
