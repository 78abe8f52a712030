"""Where the user wrote something."""

from __future__ import annotations

import os
import sys
from types import FrameType

__all__ = ["definition_site", "user_frame", "user_stacklevel"]

# Frames of the package itself do not tell the user where an operator was written. Its folder, not its name: users have
# folders of that name too.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def user_frame() -> FrameType:
    """The innermost caller outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def definition_site() -> str:
    """'file:line' of the innermost caller outside this package."""
    frame = user_frame()
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def user_stacklevel() -> int:
    """The `stacklevel` with which `warnings.warn`, called by the caller, names the innermost caller outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
