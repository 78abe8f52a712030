"""What turns a source into bytes and back: cloudpickle, or the user's `py_callback_pickler`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from jaxdali.errors import ConfigError

__all__ = ["SourcePickler"]

_WANTED = (
    "py_callback_pickler must be a module or an object with dumps and loads, or a tuple of it, keyword arguments for "
    "dumps and keyword arguments for loads"
)


@dataclasses.dataclass(frozen=True)
class SourcePickler:
    """A module or object with `dumps` and `loads`, and extra arguments for both.

    Attributes:
        serializer: `dumps(source, **dumps_arguments) -> bytes` and `loads(bytes, **loads_arguments)`. It is sent to
            workers too: a module by reference, an object by value.
        dumps_arguments: keywords.
        loads_arguments: keywords.
    """

    serializer: Any
    dumps_arguments: dict[str, Any] = dataclasses.field(default_factory=dict)
    loads_arguments: dict[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def from_argument(cls, given: object) -> SourcePickler | None:
        """Reads `py_callback_pickler`: None, `p`, `(p,)`, `(p, dumps_kwargs)` or `(p, dumps_kwargs, loads_kwargs)`.

        Raises:
            ConfigError: it is none of these.
        """
        if given is None or isinstance(given, cls):
            return given
        parts = tuple(given) if isinstance(given, tuple | list) else (given,)
        if not 1 <= len(parts) <= 3:
            raise ConfigError(f"{_WANTED}; got a tuple of {len(parts)}")
        serializer, *arguments = parts
        for name in ("dumps", "loads"):
            if not callable(getattr(serializer, name, None)):
                raise ConfigError(f"{_WANTED}; {serializer!r} has no {name}")
        for name, value in zip(("dumps", "loads"), arguments, strict=False):
            if value is not None and not isinstance(value, Mapping):
                raise ConfigError(f"{_WANTED}; the arguments for {name} are {value!r}, not a dict")
        return cls(serializer, *(dict(value or {}) for value in arguments))

    def dumps(self, value: object) -> bytes:
        """Raises whatever the serializer raises; TypeError if it does not return bytes."""
        data = self.serializer.dumps(value, **self.dumps_arguments)
        try:
            return data if isinstance(data, bytes) else bytes(memoryview(data))
        except TypeError:
            raise TypeError(f"dumps of py_callback_pickler returned {type(data).__name__}, not bytes") from None

    def loads(self, data: bytes) -> Any:
        return self.serializer.loads(data, **self.loads_arguments)
