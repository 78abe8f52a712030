"""The name `jax` for annotations of modules that must not load it: it is loaded when somebody asks for a type."""

from __future__ import annotations

import importlib

__all__ = ["jax"]


class _LazyJax:
    def __getattr__(self, name: str) -> object:
        return getattr(importlib.import_module("jax"), name)


jax = _LazyJax()
