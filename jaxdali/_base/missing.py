"""Error messages for what is missing: a name that a module does not have, or an optional library."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NoReturn

from jaxdali.errors import BackendUnavailable
from .documentation import page_url
from .interruptions import raised_by_handler

__all__ = ["ModulesOfDali", "explain_missing", "load_extra"]

_ELSEWHERE = "do the rest in the source, or in a jitted function of your own (jaxdali.Loader)"
_MOST_SHOWN = 40
_OF_ARRAYS = ("audio", "augment", "boxes", "image", "numeric", "random")


class ModulesOfDali:
    """A module finder that Python asks last: importing one of DALI's modules that is not here raises helpful advice."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        """Raises ModuleNotFoundError for `jaxdali.<module>` if DALI has such a module; otherwise finds nothing."""
        package, _, module = name.rpartition(".")
        if package != "jaxdali":
            return
        from .dali_names import MODULES_TO_COME, hint_for, is_to_come

        # Without name=: with it, `from jaxdali import tfrecord` would handle the error itself and lose the message.
        if hint := hint_for("", module):
            raise ModuleNotFoundError(f"jaxdali has no module {module!r}: {hint}")
        if module in MODULES_TO_COME or is_to_come("", module):
            raise ModuleNotFoundError(
                f"jaxdali has no module {module!r} yet, which DALI has; {_ELSEWHERE}. {page_url('names')} lists all names"
            )


def explain_missing(module: str, names: Sequence[str]) -> Callable[[str], NoReturn]:
    """Returns a module's `__getattr__`, which raises an AttributeError that says what there is.

    Args:
        module: its full name, e.g. "jaxdali.fn".
        names: the names it has.
    """

    def __getattr__(name: str) -> NoReturn:
        # Python also looks for our own modules as attributes before they are imported.
        if name.startswith("_"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        # Imported only when something is missing: every worker imports this file.
        import difflib

        from .dali_names import hint_for, is_to_come, meanwhile
        from .foreign_names import meant_by

        room = module.partition(".")[2]
        if hint := hint_for(room, name):
            raise AttributeError(f"{module} has no {name!r}: {hint}")
        if meant := meant_by(room, name):
            raise AttributeError(f"{module} has no {name!r}; write {meant}")
        advice = f"; {_ELSEWHERE}" if room.partition(".")[0] in ("fn", "ops") else ""
        # That page has DALI's modules.
        lists = len(names) <= _MOST_SHOWN or room.partition(".")[0] in _OF_ARRAYS
        shown = f"It has {', '.join(names)}" if lists else f"{page_url('names')} lists what it has"
        if is_to_come(room, name):
            if known := meanwhile(room, name):
                raise AttributeError(f"{module} has no {name!r} yet, which DALI has. Until then {known}")
            raise AttributeError(f"{module} has no {name!r} yet, which DALI has. {shown}{advice}")
        close = difflib.get_close_matches(name, names, 1)
        raise AttributeError(
            f"{module} has no {name!r}: {f'did you mean {close[0]}? ' if close else ''}{shown}{advice}"
        )

    return __getattr__


def load_extra(module: str, extra: str, what: str) -> ModuleType:
    """Imports a module of a library that jaxdali does not require.

    Args:
        module: its full name.
        extra: the extra that installs it, `pip install 'jaxdali[EXTRA]'`.
        what: what needs it.

    Raises:
        BackendUnavailable: it is not installed, or cannot be loaded.
    """
    try:
        return importlib.import_module(module)
    except (ImportError, OSError) as error:  # OSError: a C library that it needs is missing
        if raised_by_handler(error):
            raise
        raise BackendUnavailable(
            f"{what} needs {module}, which cannot be imported ({error}): pip install 'jaxdali[{extra}]'"
        ) from error
