"""What can go wrong, grouped by what the reader must do about it.

JaxDaliError
├─ ConfigError (ValueError, RuntimeError)  fix your arguments; raised before anything starts, or with a batch
│  ├─ ConfigTypeError (TypeError)            ... an argument's type, such as a source of an unsupported kind
│  ├─ ConfigKeyError (KeyError)              ... the name of an argument, or of one of its parts
│  │  └─ NoInputError                        ... the name of an external source that can be fed
│  ├─ ConfigIndexError (IndexError)          ... a position that does not exist
│  ├─ ConfigAssertionError (AssertionError)  ... arguments of an iterator that do not go together
│  └─ GraphError                             fix your pipeline: foreign node, duplicate name
│     ├─ GraphTypeError (TypeError)          ... something else than a node
│     ├─ GraphIndexError (IndexError)        ... an axis that its samples do not have
│     ├─ GraphNotImplementedError (NotImplementedError)  ... what it lacks: outputs
│     └─ OutputError                         ... or what it was declared to return
├─ StateError (RuntimeError)         fix the order of calls: run before build, closed
├─ SourceError (RuntimeError)        fix your callback
│  └─ SourceDataError (TypeError, ValueError)  ... what it returns, or the record of a file that it read
├─ WorkerError (RuntimeError)        look at the machine: a worker process died, or its memory is damaged
├─ PeerError (RuntimeError)          look at another process of this program: it failed, or is not there any more
├─ DecodeError (ValueError, RuntimeError)  look at the file
└─ BackendUnavailable (ImportError)  rebuild or reinstall

All but BackendUnavailable are RuntimeErrors, because DALI raises a RuntimeError for whatever a pipeline finds out when it is
built or runs. None is a `jax.errors.JaxRuntimeError`. The other bases are what Python, and DALI while a graph is written,
raise for the same mistake: an `except` that catches DALI's error catches ours.

The end of an epoch is `StopIteration`, as in DALI and in Python; it is not an error.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import operator
import typing

__all__ = [
    "BackendUnavailable",
    "ConfigAssertionError",
    "ConfigError",
    "ConfigIndexError",
    "ConfigKeyError",
    "ConfigTypeError",
    "DecodeError",
    "GraphError",
    "GraphIndexError",
    "GraphNotImplementedError",
    "GraphTypeError",
    "JaxDaliError",
    "NoInputError",
    "OutputError",
    "PeerError",
    "SampleOrigin",
    "SourceDataError",
    "SourceError",
    "StateError",
    "WorkerError",
    "check_integer",
    "check_seconds",
    "check_shape",
]

# Most numbers in one sample whose shape a user chooses. XLA counts the numbers of a whole batch in 64 bits, and aborts
# the process on overflow; with this limit no batch comes near that.
_MOST_NUMBERS = (1 << 31) - 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class SampleOrigin:
    """Where a sample came from. Unknown fields are None.

    Attributes:
        output: name of the pipeline's node or of the batch's leaf that holds the sample.
        sample_index: index of the sample in its epoch.
        iteration: index of the batch in its epoch.
        epoch: index of the epoch.
        worker_id: which worker of the pool produced it; None when it was produced in-process.
        pid: process id of that worker.
        source_info: what a reader or an `ImageFolder` calls the sample: the path of its file. For other data of a
            Loader, what their method `source_info(index)` returns, if they have one.
    """

    output: str | None = None
    sample_index: int | None = None
    iteration: int | None = None
    epoch: int | None = None
    worker_id: int | None = None
    pid: int | None = None
    source_info: str | None = None

    def __str__(self) -> str:
        parts = []
        if self.source_info is not None:
            parts.append(self.source_info)
        if self.output is not None:
            parts.append(f"output {self.output!r}")
        if self.sample_index is not None:
            parts.append(f"sample {self.sample_index}")
        if self.iteration is not None:
            parts.append(f"iteration {self.iteration}")
        if self.epoch is not None:
            parts.append(f"epoch {self.epoch}")
        if self.worker_id is not None:
            parts.append(f"worker {self.worker_id} (pid {self.pid})")
        elif self.pid is not None:
            parts.append(f"pid {self.pid}")
        return ", ".join(parts)


class JaxDaliError(Exception):
    """Base of every error that jaxdali raises itself."""


class ConfigError(JaxDaliError, ValueError, RuntimeError):
    """An argument is invalid or cannot be honoured. Nothing was started."""


class ConfigTypeError(ConfigError, TypeError):
    """An argument has the wrong type. Nothing was started."""


class ConfigKeyError(ConfigError, KeyError):
    """An argument, or a key in one, has a name that nobody knows. Nothing was started."""

    __str__ = Exception.__str__  # KeyError's would show a repr


class ConfigIndexError(ConfigError, IndexError):
    """An argument names a position that does not exist: of an axis, an output, a pipeline, a sample."""


class ConfigAssertionError(ConfigError, AssertionError):
    """An iterator's arguments contradict one another or its pipelines. DALI asserts that they do not."""


class GraphError(ConfigError):
    """The pipeline function built a graph that cannot run."""


