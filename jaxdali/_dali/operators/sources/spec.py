"""The checked arguments of `fn.external_source`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from jaxdali._base.dtypes import DALIDataType
from jaxdali._feed.source.classify import SourceKind, check_cycle, classify, describe, positional_arguments
from jaxdali._feed.source.gpu_batches import HeldSource
from jaxdali._feed.source.iterables import IterableSource, SplitSource
from jaxdali._feed.source.parts import BatchPart
from jaxdali._feed.source.push_source import FedSource
from jaxdali._feed.source.source_kinds import BatchCallableSource, CallableSource, Source
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError, check_integer
from ...tensors.gpu_input import Holder
from ..size_hints import check_hint

__all__ = ["SourceSpec"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class SourceSpec:
    """A checked external source.

    Attributes:
        source: what the user handed in; None if batches are fed, then a `FedSource` once it belongs to a pipeline.
            `kind` says what it is.
        num_outputs: None if a sample, or a batch, is one array.
        batch: the source gives whole batches, else samples.
        parallel: it runs in worker processes.
        cycle: DALI's argument, as given.
        batch_info: a callable in batch mode gets a `BatchInfo`.
        dtype, ndim, layout: one entry per output, None if not declared.
        prefetch_queue_depth: None for 1 (parallel only).
        bytes_per_sample_hint: as given; see `check_hint`.
        blocking, repeat_last: for data that are fed, see `FedSource`.
        on_gpu: whole batches are kept where they are, or copied, instead of being written to slots (not parallel).
        no_copy, cuda_stream, use_copy_kernel: how batches are kept or copied (`on_gpu` only); `no_copy` applies also to
            data that are fed.

    Raises:
        ConfigError: the arguments do not go together.
        ConfigTypeError: the source is of another kind than the arguments need.
    """

    source: Any
    num_outputs: int | None
    batch: bool
    parallel: bool
    cycle: object = None
    batch_info: bool = False
    dtype: tuple[DALIDataType | None, ...]
    ndim: tuple[int | None, ...]
    layout: tuple[str | None, ...]
    prefetch_queue_depth: int | None = None
    bytes_per_sample_hint: Any = None
    blocking: bool = False
    repeat_last: bool = False
    on_gpu: bool = False
    no_copy: bool = False
    cuda_stream: object = None
    use_copy_kernel: bool = False
    # The owner of the pipeline that uses the source, if any.
    _owners: list[object] = dataclasses.field(default_factory=list, compare=False, repr=False)

    def copied(self, owner: object) -> SourceSpec:
        """Returns the spec for a pipeline. If data are fed, each pipeline is fed by itself.

        Args:
            owner: identifies the pipeline.

        Raises:
            GraphError: the source is an iterator that another pipeline uses: each would get a part of its data.
        """
        if self.kind is SourceKind.FED:
            return dataclasses.replace(self, source=FedSource(self.blocking, self.repeat_last, self.no_copy))
        if self.kind is SourceKind.ITERABLE and isinstance(self.source, Iterator):
            if self._owners and self._owners != [owner]:
                raise GraphError(
                    f"{describe(self.source)} is an iterator and already the source of another pipeline: each of them "
                    "would get only a part of its data. Give each pipeline a source of its own, or a function of the "
                    "index"
                )
            self._owners[:] = [owner]
        return self

    @functools.cached_property
    def kind(self) -> SourceKind:
        """How data are taken from the source."""
        fed = self.source is None or isinstance(self.source, FedSource)
        return SourceKind.FED if fed else classify(self.source, self.cycle)

    def layout_of(self, output: int) -> str:
        """Returns the layout that was declared, or fed with the first batch; empty if none."""
        return self.layout[output] or ("" if self.fed is None else self.fed.layout)

    def __post_init__(self) -> None:
        self._check_source()
        hint = check_hint(self.bytes_per_sample_hint, len(self.dtype))
        object.__setattr__(self, "bytes_per_sample_hint", hint)
        depth = self.prefetch_queue_depth
        if depth is not None:
            if not self.parallel:
                raise ConfigError("prefetch_queue_depth is valid only for parallel external sources")
            try:
                check_integer("prefetch_queue_depth", depth, 1)
            except ConfigError as error:
                raise type(error)(f"prefetch_queue_depth must be a positive integer, got {depth!r}") from None
        for dtype in self.dtype:
            if dtype is not None and not isinstance(dtype, DALIDataType):
                raise ConfigTypeError(f"dtype must be one of jaxdali.types, such as types.UINT8; got {dtype!r}")
        for ndim, layout in zip(self.ndim, self.layout, strict=True):
            if ndim is not None:
                check_integer("ndim", ndim, 0)
            if layout is not None and not isinstance(layout, str):
                raise ConfigTypeError(f"layout must be text such as 'HWC', got {layout!r}")
            if ndim is not None and layout and len(layout) != ndim:
                raise ConfigError(
                    f"Number of dimensions in the provided layout does not match the ndim: {layout!r} and {ndim}"
                )

    def _check_source(self) -> None:
        if self.kind is not SourceKind.CALLABLE:
            if self.parallel and not self.batch:
                also = ""
                if self.kind is SourceKind.ITERABLE and callable(self.source):
                    also = ", although it can be called"
                raise ConfigTypeError(
                    f"{describe(self.source)} is iterated{also}; with parallel=True it must be run in a batch mode: "
                    "let it give whole batches and pass batch=True. A source in sample mode is a callable that accepts a "
                    "SampleInfo."
                )
            return
        taken = positional_arguments(self.source)
        if self.parallel and taken != 1:
            told = "the iteration, or with batch_info=True a BatchInfo" if self.batch else "a SampleInfo"
            raise ConfigTypeError(
                f"a parallel source must accept exactly one argument, {told}; {describe(self.source)} accepts {taken}"
            )

    # An output that is not used need not be made, so that deserves a warning.
    all_wanted = True

    @property
    def fed(self) -> FedSource | None:
        """The source of data that are fed; None if the user gave a source."""
        return self.source if isinstance(self.source, FedSource) else None

    def is_parallel(self, _workers: int) -> bool:
        """Whether worker processes run it."""
        return self.parallel

    def declared(self, output: int) -> tuple[DALIDataType | None, int | None, str]:
        """Returns the declared element type, number of dimensions and layout of an output's samples; samples are
        checked against them.
        """
        return self.dtype[output], self.ndim[output], self.layout_of(output)

    def make_source(self, seed: int, _batch_size: int, part: BatchPart | None = None) -> Source:
        """Makes the source that runs. `seed`, below 2**64, is for its `SampleInfo.rng` and `BatchInfo.rng`; `part` is
        the part of larger batches that the pipeline makes.
        """
        source = self._make_source(seed, part)
        return HeldSource(source, self.holders) if self.on_gpu else source

    @property
    def holders(self) -> list[Holder]:
        """One holder per output (`on_gpu` only)."""
        return [
            Holder(dtype, ndim, layout, self.no_copy, self.cuda_stream, self.use_copy_kernel)
            for dtype, ndim, layout in zip(self.dtype, self.ndim, self.layout, strict=True)
        ]

    def _make_source(self, seed: int, part: BatchPart | None) -> Source:
        source, outputs = self.source, self.num_outputs
        if self.kind is SourceKind.FED:
            return source
        if self.kind is SourceKind.CALLABLE:
            if self.batch:
                return BatchCallableSource(source, outputs, self.batch_info, seed, part)
            return CallableSource(source, outputs, seed, part)
        cycle = check_cycle(self.cycle)
        if self.kind is SourceKind.ITERABLE:
            return IterableSource.over(source, outputs, cycle, self.batch)
        if self.kind is SourceKind.GENERATOR_FUNCTION:
            return IterableSource(source, outputs, cycle, self.batch, describe(source))
        split = SplitSource(source, outputs, cycle, self.batch)
        return split if self.parallel else split.for_worker(0, 1)
