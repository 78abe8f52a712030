"""Data that can only be iterated over, for a Loader: opened as often as needed, with their position if they tell it."""

from __future__ import annotations

import base64
import inspect
import numbers
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, ConfigTypeError, SourceDataError, check_integer
from .classify import describe, is_iterable
from .leaf_codec import is_listed

__all__ = ["Iterable", "Opened", "check_state", "is_stream"]

# Types that do not have rows.
_SINGLE = (str, bytes, pathlib.PurePath, numbers.Number, np.generic)
_OPENERS = {"epoch", "shard_id", "num_shards"}
# The methods by which iterators of other libraries, or the objects that make them, save and restore their position.
_STATES = (("get_state", "set_state"), ("state_dict", "load_state_dict"))


class Iterable:
    """A stream as data for a Loader: anything that can be iterated over from the beginning, as often as needed.

    One reader iterates over it: a worker, or the consumer's thread; with several processes, one in each. The batches
    are the same on any number of devices, workers and processes, and resume exactly: from the state that the stream's
    iterator reports itself (`get_state` and `set_state`, or `state_dict` and `load_state_dict`, of the iterator or of
    `data`), if that consists of JSON's types and bytes, and as exactly as it is; otherwise by counting, which reads all
    earlier samples again and drops them.

    Args:
        data: an iterable that begins anew whenever `iter` is called, such as a grain IterDataset or DataLoader, a
            tf.data.Dataset (`as_numpy_iterator` is called), a torch IterableDataset or DataLoader, or a list; or a
            function that returns one, such as a generator function. A function may have a parameter `epoch`, how many
            times the stream was begun before, and `shard_id` and `num_shards`, see `shards`. If what is iterated over
            has a method `set_epoch(epoch)`, it is called. The data travel to the worker by value; for what cannot be
            pickled, pass a function that makes it, or read it with `workers=0`.
        length: samples per epoch: what comes after them is left out, and fewer are an error. With it a Loader has
            epochs, each with its own last batch. None: unknown; batches then continue across the end of the stream,
            which begins anew as many times as `epochs` says.
        batched: whether its items are batches, nested like samples, whose leaves have one row per sample. They are cut
            into rows, of which batches of the Loader's size are made. None: True for a torch DataLoader that makes
            batches, else False.
        shards: the number of parts of the data, each a stream of its own. Part `i` provides rows `i * n` to
            `(i + 1) * n` of each batch, n = batch_size / shards, and a process reads only the parts that its rows come
            from. Parts resume by counting, and each begins anew by itself. With a `length`, which counts the samples of
            all parts together, `last_batch` must be "drop"; without one `epochs` must be None.

    Raises:
        ConfigTypeError: `data` can be iterated over only once, or not at all.
        ConfigError: a function has other parameters, or an integer is out of range.

    Example:
        >>> from jaxdali import Loader, source
        >>> def numbers(epoch):
        ...     yield from range(10 * epoch, 10 * epoch + 3)
        >>> with Loader(source.Iterable(numbers), batch_size=3, epochs=2, workers=0) as loader:
        ...     [batch.tolist() for batch in loader]
        [[0, 1, 2], [10, 11, 12]]
    """

    def __init__(self, data: Any, *, length: int | None = None, batched: bool | None = None, shards: int = 1):
        self.data = data
        self.length = None if length is None else check_integer("length", length, 1)
        self.shards = check_integer("shards", shards, 1)
        self.batched = getattr(data, "batch_sampler", None) is not None if batched is None else bool(batched)
        self._parameters: set[str] = set()
        self._opened = 0
        if hasattr(type(data), "__next__"):
            raise ConfigTypeError(
                f"{describe(data)} runs only once, but a Loader starts over in every epoch and when it resumes: pass what "
                "makes it, such as the generator function itself"
            )
        if not is_iterable(data):
            if not callable(data):
                raise ConfigTypeError(
                    f"expected an iterable, or a function that returns one, got {type(data).__name__}"
                )
            self._parameters = _opening_parameters(data)
        if (self.shards > 1) != ("shard_id" in self._parameters):
            raise ConfigError(
                f"shards={shards} expects a function of shard_id and num_shards that returns a part of the data, got "
                f"{describe(data)}"
                if self.shards > 1
                else f"{describe(data)} expects shard_id and num_shards: pass the number of parts, as in shards=4"
            )

    def open(self, turn: int, shard: int = 0, state: Any = None) -> Opened:
        """Returns an iterator that begins at the beginning, or where `state` was taken.

        Args:
            turn: how often the stream was begun before.
            shard: which of the stream's shards.
            state: what the stream said of its position; None: the beginning.
        """
        given = {"epoch": turn, "shard_id": shard, "num_shards": self.shards}
        data = self.data
        if not is_iterable(data):
            data = data(**{name: given[name] for name in self._parameters})
            if not is_iterable(data):
                raise SourceDataError(f"{describe(self.data)} must return an iterable, got {type(data).__name__}")
        self._opened += 1
        return Opened(data, turn, self.batched, state, self._is_last(self._opened))

    def _is_last(self, number: int) -> Callable[[], bool]:
        return lambda: self._opened == number

    def samples(self, shard: int = 0) -> Iterator[Any]:
        """Yields the samples of `shard`.

        Raises:
            ConfigError: there is none.
        """
        is_empty = True
        for sample in self.open(0, shard).iterator:
            is_empty = False
            yield sample
        if is_empty:
            raise ConfigError(f"{describe(self.data)} gives no sample")

    def __repr__(self) -> str:
        return f"Iterable({describe(self.data)})"


