"""Bridges to frameworks, under DALI's names. Importing this loads no jax."""

from typing import NoReturn

from jaxdali._dali.other_frameworks import advice
from . import base_iterator as base_iterator
from . import jax as jax

__all__ = ["base_iterator", "jax"]


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(advice(name) or f"module {__name__!r} has no attribute {name!r}")
