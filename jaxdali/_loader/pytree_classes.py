"""Looks into objects of a sample whose classes are registered with JAX as pytrees. This file loads jax."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax

from jaxdali._base.public_names import public_name
from jaxdali._feed.source.registered_class import Registered, static_parts
from jaxdali.errors import SourceDataError

__all__ = ["registered"]


def registered(value: object) -> Registered | None:
    """Returns how an object comes apart, such as one of a `flax.struct.dataclass`; None if JAX takes it for a leaf.

    Raises:
        SourceDataError: its class only says so to JAX, which workers do not load.
    """
    if value is None or isinstance(value, dict | list | tuple) or jax.tree_util.all_leaves([value]):
        return None
    entries, treedef = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda child: child is not value)
    parts = [part for _, part in entries]
    names = _attributes([path[0] for path, _ in entries], value, parts)
    if names is None and hasattr(value, "tree_flatten"):
        names = tuple(range(len(parts)))
    if names is None or not (dataclasses.is_dataclass(value) or hasattr(value, "tree_flatten")):
        raise SourceDataError(
            f"the first sample has a {public_name(type(value))}, which only JAX can take apart, and workers do not load it: "
            "make its class a dataclass, registered with jax.tree_util.register_dataclass, or return a dict"
        )
    return Registered(type(value), names, static_parts(value, names), functools.partial(jax.tree.unflatten, treedef))


def _attributes(keys: list[Any], value: object, parts: list[Any]) -> tuple[str, ...] | None:
    """Returns the attributes of `value` that hold its parts, if JAX's keys name them."""
    names = [str(getattr(key, "name", getattr(key, "key", ""))) for key in keys]
    missing = object()
    held = [getattr(value, name, missing) for name in names]
    return tuple(names) if all(one is part for one, part in zip(held, parts, strict=True)) else None
