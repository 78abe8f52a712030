"""Checks that this jaxdali was built, and is not a folder of sources that hides the installed one."""

from __future__ import annotations

import importlib.util
import os
import sys

from jaxdali.errors import BackendUnavailable

__all__ = ["check_built"]


def check_built() -> None:
    """Looks for the module that everything needs, without importing it.

    Raises:
        BackendUnavailable: the module is missing; the text says where jaxdali was found and what to do.
    """
    if importlib.util.find_spec("jaxdali._host") is not None:
        return
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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
        f"jaxdali was found in {package}, without its compiled modules (jaxdali._host, for {python}). {advice}"
    )
