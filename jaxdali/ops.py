"""DALI's class forms of operators: `ExternalSource`. The others are kept out; `jaxdali.fn` has them as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypedDict, Unpack

from . import types
from .errors import ConfigError
from .fn import external_source
from .pipeline.node import DataNode

__all__ = ["ExternalSource"]


class SourceArguments(TypedDict, total=False):
    """Arguments of `ExternalSource` that may be given to its constructor or to its call; see `fn.external_source`."""

    cycle: str | bool | None
    name: str | None
    layout: str | Sequence[str] | None
    dtype: types.DALIDataType | Sequence[types.DALIDataType] | None
    ndim: int | Sequence[int] | None
    cuda_stream: Any
    use_copy_kernel: bool | None
    blocking: bool | None
    batch: bool | None
    repeat_last: bool | None
    parallel: bool | None
    no_copy: bool | None
    prefetch_queue_depth: int | None
    bytes_per_sample_hint: int | Sequence[int] | None
    batch_info: bool | None


class ExternalSource:
    """Data from Python as an object that is called while a pipeline is defined; the class form of `fn.external_source`.

    Args:
        source, arguments: as in `fn.external_source`, or None to leave it to the call. A value may be given here or there;
            `name` also in both places, then the call's is taken.
        num_outputs, device: as in `fn.external_source`.

    Raises:
        ConfigError: no such argument. Their values are checked by the call, which knows all of them.
    """

    def __init__(
        self,
        source: Callable[..., Any] | Iterable[Any] | None = None,
        num_outputs: int | None = None,
        *,
        device: str = "cpu",
        **arguments: Unpack[SourceArguments],
    ):
        self._num_outputs = num_outputs
        self._device = device
        self._arguments = _given({"source": source, **arguments})

    def __call__(
        self, *, source: Callable[..., Any] | Iterable[Any] | None = None, **arguments: Unpack[SourceArguments]
    ) -> DataNode | list[DataNode]:
        """Adds the source to the pipeline that is being defined; returns its node, or the list of them.

        Raises:
            ConfigError: an argument that the constructor was given already, or as `fn.external_source`.
        """
        given = _given({"source": source, **arguments})
        for name in given:
            if name in self._arguments and name != "name":
                raise ConfigError(
                    f"The argument `{name}` was already specified in constructor, as {self._arguments[name]!r}; give it in "
                    "one place"
                )
        merged: Any = {**self._arguments, **given}
        return external_source(num_outputs=self._num_outputs, device=self._device, **merged)


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    known = ["source", *SourceArguments.__annotations__]
    unknown = [name for name in arguments if name not in known]
    if unknown:
        raise ConfigError(f"ops.ExternalSource has no argument {unknown[0]!r}; both places take {', '.join(known)}")
    return {name: value for name, value in arguments.items() if value is not None}


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(
        f"jaxdali.ops has no {name!r}: apart from ExternalSource operators are functions here. Use jaxdali.fn, e.g. "
        "fn.resize(images, size=224) in place of ops.Resize(size=224)(images)"
    )


def __dir__() -> list[str]:
    return __all__
