"""Checks that this jaxdali was built, is not a folder of sources that hides the installed one, and that the interpreter
has its lock.
"""

from __future__ import annotations

import importlib.util
import os
import sys

from jaxdali.errors import BackendUnavailable

__all__ = ["check_built", "check_lock", "has_lock"]


def check_built() -> None:
    """Looks for the module that everything needs, without importing it.

    Raises:
        BackendUnavailable: the module is missing; the text says where jaxdali was found and what to do.
    """
    if importlib.util.find_spec("jaxdali._feed._host") is not None:
        return
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = os.path.dirname(package)
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    if os.path.exists(os.path.join(folder, "pyproject.toml")):
        advice = (
            f"This is a source tree. Run {python} from a folder other than {folder} to use the installed jaxdali, or "
            f"build this one: pip install -e {folder}"
        )
    else:
        advice = f"Install jaxdali again, with the pip of this {python}"
    raise BackendUnavailable(
        f"jaxdali was found in {package}, without its compiled modules (jaxdali._feed._host, for {python}). {advice}"
    )


def has_lock() -> bool:
    """Whether only one thread at a time runs Python. False in free-threaded builds, until something turns the lock on."""
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def check_lock() -> None:
    """Checks for the lock, on which `executor/exclusive_use.py` and others rely, once a module that needs it is loaded.

    Raises:
        BackendUnavailable: the lock was forced off; the text says how to get it.
    """
    if has_lock():
        return
    forced = f"PYTHON_GIL={os.environ.get('PYTHON_GIL', '')!r}, -X gil={sys._xoptions.get('gil', '')!r}"
    raise BackendUnavailable(
        "jaxdali needs the interpreter's lock (the GIL), and this free-threaded Python "
        f"{sys.version_info.major}.{sys.version_info.minor} runs without it, as was asked for: {forced}. Set PYTHON_GIL=1, "
        "or neither of the two: then importing jaxdali turns the lock on. Or use a Python that is not free-threaded"
    )
