"""The nesting of a sample: dicts, lists, tuples, and objects of classes that JAX knows, without jax. Workers flatten
samples, the parent unflattens them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from numbers import Number
from typing import Any

from jaxdali._base.aliases import Sample
from jaxdali.errors import SourceDataError
from .leaf_codec import is_file, is_listed
from .registered_class import Registered

__all__ = ["Structure"]


def _name_of(path: tuple[object, ...]) -> str:
    text = "".join(f"[{step!r}]" for step in path)
    return text.strip("[]'\"") if len(path) == 1 else text or "sample"


def _nothing(_: object, __: object) -> None:
    """Takes every object for a leaf."""


def _children(tree: Any) -> dict[Any, Any]:
    """Returns what is below a node, by the steps that lead there."""
    if tree is None:
        return {}
    return tree[2] if isinstance(tree[2], dict) else dict(enumerate(tree[2]))


class Structure:
    """The shape of a nested sample, its leaves in order of appearance.

    Dicts are compared by their keys, not by the keys' order; named tuples and registered objects keep their type.

    Args:
        example: a sample; everything that is not a dict, list, tuple or registered object is a leaf, and so are a list of
            numbers and a file that is a dict (`leaf_codec.is_file`).
        registered: returns how an object at a path comes apart whose class is registered with JAX; None: it is a leaf.

    Attributes:
        names: what errors call each leaf.
        paths: the keys, names of attributes and indices that lead to each leaf; `()` if the sample is a leaf itself.
        empty_lists: what errors call each empty list.
    """

    def __init__(self, example: object, registered: Callable[[object, tuple[Any, ...]], Registered | None] = _nothing):
        self.names: list[str] = []
        self.paths: list[tuple[Any, ...]] = []
        self.empty_lists: list[str] = []
        # Converters for leaves that the ring does not accept, by the leaf's index.
        self._carriers: dict[int, Callable[[Any], Any]] = {}
        try:
            self._tree = self._describe(example, (), registered)
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

    def _describe(self, value: object, path: tuple[object, ...], registered: Callable[..., Any]) -> Any:
        if isinstance(value, dict) and not is_file(value):
            children = {k: self._describe(v, (*path, k), registered) for k, v in value.items()}
            return dict, type(value), children
        if isinstance(value, list | tuple) and not is_listed(value):
            if isinstance(value, list) and not value:
                self.empty_lists.append(_name_of(path))
            children = [self._describe(v, (*path, i), registered) for i, v in enumerate(value)]
            return list if isinstance(value, list) else tuple, type(value), children
        known = registered(value, path)
        if known is not None:
            parts = zip(known.names, known.parts(value), strict=True)
            return object, known, {name: self._describe(part, (*path, name), registered) for name, part in parts}
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
        kind, cls, children = tree
        if kind is object:
            where = "".join(f"[{step!r}]" for step in path)
            for (name, child), part in zip(children.items(), cls.checked_parts(value, where), strict=True):
                self._flatten(child, part, leaves, (*path, name))
            return
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
        elif kind is list and isinstance(value, list) and any(isinstance(one, bytes) for one in value):
            advice = "; a list of image files is filled up with None, whose images are MISSING"
        where = "".join(f"[{step!r}]" for step in path)
        return (
            f"sample{where} is a {found}, but the first sample of the source had a {wanted} there; "
            f"every sample must be nested in the same way{advice}"
        )

    def below(self, path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Returns the paths of all leaves at and below `path`, in which a field of a named tuple may have its name; nothing
        if there is no such place.
        """
        tree, found = self._tree, list[Any]()
        for step in path:
            fields = () if tree is None or tree[0] is not tuple else getattr(tree[1], "_fields", ())
            found.append(fields.index(step) if step in fields else step)
            children = _children(tree)
            if found[-1] not in children:
                return []
            tree = children[found[-1]]
        return [path for path in self.paths if path[: len(found)] == tuple(found)]

    def lists(self) -> Iterator[range]:
        """Yields the indices of the leaves of each list or tuple, without names, that has two or more, and nothing else."""
        for first, path in enumerate(self.paths):
            if not path or path[-1] != 0:
                continue
            tree = self._tree
            for step in path[:-1]:
                tree = _children(tree)[step]
            kind, cls, children = tree
            if kind in (list, tuple) and not hasattr(cls, "_fields") and len(children) > 1 and not any(children):
                yield range(first, first + len(children))

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
        if kind is object:
            return cls.rebuild([self._unflatten(child, leaves) for child in children.values()])
        values = [self._unflatten(child, leaves) for child in children]
        if kind is list:
            return values
        return cls(*values) if hasattr(cls, "_fields") else tuple(values)
