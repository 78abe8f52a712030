"""Finds where in the user's program something was written."""

from __future__ import annotations

import os
import sys
from types import FrameType

__all__ = ["definition_site", "user_frame", "user_stacklevel"]

# Frames inside the package do not tell the user where an operator was written. Compares the folder rather than its
# name, since users have folders of that name too.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def user_frame() -> FrameType:
    """Returns the innermost frame outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def definition_site() -> str:
    """Returns 'file:line' of the innermost caller outside this package."""
    frame = user_frame()
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def user_stacklevel() -> int:
    """Returns the `stacklevel` for the caller's `warnings.warn` that names the innermost caller outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