class Opened:
    """An iterator of a stream.

    Args:
        is_last: whether no other iterator of the stream was made since: the data's own state is that of the last one.

    Attributes:
        iterator: iterates over samples.
    """

    def __init__(self, data: Any, turn: int, batched: bool, state: Any, is_last: Callable[[], bool]):
        if callable(set_epoch := getattr(data, "set_epoch", None)):
            set_epoch(turn)
        own = _state_methods(data)
        if state is not None and own is not None:
            own[1](_from_json(state))
        as_numpy = getattr(data, "as_numpy_iterator", None)
        inner: Any = as_numpy() if callable(as_numpy) else iter(data)
        methods = _state_methods(inner)
        if state is not None and own is None and methods is not None:
            methods[1](_from_json(state))
        # The iterator cannot tell a position within a batch.
        self._methods = None if batched else own or methods
        self._speaks = is_last if own else lambda: True
        self.iterator: Iterator[Any] = _rows(inner) if batched else inner

    def state(self) -> Any:
        """Returns the position that the stream reports, in JSON's types; None if it reports none, or uses other types."""
        try:
            return _to_json(self._methods[0]()) if self._methods is not None and self._speaks() else None
        except TypeError:
            return None


def check_state(state: Any) -> None:
    """Raises ConfigError unless a stream's state is one that `Opened.state` returned."""
    try:
        _from_json(state)
    except (AttributeError, TypeError, ValueError) as error:  # base64's errors are ValueErrors
        raise ConfigError(f"state: {type(error).__name__}: {error}") from None


def is_stream(data: Any) -> bool:
    """Whether data are iterated over instead of indexed."""
    if isinstance(data, Iterable):
        return True
    # torch's IterableDataset inherits a __getitem__ that only raises.
    of_torch = any(kind.__name__ == "IterableDataset" for kind in type(data).__mro__)
    indexed = hasattr(data, "__len__") and hasattr(data, "__getitem__")
    return of_torch or (not indexed and (is_iterable(data) or inspect.isgeneratorfunction(data)))


def _opening_parameters(function: Any) -> set[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # a builtin without a signature
        return set()
    known = {parameter.name for parameter in parameters if parameter.name in _OPENERS}
    others = [
        p.name for p in parameters if p.name not in _OPENERS and p.default is p.empty and p.kind.name[:3] != "VAR"
    ]
    if others or ("shard_id" in known) != ("num_shards" in known):
        raise ConfigError(
            f"{describe(function)} may have the parameters epoch, and shard_id and num_shards, got "
            f"{', '.join(others or known)}: bind others with functools.partial"
        )
    return known


def _rows(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        leaves: list[Any] = []
        if isinstance(batch, list) and any(isinstance(item, list) for item in batch) and is_listed(batch):
            raise SourceDataError(
                "a batch is a list of lists of numbers, which may be its rows or its columns: return a dict or tuple of "
                "columns, or np.asarray(rows)"
            )
        _map(batch, leaves.append)
        for leaf in leaves:
            if isinstance(leaf, _SINGLE) or not hasattr(leaf, "__len__"):
                raise SourceDataError(
                    "a batch consists of arrays, and lists of strings or numbers, with one row per sample, got "
                    f"{type(leaf).__name__}; streams of samples are read without batched=True"
                )
        lengths = {len(leaf) for leaf in leaves}
        if len(lengths) != 1:
            raise SourceDataError(f"all leaves of a batch must have the same number of rows, got {sorted(lengths)}")
        for row in range(lengths.pop()):
            yield _map(batch, lambda leaf, row=row: leaf[row])


def _map(value: Any, function: Any) -> Any:
    """Maps the leaves of a batch. A list of strings, numbers or lists of numbers is one leaf, with a row per sample."""
    if isinstance(value, dict):
        return {key: _map(child, function) for key, child in value.items()}
    are_rows = isinstance(value, list | tuple) and value and all(map(_is_row, value))
    if isinstance(value, list | tuple) and (hasattr(value, "_fields") or not are_rows):
        children = [_map(child, function) for child in value]
        if isinstance(value, list):
            return children
        return type(value)(*children) if hasattr(value, "_fields") else tuple(children)
    return function(value)


def _is_row(item: Any) -> bool:
    return isinstance(item, _SINGLE) or is_listed(item) or (isinstance(item, list) and not item)


def _state_methods(owner: Any) -> tuple[Any, Any] | None:
    for get, put in _STATES:
        if callable(getattr(owner, get, None)) and callable(getattr(owner, put, None)):
            return getattr(owner, get), getattr(owner, put)
    return None


def _to_json(value: Any) -> Any:
    """Encodes a state for JSON. Raises TypeError for types that would not come back as they were."""
    if isinstance(value, dict) and all(type(key) is str for key in value):
        return {"dict": {key: _to_json(child) for key, child in value.items()}}
    if type(value) is list:
        return [_to_json(child) for child in value]
    if type(value) is tuple:
        return {"tuple": [_to_json(child) for child in value]}
    if type(value) is bytes:
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, np.integer):
        return int(value)
    if value is None or type(value) in (str, int, float, bool):
        return value
    raise TypeError(f"no JSON: {type(value).__name__}")


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(child) for child in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "dict":
        return {key: _from_json(child) for key, child in content.items()}
    return tuple(_from_json(content)) if kind == "tuple" else base64.b64decode(content, validate=True)
