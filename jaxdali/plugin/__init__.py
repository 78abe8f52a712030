"""Bridges to frameworks, under DALI's names. Importing this loads no jax."""

from . import base_iterator as base_iterator
from . import jax as jax

__all__ = ["base_iterator", "jax"]