class GraphTypeError(GraphError, ConfigTypeError):
    """The pipeline function gives an operator, or returns, something that is neither a node nor a constant."""


class GraphIndexError(GraphError, ConfigIndexError):
    """The pipeline function names an axis that the samples do not have."""


class GraphNotImplementedError(GraphError, NotImplementedError):
    """The pipeline function leaves out what a pipeline needs: outputs. Or it writes what has no meaning: `x[..., ...]`."""


class OutputError(GraphError):
    """A pipeline returns something other than its `output_dtype`, `output_ndim` or `output_layout` say."""


class NoInputError(ConfigKeyError):
    """The pipeline has no external source of that name, or it cannot be fed."""


class StateError(JaxDaliError, RuntimeError):
    """A method was called in a state that does not allow it."""


class _OriginError(JaxDaliError):
    """An error that knows where it came from: `origin` and its fields are attributes of the exception.

    Attributes:
        process: number of the process of the JAX program that it was raised in first; None: this one.
    """

    process: int | None = None

    def __init__(self, message: str, origin: SampleOrigin | None = None):
        self.origin = origin or SampleOrigin()
        origin_text = str(self.origin)
        super().__init__(f"{message} [{origin_text}]" if origin_text else message)

    @property
    def output(self) -> str | None:
        return self.origin.output

    @property
    def sample_index(self) -> int | None:
        return self.origin.sample_index

    @property
    def iteration(self) -> int | None:
        return self.origin.iteration

    @property
    def epoch(self) -> int | None:
        return self.origin.epoch

    @property
    def worker_id(self) -> int | None:
        return self.origin.worker_id

    @property
    def pid(self) -> int | None:
        return self.origin.pid

    @property
    def source_info(self) -> str | None:
        return self.origin.source_info


class SourceError(_OriginError, RuntimeError):
    """The user's source raised. The worker's traceback is part of the text."""


class SourceDataError(SourceError, TypeError, ValueError):
    """The user's source returned something that is not a sample, or one with which an operator can do nothing."""


class WorkerError(_OriginError, RuntimeError):
    """A worker process died, or the shared memory of batches is damaged or exhausted.

    Attributes:
        exit_code: status of the process that died, negative for a signal's number. None if none died.
    """

    def __init__(self, message: str, origin: SampleOrigin | None = None, exit_code: int | None = None):
        super().__init__(message, origin)
        self.exit_code = exit_code


class PeerError(JaxDaliError, RuntimeError):
    """Another process of the same JAX program failed in a way that has no class of its own here, or cannot be reached."""


class DecodeError(_OriginError, ValueError, RuntimeError):
    """An image could not be decoded. `status` is its `jaxdali.image.Status`."""

    def __init__(self, message: str, origin: SampleOrigin | None = None, status: int = 0):
        super().__init__(message, origin)
        self.status = status


def check_integer(name: str, value: object, smallest: int, largest: int | None = None) -> int:
    """Returns `value` as a Python integer; accepts NumPy integers, but not bool and float.

    Raises:
        ConfigTypeError: it is not an integer.
        ConfigError: it is not between `smallest` and `largest`.
    """
    number = None
    if isinstance(value, typing.SupportsIndex) and not isinstance(value, bool):
        with contextlib.suppress(TypeError):  # raised for an array
            number = operator.index(value)
    if number is None or number < smallest or (largest is not None and number > largest):
        upper = "" if largest is None else f" and at most {largest}"
        kind = ConfigTypeError if number is None else ConfigError
        raise kind(f"{name} must be an integer, at least {smallest}{upper}, got {value!r}")
    return number


def check_shape(name: str, shape: object) -> tuple[int, ...]:
    """Returns a requested shape, given as one extent or several, as Python integers.

    Raises:
        ConfigTypeError: an extent is not an integer.
        ConfigError: an extent is negative; or the shape holds more than 2**31 - 1 numbers, where extents of 0 count
            as 1.
    """
    given: typing.Any = shape
    try:
        try:
            extents = (operator.index(given),)
        except TypeError:
            if isinstance(given, bytes | bytearray | set | frozenset | dict):
                raise
            extents = tuple(map(operator.index, given))
    except TypeError:
        raise ConfigTypeError(f"{name} is {shape!r:.80}; expected integers known while tracing.") from None
    if any(extent < 0 for extent in extents):
        raise ConfigError(f"{name} is {extents!r:.80}; expected no negative extent.")
    if math.prod(extent or 1 for extent in extents) > _MOST_NUMBERS:
        raise ConfigError(f"{name} is {extents!r:.80}; expected at most {_MOST_NUMBERS} numbers in a sample.")
    return extents


def check_seconds(name: str, value: object) -> None:
    """Raises ConfigError, for what is no number a ConfigTypeError, unless `value` is a positive number, or None."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and value > 0):
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    kind = ConfigError if number else ConfigTypeError
    raise kind(f"{name} must be a positive number of seconds, or None; got {value!r}")


class BackendUnavailable(JaxDaliError, ImportError):
    """Compiled code is missing or failed to load."""
