"""The nesting of a sample: dicts, lists and tuples, without jax. Workers flatten samples, the parent unflattens them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

from jaxdali._base.aliases import Sample
from jaxdali.errors import SourceDataError
from .leaf_codec import is_listed

__all__ = ["Structure"]


def _name_of(path: tuple[object, ...]) -> str:
    text = "".join(f"[{step!r}]" for step in path)
    return text.strip("[]'\"") if len(path) == 1 else text or "sample"


class Structure:
    """The shape of a nested sample, its leaves in order of appearance.

    Dicts are compared by their keys, not by the keys' order; named tuples keep their type.

    Args:
        example: a sample; everything that is not a dict, list or tuple is a leaf, and so is a list of numbers.

    Attributes:
        names: what errors call each leaf.
        paths: the keys and indices that lead to each leaf; `()` if the sample is a leaf itself.
        empty_lists: what errors call each empty list.
    """

    def __init__(self, example: object):
        self.names: list[str] = []
        self.paths: list[tuple[Any, ...]] = []
        self.empty_lists: list[str] = []
        # Converters for leaves that the ring does not accept, by the leaf's index.
        self._carriers: dict[int, Callable[[Any], Any]] = {}
        try:
            self._tree = self._describe(example, ())
        except RecursionError:
            raise SourceDataError(
                f"the first sample is a {type(example).__name__} that holds itself, or is nested deeper than Python can "
                "follow; a sample is a nesting of dicts, lists and tuples that ends in arrays, numbers, strings or bytes"
            ) from None
        # A shortcut for dicts and tuples of two or more leaves, as most samples are.
        is_flat = len(self.paths) > 1 and all(len(path) == 1 for path in self.paths)
        is_dict = isinstance(example, dict)
        self._pick = operator.itemgetter(*(path[0] for path in self.paths)) if is_flat and is_dict else None
        self._is_tuple = is_flat and isinstance(example, tuple) and len(example) == len(self.paths)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.names)

    @property
    def carries(self) -> bool:
        """Whether some leaf is converted, see `carry`."""
        return bool(self._carriers)

    def carry(self, index: int, carrier: Callable[[object], object]) -> None:
        """Makes `flatten` convert a leaf by `carrier`, which can be pickled, and may raise SourceDataError."""
        self._carriers[index] = carrier

    def _describe(self, value: object, path: tuple[object, ...]) -> Any:
        if isinstance(value, dict):
            return dict, type(value), {k: self._describe(v, (*path, k)) for k, v in value.items()}
        if isinstance(value, list | tuple) and not is_listed(value):
            if isinstance(value, list) and not value:
                self.empty_lists.append(_name_of(path))
            children = [self._describe(v, (*path, i)) for i, v in enumerate(value)]
            return list if isinstance(value, list) else tuple, type(value), children
        self.paths.append(path)
        self.names.append(_name_of(path))
        return None

    def flatten(self, sample: Sample) -> tuple[Any, ...]:
        """Returns the leaves of `sample`.

        Raises:
            SourceDataError: the sample is nested differently from the example, or a leaf's carrier rejects it.
        """
        picked = self._picked(sample)
        if picked is not None and not self._carriers:
            return picked
        leaves: list[Any] = [] if picked is None else list(picked)
        if picked is None:
            self._flatten(self._tree, sample, leaves)
        for index, carry in self._carriers.items():
            leaves[index] = carry(leaves[index])
        return tuple(leaves)

    def _picked(self, sample: object) -> tuple[Any, ...] | None:
        """Returns the leaves of a plain dict or tuple of leaves at once; None if `sample` is not one like the example."""
        if self._is_tuple and type(sample) is tuple and len(sample) == len(self.paths):
            return sample
        if self._pick is None or type(sample) is not dict or len(sample) != len(self.paths):
            return None
        try:
            return self._pick(sample)
        except KeyError:
            return None

    def _flatten(self, tree: Any, value: Any, leaves: list[Any], path: tuple[Any, ...] = ()) -> None:
        if tree is None:
            leaves.append(value)
            return
        kind, _, children = tree
        if not isinstance(value, kind) or len(value) != len(children):
            raise SourceDataError(self._mismatch(tree, value, path))
        if kind is dict:
            for key, child in children.items():
                if key not in value:
                    raise SourceDataError(self._mismatch(tree, value, path))
                self._flatten(child, value[key], leaves, (*path, key))
        else:
            for index, (child, item) in enumerate(zip(children, value, strict=True)):
                self._flatten(child, item, leaves, (*path, index))

    def _mismatch(self, tree: Any, value: object, path: tuple[object, ...]) -> str:
        kind, _, children = tree
        wanted = f"{kind.__name__} with {list(children) if kind is dict else len(children)}"
        found = f"{type(value).__name__}"
        if isinstance(value, dict | list | tuple):
            found += f" with {list(value) if isinstance(value, dict) else len(value)}"
        advice = ""
        if kind is not dict and isinstance(value, list | tuple) and all(isinstance(one, Number) for one in value):
            advice = "; a list of numbers is one array, declared ragged= where lengths differ"
        where = "".join(f"[{step!r}]" for step in path)
        return (
            f"sample{where} is a {found}, but the first sample of the source had a {wanted} there; "
            f"every sample must be nested in the same way{advice}"
        )

    def listed(self, path: tuple[Any, ...]) -> int | None:
        """Returns how many leaves a tuple or list at `path` has, such as a tuple of tokens; None if there is none, or it has
        anything but leaves.
        """
        tree = self._tree
        for step in path:
            children = {} if tree is None else tree[2]
            known = dict(enumerate(children)) if isinstance(children, list) else children
            if step not in known:
                return None
            tree = known[step]
        if tree is None or tree[0] is dict or any(child is not None for child in tree[2]):
            return None
        return len(tree[2])

    def unflatten(self, leaves: Sequence[object]) -> Sample:
        """Returns `leaves` in the nesting of the example."""
        remaining = iter(leaves)
        return self._unflatten(self._tree, remaining)

    def _unflatten(self, tree: Any, leaves: Any) -> Any:
        if tree is None:
            return next(leaves)
        kind, cls, children = tree
        if kind is dict:
            return {key: self._unflatten(child, leaves) for key, child in children.items()}
        values = [self._unflatten(child, leaves) for child in children]
        if kind is list:
            return values
        return cls(*values) if hasattr(cls, "_fields") else tuple(values)
