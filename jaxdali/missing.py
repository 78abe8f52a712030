"""What is said where something is not here: a name that a module is asked for, or a library that only some need."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NoReturn

from .errors import BackendUnavailable

__all__ = ["ModulesOfDali", "explain_missing", "load_extra"]

_ELSEWHERE = "do the rest in the source, or in a jitted function of your own (jaxdali.Loader)"
_MOST_SHOWN = 40


class ModulesOfDali:
    """A finder of modules that Python asks last: who imports one of DALI's that is not here is told what to do."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        """Raises ModuleNotFoundError for `jaxdali.<module>` where DALI has such a module; else nothing is found."""
        package, _, module = name.rpartition(".")
        if package != "jaxdali":
            return
        from .dali_names import MODULES_TO_COME, hint_for, is_to_come

        # Without name=, by which `from jaxdali import tfrecord` would take it for its own and lose the words.
        if hint := hint_for("", module):
            raise ModuleNotFoundError(f"jaxdali has no module {module!r}: {hint}")
        if module in MODULES_TO_COME or is_to_come("", module):
            raise ModuleNotFoundError(
                f"jaxdali has no module {module!r} yet, which DALI has; {_ELSEWHERE}. docs/names.md lists what there is"
            )


def explain_missing(module: str, names: Sequence[str]) -> Callable[[str], NoReturn]:
    """A module's `__getattr__`: an AttributeError that says what there is.

    Args:
        module: as Python knows it, e.g. "jaxdali.fn".
        names: what it has.
    """

    def __getattr__(name: str) -> NoReturn:
        # Modules of ours, too, are asked for as attributes before they are imported.
        if name.startswith("_"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        # Only where something is missing: every worker imports this.
        import difflib

        from .dali_names import hint_for, is_to_come, meanwhile

        room = module.partition(".")[2]
        hint = hint_for(room, name)
        if hint:
            raise AttributeError(f"{module} has no {name!r}: {hint}")
        advice = f"; {_ELSEWHERE}" if room.partition(".")[0] in ("fn", "ops") else ""
        shown = f"It has {', '.join(names)}" if len(names) <= _MOST_SHOWN else "docs/names.md lists what it has"
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
    """A module of a library that jaxdali does not require.

    Args:
        module: as it is imported.
        extra: that brings it, `pip install 'jaxdali[EXTRA]'`.
        what: it is needed for.

    Raises:
        BackendUnavailable: it is not installed, or cannot be loaded.
    """
    try:
        return importlib.import_module(module)
    except (ImportError, OSError) as error:  # OSError: a library of C that it wants is not there
        raise BackendUnavailable(
            f"{what} needs {module}, which cannot be imported ({error}): pip install 'jaxdali[{extra}]'"
        ) from error
