"""How the processes of one JAX program talk to each other beside its devices: by the service of `jax.distributed`.

Collectives of devices would have to come in the same order as the user's in every process, or all would wait for ever.
The service is reached by network calls of about half a millisecond, from any thread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import jax

from jaxdali._device.ffi.compat import coordination_client
from jaxdali.errors import ConfigError, PeerError

__all__ = ["Service"]

# In one number of 31 bits: the low part counts the processes that came, the high part those that left a text.
_TEXT = 1 << 16
# How long one call waits for the others. A call that finds nothing is repeated, first soon, then seldom.
_SHORTEST_MS, _LONGEST_MS = 50, 1000


class Service:
    """The texts that the processes of a program leave for each other, by key.

    Attributes:
        process, processes: the number of this process, and of all.

    Raises:
        ConfigError: `jax.distributed.initialize` was not called.
    """

    def __init__(self) -> None:
        self.process, self.processes = jax.process_index(), jax.process_count()
        self._client = coordination_client()
        if self._client is None:
            raise ConfigError(
                f"{self.processes} processes of one JAX program share this, and they agree by the service of "
                "jax.distributed: call jax.distributed.initialize() in each of them first"
            )

    def leave(self, key: str, text: str) -> None:
        """Leaves a text for the others, in place of what this process left there before."""
        self._call(lambda: self._client.key_value_set(f"{key}/{self.process}", text, allow_overwrite=True))

    def left(self, key: str) -> dict[int, str]:
        """Returns the texts that processes have left so far, by process."""
        found = self._call(lambda: self._client.key_value_dir_get(f"{key}/"))
        return {int(path.rpartition("/")[2]): text for path, text in found}

    def forget(self, key: str) -> None:
        """Removes all that was left below a key."""
        self._call(lambda: self._client.key_value_delete(f"{key}/"))

    def gather(self, key: str, text: str, goes_on: Callable[[], bool]) -> dict[int, str] | None:
        """Waits until all processes have called this with the same key. Each of them sends two or three messages,
        however many there are.

        Args:
            text: what this process has to say; empty: nothing.
            goes_on: asked now and then while it waits.

        Returns:
            The texts that are not empty, by process; None if `goes_on` returned False.
        """
        return self.rest(key, self.arrive(key, text), goes_on)

    def rest(self, key: str, said: str | None, goes_on: Callable[[], bool]) -> dict[int, str] | None:
        """Does the rest of `gather`, after `arrive` has returned `said`."""
        wait_ms = _SHORTEST_MS
        while said is None and goes_on():
            said = self._awaited(f"{key}/all", wait_ms)
            wait_ms = min(2 * wait_ms, _LONGEST_MS)
        return None if said is None else _unpacked(said)

    def arrive(self, key: str, text: str) -> str | None:
        """Says this process's part of `gather`, without waiting. Returns what all said if it is the last of them."""
        if text:
            self.leave(f"{key}/said", text)
        arrived = self._call(lambda: self._client.key_value_increment(f"{key}/arrived", 1 + _TEXT * bool(text)))
        if arrived % _TEXT != self.processes:
            return None
        said = _packed(self.left(f"{key}/said") if arrived >= _TEXT else {})
        self._call(lambda: self._client.key_value_set(f"{key}/all", said))
        return said

    def _awaited(self, key: str, wait_ms: int) -> str | None:
        try:
            return self._client.blocking_key_value_get(key, wait_ms)
        except jax.errors.JaxRuntimeError as error:
            if str(error).startswith("DEADLINE_EXCEEDED"):
                return None
            raise _unreachable(error) from error

    @staticmethod
    def _call(call: Callable[[], object]) -> Any:
        try:
            return call()
        except jax.errors.JaxRuntimeError as error:
            raise _unreachable(error) from error


def _packed(said: Mapping[int, str]) -> str:
    """Returns texts by process as one text, in which equal ones stand once: a thousand processes mostly say the same, and
    each of them gets all of it.
    """
    of_text: dict[str, list[int]] = {}
    for process, text in said.items():
        of_text.setdefault(text, []).append(process)
    return json.dumps(list(of_text.items()), separators=(",", ":"))


def _unpacked(text: str) -> dict[int, str]:
    return {process: said for said, processes in json.loads(text) for process in processes}


def _unreachable(error: Exception) -> PeerError:
    return PeerError(
        f"the service that connects the processes of this JAX program does not answer ({str(error).splitlines()[0]}): "
        "process 0, which runs it, may have ended, or another process has died; see the logs of all processes"
    )
