"""Checks a Loader's arguments before anything is read."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from jaxdali._base.named_parameters import named_parameters, takes
from jaxdali._run.executor.decode_failures import check_on_error
from jaxdali.errors import ConfigError, ConfigTypeError, check_integer, check_seconds

__all__ = [
    "check_arguments",
    "check_bool",
    "check_data",
    "check_debug_rows",
    "check_epoch_known",
    "check_last_batch",
    "check_parameters",
    "check_parts",
    "check_sampler",
    "names_of",
]


# For each integer argument the smallest value, and the largest if there is a limit.
_LIMITS: dict[str, tuple[int, ...]] = {
    "prefetch": (1, 4096),
    "worker_restarts": (0, (1 << 31) - 1),
    "seed": (0, (1 << 64) - 1),
    "max_image_pixels": (1, 1 << 48),
    "decode_ahead": (0, (1 << 31) - 1),
    "decode_memory": (1, 1 << 48),
    "epochs": (1,),
    "workers": (0,),
}
# Arguments that may be None.
_OPTIONAL = {"decode_ahead", "decode_memory", "epochs", "workers"}


# What the user's functions are given by name, if they ask for it.
_NAMES = {"augment": ("mask", "step", "epoch"), "mix": ("step", "epoch")}


def names_of(argument: str, function: Callable[..., object] | None) -> tuple[str, ...]:
    """Returns the names by which the function that the user gave as `argument` asks for something. Its first parameter is
    the batch, whatever its name.
    """
    return named_parameters(function, _NAMES[argument], 1)


def check_parameters(argument: str, function: Callable[..., object] | None, wanted: tuple[str, str]) -> None:
    """Checks a function that the user gave as `argument`.

    Raises:
        ConfigTypeError: it cannot be called with two positional arguments, and those that it names.
    """
    if function is not None and not takes(function, len(wanted), names_of(argument, function)):
        found = f"{getattr(function, '__name__', 'a function of ')}{inspect.signature(function)}"
        raise ConfigTypeError(
            f"{argument} is called with ({', '.join(wanted)}), and {', '.join(_NAMES[argument])} by name where it has such "
            f"parameters, but it is {found}; the parts of a sample come together, as one batch, and functools.partial "
            "binds whatever else it needs"
        )


def check_epoch_known(names: Mapping[str, Collection[str]], known: bool) -> None:
    """Checks that nobody asks for the epoch of a stream that has none.

    Args:
        names: what each argument's function asks for.
        known: whether it is known where an epoch ends.

    Raises:
        ConfigError: somebody does.
    """
    for argument, asked in names.items():
        if "epoch" in asked and not known:
            raise ConfigError(
                f"{argument} has a parameter `epoch`, but it is not known where an epoch of this stream ends: give "
                "source.Iterable(data, length=); or have it take the `step`, which counts all batches; or bind the "
                "parameter with functools.partial"
            )


def check_last_batch(last_batch: object) -> None:
    """Checks what becomes of the last batch of an epoch.

    Raises:
        ConfigError: it is neither "mask" nor "drop".
    """
    if last_batch not in ("mask", "drop"):
        raise ConfigError(
            "last_batch must be 'mask' (it is completed, and a mask says which rows are real) or 'drop' (it is left out), "
            f"got {last_batch!r}"
        )


def check_data(data: Any, sampler: Any, batch_size: int, last_batch: str) -> int:
    """Returns the number of samples per epoch.

    Raises:
        ConfigError: these are not data that a Loader can read, or there would be no batch.
    """
    if not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
        raise ConfigError(
            "Loader expects data with __len__ and __getitem__, or something to iterate over, got "
            f"{type(data).__name__}; wrap a function that returns one in jaxdali.source.Iterable(function); a function "
            "of SampleInfo goes to fn.external_source"
        )
    _check_samples(data)
    length = len(data)
    if not length:
        raise ConfigError("the data have no samples")
    about = getattr(sampler, "samples", length)
    if about != length:
        raise ConfigError(
            f"the sampler, {type(sampler).__name__}, was made for {about} samples, but the data have {length}: give it "
            "one number for each of them"
        )
    length = length if sampler is None else len(sampler)
    if not length:
        raise ConfigError(f"the sampler, {type(sampler).__name__}, has no samples in an epoch")
    if last_batch == "drop" and length < batch_size:
        raise ConfigError(
            f"the data have {length} samples, fewer than one batch of {batch_size}, and last_batch='drop' leaves them out; "
            "use last_batch='mask', or a smaller batch_size"
        )
    return length


def _check_samples(data: object) -> None:
    """Checks that the Loader got samples.

    Raises:
        ConfigError: the data are whole arrays, not samples.
    """
    remedy = (
        "give jaxdali.source.Arrays(x=X, y=Y), whose samples are dicts of rows, a list of samples, e.g. list(zip(X, Y)), "
        "or a class of your own with __len__ and __getitem__"
    )
    if isinstance(data, str | bytes | os.PathLike):
        raise ConfigError(
            f"Loader expects data, got {data!r:.80}; the images of a folder are jaxdali.source.ImageFolder(path), other "
            "files are read by a class with __len__ and __getitem__"
        )
    if isinstance(data, Mapping):
        if data and 0 not in data:
            raise ConfigError(
                f"Loader reads data[0] to data[len(data) - 1], but the {type(data).__name__} has the keys "
                f"{_shown(list(data))}. If its values are arrays with a row per sample, {remedy}"
            )
    elif isinstance(data, tuple) and data and all(_has_rows(item) for item in data):
        raise ConfigError(
            f"the data are a tuple of arrays, of shapes {_shown([item.shape for item in data])}: are these samples, or "
            f"arrays with a row per sample? For the former give list(data); for the latter {remedy}"
        )
    elif isinstance(data, list) and len(data) > 1 and _has_rows(data[0]) and _has_rows(data[1]):
        first, second = data[:2]
        # Arrays of different types or ranks cannot be samples of one batch.
        if len(first) == len(second) and (first.dtype != second.dtype or len(first.shape) != len(second.shape)):
            raise ConfigError(
                f"the data are a list of arrays with {len(first)} rows each, of {first.dtype}{list(first.shape)} and "
                f"{second.dtype}{list(second.shape)}, which cannot be samples of one batch; {remedy}"
            )


def _has_rows(value: object) -> bool:
    return hasattr(value, "dtype") and bool(getattr(value, "shape", ()))


def _shown(values: list[object]) -> str:
    return ", ".join(map(str, values[:4])) + (", ..." if len(values) > 4 else "")


def check_arguments(augment: object, on_error: str, worker_timeout_s: float | None, **numbers: object) -> None:
    """Checks what needs no look at the data.

    Args:
        numbers: the integers of `_LIMITS`, by name.

    Raises:
        ConfigError: one of the arguments is invalid.
    """
    if check_on_error(on_error) == "zeros" and augment is None:
        raise ConfigError(
            'on_error="zeros" is for what augment decodes, got augment=None; batches are handed out as they are: call '
            'jaxdali.image.decode(..., on_error="zeros") on them'
        )
    if augment is not None and not callable(augment):
        raise ConfigError(f"augment must be a function of (batch, keys), got {augment!r}")
    check_parameters("augment", augment, ("batch", "keys"))
    check_seconds("worker_timeout_s", worker_timeout_s)
    for name, value in numbers.items():
        if value is not None or name not in _OPTIONAL:
            check_integer(name, value, *_LIMITS[name])


def check_bool(name: str, value: object) -> None:
    """Raises ConfigError unless an argument is True or False."""
    if not isinstance(value, bool):
        raise ConfigError(f"{name} must be True or False, got {value!r:.80}")


def check_sampler(sampler: object, shuffle: bool, batch_size: int, local: bool = False) -> None:
    """Checks the order that the user chose.

    Args:
        batch_size: samples of a batch that come from it.
        local: other processes have other data, and a part of the batch.

    Raises:
        ConfigError: `sampler` is not a sampler, or `shuffle` sets a second order.
    """
    if shuffle:
        raise ConfigError("sampler= and shuffle=True both set the order: leave one of them out")
    if not (hasattr(sampler, "__len__") and callable(getattr(sampler, "indices", None))):
        raise ConfigError(
            "sampler must have __len__, the number of samples in an epoch, and indices(epoch, positions), an int64 "
            "array that says which samples of the data come at those positions, like jaxdali.source.WeightedSampler; "
            f"got {type(sampler).__name__}. A fixed order is jaxdali.source.subset(data, indices)"
        )
    own = getattr(sampler, "batch_size", batch_size)
    if own != batch_size:
        raise ConfigError(
            f"the sampler makes batches of {own} samples, but with local_data=True this process gives {batch_size} samples "
            f"to each batch: make the sampler with batch_size={batch_size}"
            if local
            else f"the sampler makes batches of {own} samples, and batch_size={batch_size}: give both the same"
        )


def check_debug_rows(augment: object, rows: int) -> None:
    """Checks that `debug_rows=True` has something to compare.

    Args:
        rows: the number of rows that `augment` sees.

    Raises:
        ConfigError: there is no `augment`, or a single row.
    """
    if augment is None:
        raise ConfigError("debug_rows=True checks what augment does, got augment=None")
    if rows < 2:
        raise ConfigError(
            "debug_rows=True compares the rows that augment sees together, and here it sees only one: make batch_size "
            "larger, or leave sharding= out while debugging"
        )


def check_parts(batch_size: int, parts: int) -> int:
    """Returns the number of samples in each part of a batch.

    Raises:
        ConfigError: the parts would differ.
    """
    if batch_size % parts:
        raise ConfigError(
            f"batch_size={batch_size} is that of the global batch, which the sharding cuts into {parts} parts; it must be "
            f"a multiple of {parts}"
        )
    return batch_size // parts
