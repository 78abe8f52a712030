"""Makes one thing in all processes of a JAX program, or in none. This file loads jax."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.patience import Patience
from jaxdali.errors import ConfigError
from .service import Service

__all__ = ["Joint", "Peers", "made_together"]

# What is made together is numbered: every process makes the same things in the same order.
_numbers = itertools.count()

_NONE: Mapping[str, str] = {}

# How much of a value is shown to the other processes.
_SHOWN = 160


@dataclasses.dataclass(frozen=True)
class Peers:
    """The processes that have made the same thing.

    Attributes:
        service: connects them.
        key: of all that they tell each other about it.
        facts: what each of them said of itself, by process.
    """

    service: Service
    key: str
    facts: list[Any]


class Joint:
    """One thing that is being made in all processes.

    Args:
        what: its name, for errors: "Loader".
    """

    def __init__(self, what: str):
        self._what = what
        self._service = Service()
        self._number = next(_numbers)
        self._key = f"jaxdali/{self._number}"
        self._has_spoken = False

    @property
    def process(self) -> int:
        """The number of this process."""
        return self._service.process

    def compare(self, fields: Mapping[str, object], facts: object = None, hints: Mapping[str, str] = _NONE) -> Peers:
        """Waits for the other processes, and compares with them what must be equal.

        Args:
            fields: the same names in every process; two values are equal if their `repr` is.
            facts: of JSON's types, what may differ and the others must know; None in all processes: nothing.
            hints: for some of the names, what to do if values differ.

        Raises:
            ConfigError: a value differs, or another process failed before it came here. All processes raise it.
        """
        mine = {name: _described(value) for name, value in fields.items()}
        self._has_spoken = True
        said = self._gather(f"{self._key}/made", json.dumps({"fields": mine}))
        if self._service.process == 0:  # everybody has come here, so nobody still reads what was said before
            self._service.forget(f"jaxdali/{self._number - 1}/made")
        heard = {text: json.loads(text) for text in {*said.values()}}  # mostly one
        everybody = [heard[said[process]] for process in range(self._service.processes)]
        for process, other in enumerate(everybody):
            if "failed" in other:
                raise ConfigError(f"process {process} could not make its {self._what}: {other['failed']}")
        for name in {name: None for other in everybody for name in other["fields"]}:
            values = [other["fields"].get(name) for other in everybody]
            if any(value != values[0] for value in values):
                raise ConfigError(
                    f"the processes must make the same {self._what}, but they differ in {name}: {_listed(values)}"
                    + (f". {hints[name]}" if name in hints else "")
                )
        if facts is None:
            return Peers(self._service, self._key, [None] * self._service.processes)
        # By themselves: with what differs, what is equal would be sent once for each process to each of them.
        told = self._gather(f"{self._key}/made/facts", json.dumps(facts))
        return Peers(self._service, self._key, [json.loads(told[process]) for process in range(len(told))])

    def _gather(self, key: str, text: str) -> dict[int, str]:
        with Patience(lambda: self._awaited(key)).beside():
            said = self._service.gather(key, text, lambda: True)
        assert said is not None
        return said

    def _awaited(self, key: str) -> str:
        """Returns what is waited for, in words; asks the service which processes have come."""
        come = self._service.left(f"{key}/said")
        missing = [process for process in range(self._service.processes) if process not in come]
        named = ", ".join(map(str, missing[:8])) + (", ..." if len(missing) > 8 else "")
        return (
            f"{'process' if len(missing) == 1 else 'processes'} {named} of {self._service.processes}, each of which must "
            f"make the same {self._what}; if one has failed before that, see its log"
        )

    def fail(self, error: Exception) -> None:
        """Tells the other processes that this one could not make it. Does not wait for them."""
        if not self._has_spoken:
            self._has_spoken = True
            self._service.arrive(f"{self._key}/made", json.dumps({"failed": f"{type(error).__name__}: {error}"}))


@contextlib.contextmanager
def made_together(what: str, is_shared: bool) -> Iterator[Joint | None]:
    """For a block that makes something. If it raises, all other processes raise, too, instead of waiting for this one.

    Args:
        what: the name of what is made.
        is_shared: whether all processes of the program make it. Otherwise the block gets None.
    """
    if not is_shared:
        yield None
        return
    joint = Joint(what)
    try:
        yield joint
    except Exception as error:
        if not is_interruption(error):
            joint.fail(error)
        raise


def _described(value: object) -> list[str]:
    text = repr(value)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return [shown, hashlib.blake2b(text.encode(), digest_size=16).hexdigest()]


def _listed(values: list[list[str] | None]) -> str:
    """Returns each value once, with the processes that have it."""
    of_value: dict[tuple[str, str], list[int]] = {}
    for process, value in enumerate(values):
        shown, digest = value or ("nothing", "")
        of_value.setdefault((shown, digest), []).append(process)
    return ", ".join(
        f"{shown} in {'process' if len(processes) == 1 else 'processes'} {', '.join(map(str, processes[:4]))}"
        + (", ..." if len(processes) > 4 else "")
        for (shown, _), processes in of_value.items()
    )
