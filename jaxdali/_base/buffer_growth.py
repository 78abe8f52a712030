"""How buffers grow and shrink in this process: three numbers, taken from the environment until they are set."""

from __future__ import annotations

import os
import typing

from jaxdali.errors import ConfigError

__all__ = ["DEVICE_GROWTH", "HOST_GROWTH", "HOST_SHRINK", "Setting"]

_BOTH_VARIABLE = "DALI_BUFFER_GROWTH_FACTOR"


class Setting:
    """A number that can be set.

    Args:
        what: how an error begins.
        otherwise: the default.
        limits: the smallest and largest value, both allowed.
        meaning: the text for the limits in an error.
        variables: environment variables, of which the first that is set counts; read when the number is first needed.
    """

    def __init__(
        self, what: str, otherwise: float, limits: tuple[float, float], meaning: str, variables: tuple[str, ...]
    ):
        self._what = what
        self._otherwise = otherwise
        self._limits = limits
        self._meaning = meaning
        self._variables = variables
        self._value: float | None = None

    def get(self) -> float:
        """Returns the current value.

        Raises:
            ConfigError: an environment variable is out of range.
        """
        if self._value is None:
            self._value = self._read()
        return self._value

    def set(self, value: typing.Any) -> None:
        """Sets the value from now on.

        Raises:
            ConfigError: it is out of range.
            TypeError: it is not a number.
        """
        self._value = self._checked(value, "")

    def _read(self) -> float:
        for variable in self._variables:
            if text := os.environ.get(variable):
                try:
                    return self._checked(float(text), f"{variable}={text}: ")
                except ValueError as error:
                    if isinstance(error, ConfigError):
                        raise
                    raise ConfigError(f"{variable} must be a number, got {text!r}") from None
        return self._otherwise

    def _checked(self, value: typing.Any, where: str) -> float:
        if not isinstance(value, typing.SupportsFloat | typing.SupportsIndex):
            raise TypeError(f"{self._what} must be a number, got {value!r}")
        number = float(value)
        if not self._limits[0] <= number <= self._limits[1]:
            raise ConfigError(f"{where}{self._what} must be between {self._meaning}, got {number:g}")
        return number


_FACTOR = ((1.0, 4.0), "1 and 4")
HOST_GROWTH = Setting("Growth factor", 1.0, *_FACTOR, ("DALI_HOST_BUFFER_GROWTH_FACTOR", _BOTH_VARIABLE))
DEVICE_GROWTH = Setting("Growth factor", 1.1, *_FACTOR, ("DALI_DEVICE_BUFFER_GROWTH_FACTOR", _BOTH_VARIABLE))
HOST_SHRINK = Setting(
    "Shrink threshold",
    0.9,
    (0.0, 1.0),
    "0 (never shrink) and 1 (always shrink)",
    ("DALI_HOST_BUFFER_SHRINK_THRESHOLD",),
)
