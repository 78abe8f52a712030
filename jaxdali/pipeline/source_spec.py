"""What `fn.external_source` was asked to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from ..errors import ConfigError, check_integer
from ..source.kinds import CallableSource, positional_arguments
from ..types import DALIDataType

__all__ = ["SourceSpec"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class SourceSpec:
    """A checked external source.

    Attributes:
        source: called once a sample.
        num_outputs: None: a sample is one array.
        parallel: it runs in worker processes.
        dtype, ndim, layout: one entry an output, None where not declared.
        prefetch_queue_depth: None: 1 (parallel only).
        bytes_per_sample_hint: None: nothing is known (parallel only).
    """

    source: Callable[..., Any]
    num_outputs: int | None
    parallel: bool
    dtype: tuple[DALIDataType | None, ...]
    ndim: tuple[int | None, ...]
    layout: tuple[str | None, ...]
    prefetch_queue_depth: int | None = None
    bytes_per_sample_hint: int | None = None

    def __post_init__(self) -> None:
        if not callable(self.source):
            raise ConfigError(
                f"the source is a {type(self.source).__name__}; in sample mode it must be callable. Wrap it in a function "
                "of SampleInfo, e.g. lambda info: data[info.idx_in_epoch]"
            )
        taken = positional_arguments(self.source)
        if self.parallel and taken != 1:
            raise ConfigError(
                f"a parallel source must accept exactly one argument, a SampleInfo; {self.source!r} accepts {taken}"
            )
        for name in ("prefetch_queue_depth", "bytes_per_sample_hint"):
            value = getattr(self, name)
            if value is None:
                continue
            if not self.parallel:
                raise ConfigError(f"{name} is valid only for parallel external sources")
            try:
                check_integer(name, value, 1)
            except ConfigError:
                raise ConfigError(f"{name} must be a positive integer, got {value!r}") from None
        for dtype in self.dtype:
            if dtype is not None and not isinstance(dtype, DALIDataType):
                raise ConfigError(f"dtype must be one of jaxdali.types, such as types.UINT8; got {dtype!r}")
        for ndim, layout in zip(self.ndim, self.layout, strict=True):
            if ndim is not None:
                check_integer("ndim", ndim, 0)
            if layout is not None and not isinstance(layout, str):
                raise ConfigError(f"layout must be text such as 'HWC', got {layout!r}")
            if ndim is not None and layout and len(layout) != ndim:
                raise ConfigError(
                    f"Number of dimensions in the provided layout does not match the ndim: {layout!r} and {ndim}"
                )

    def make_source(self, seed: int) -> CallableSource:
        """What workers run."""
        return CallableSource(self.source, self.num_outputs, seed)
