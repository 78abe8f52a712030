"""External sources, which bring the user's own data into a graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.dtypes import INT32, UINT8
from jaxdali._feed.source.classify import SourceKind, check_cycle
from jaxdali.errors import ConfigError, ConfigKeyError, ConfigTypeError, check_integer
from ...graph.call import Call, DataNode, MutableParams, Params
from ...graph.declarations import declare
from ..argument_kinds import FLAG, Kind
from ..declaration import Operator, Param, Static, operator
from ..operator_inputs import ANY
from ..size_hints import check_hint
from ..values import BatchValue, Context
from .spec import SourceSpec

__all__ = ["external_source"]

_MOST_OUTPUTS = 4096
# DALI's Python code reads it, which does not cut off fractions.
_COUNT = Kind("int", lambda word, value: check_integer(word, value, 1, _MOST_OUTPUTS), (2, 3))


def _as_given(_word: str, value: object) -> Any:
    """Returns the value as it is: `SourceSpec` checks these arguments together."""
    return value


def _each(annotation: str, *examples: object) -> Kind:
    return Kind(f"{annotation} | Sequence[{annotation} | None]", _as_given, examples)


_PARAMS: tuple[Param, ...] = (
    Param(
        "source",
        Kind("Callable[..., Any] | Iterable[Any]", _as_given, ([np.zeros((2, 1), np.uint8)],)),
        None,
        "where the data come from. None: whole batches are fed, see `Pipeline.feed_input`. Otherwise it gives samples"
        " (`batch=False`) or whole batches (`batch=True`), and is the first of the following that applies. A "
        "generator function without parameters, or an object whose `__call__` is one: it is iterated. An iterable, "
        "including a generator or another iterator: `next` is called once per batch, or once per sample. A callable "
        "whose parameters are exactly `worker_id` and `num_workers`, and that returns an iterable: with "
        "`parallel=True` each worker iterates its own (numbered from 0, of `py_num_workers`); otherwise there is one,"
        " for (0, 1). Any other callable: in sample mode it takes a `types.SampleInfo`, or nothing; in batch mode it "
        "takes the index of the iteration (or a `types.BatchInfo`, see `batch_info`), or nothing. It raises "
        "StopIteration at the end of the data",
    ),
    Static(
        "num_outputs",
        _COUNT,
        None,
        "None: the source gives one array, and one node is returned; n (including 1): it gives a tuple or list of at "
        "least n arrays, and a list of n nodes is returned",
    ),
    Static(
        "cycle",
        Kind('Literal["no", "quiet", "raise"] | bool', _as_given, ("quiet", "raise")),
        None,
        'what happens at the end of an iterable source. "no" (False, None): StopIteration; the next epoch continues '
        'with the same iterator, which may have rewound itself. "quiet" (True): it is restarted, and the data never '
        'end. "raise": StopIteration; the next epoch restarts it',
    ),
    Static(
        "layout",
        _each("str", "A", "B"),
        None,
        "layout of the samples: one for all outputs, or a list with one per output; outputs missing from a shorter "
        "list may have any. A given layout is checked",
    ),
    Static(
        "dtype",
        _each("DALIDataType", UINT8, INT32),
        None,
        "type of the samples: one for all outputs, or a list, as for `layout`",
    ),
    Static(
        "ndim",
        _each("int", 1, 2),
        None,
        "number of dimensions of the samples: one for all outputs, or a list, as for `layout`",
    ),
    Static(
        "batch",
        FLAG,
        None,
        "True: the source gives whole batches; False: it gives samples. By default samples with `parallel=True`, "
        "otherwise batches",
    ),
    Static(
        "batch_info",
        FLAG,
        None,
        "True: a callable in batch mode that takes an argument gets a `types.BatchInfo`. It has no effect on other "
        "sources",
    ),
    Static(
        "repeat_last",
        FLAG,
        None,
        "only for data that are fed: repeat the last batch if there is no newer one. True is refused together with a "
        "source",
    ),
    Param(
        "blocking",
        FLAG,
        None,
        "whether `run` waits for another thread to feed data; otherwise missing data are an error. With a source it "
        "always waits",
        hint=True,
    ),
    Param(
        "parallel",
        FLAG,
        None,
        "run the source in the pipeline's worker processes (`py_num_workers`). In sample mode it must be a callable "
        "with one argument. In batch mode it may also be an iterable. One worker then iterates it, or, if it is a "
        "factory, each worker does",
        hint=True,
    ),
    Param(
        "no_copy",
        FLAG,
        None,
        'for data that are fed, and for batches with device="gpu". True: the data are read when a run needs them, and'
        " must not change before; otherwise they are copied at once. The data of any other source are copied into a "
        "slot, with parallel=True by the worker process. For these, True changes nothing, and False is refused with "
        "parallel=True, as in DALI",
        hint=True,
    ),
    Param(
        "prefetch_queue_depth",
        Kind("int", _as_given, (2, 3)),
        None,
        "parallel only: number of batches that workers prepare in addition to those of the pipeline; 1 by default",
        hint=True,
    ),
    Param(
        "bytes_per_sample_hint",
        Kind("int | Sequence[int]", _as_given, (1000, 2000)),
        None,
        "expected size of a sample: one number for all outputs together, or a list with one per output. Slots start "
        "with this size and need not grow. `Pipeline.executor_statistics` reports it. With 0, the pipeline's "
        '`bytes_per_sample` applies. Batches with device="gpu" use no slots, so it has no effect on them',
        hint=True,
    ),
    Param(
        "cuda_stream",
        Kind("Any", _as_given),
        None,
        'stream for batches in GPU memory with device="gpu", see `Pipeline.feed_input`. It has no effect on other '
        "batches, as in DALI",
        hint=True,
    ),
    Param("use_copy_kernel", FLAG, None, "likewise", hint=True),
    Param("on_gpu", FLAG, None, "whether batches stay on the GPU, or are copied there", hint=True, hidden=True),
)


def _for_each(name: str, value: object, num_outputs: int | None) -> tuple[Any, ...]:
    """Returns one value per output; None if not given."""
    count = 1 if num_outputs is None else num_outputs
    if isinstance(value, list | tuple):
        if len(value) > count:
            raise ConfigTypeError(f"{name} has {len(value)} values for {count} outputs")
        return (*value, *(None for _ in range(count - len(value))))
    return (value,) * count


def _prepare(given: MutableParams) -> MutableParams:
    parallel, batch = given["parallel"], given["batch"]
    if given["source"] is None:
        _check_fed(given)
        batch = True
    elif batch is None:
        # DALI's documentation says that parallel=True means sample mode; its function form does not do so.
        batch = not parallel
    each = {name: _for_each(name, given[name], given["num_outputs"]) for name in ("dtype", "ndim", "layout")}
    if given["source"] is not None:
        _check_own(given)
    flags = {name: bool(given[name]) for name in ("batch_info", "repeat_last")}
    return {**given, **each, **flags, "batch": batch}


def _check_fed(given: Params) -> None:
    refused = {name: given[name] for name in ("parallel", "batch_info", "prefetch_queue_depth")}
    if given["cycle"] is not None:
        raise ConfigError(
            "`cycle` can only be specified if `source` is iterable; data that are fed end when the feeding ends"
        )
    for name, value in {**refused, "batch": given["batch"] is False}.items():
        if value:
            raise ConfigError(
                f"{name}= is for external sources that have a source; without one whole batches are fed with feed_input"
            )


def _check_own(given: Params) -> None:
    parallel, no_copy, on_gpu = given["parallel"], given["no_copy"], given["on_gpu"]
    if given["repeat_last"]:
        raise ConfigError(
            "repeat_last=True is for data that are fed and cannot be combined with a source: return the same data again, "
            'or pass cycle="quiet"'
        )
    if no_copy is False and parallel:
        raise ConfigError("`no_copy` cannot be specified to False with parallel=True: samples stay in their slot")
    if on_gpu and given["batch"] is False:
        raise ConfigError(
            'fn.external_source(device="gpu") takes whole batches (batch=True) unless it is parallel; give it those, '
            "or leave device= out: operators that run on the device take samples from the host"
        )


def _spec(given: Params) -> SourceSpec:
    own: MutableParams = {
        name: given[name] for name in ("source", "num_outputs", "batch", "cycle", "dtype", "ndim", "layout")
    }
    flags = ("batch_info", "parallel", "repeat_last", "on_gpu", "no_copy")
    own |= {name: bool(given.get(name)) for name in flags}
    own["no_copy"] &= own["on_gpu"] or given["source"] is None
    own["blocking"] = bool(given.get("blocking")) and given["source"] is None
    own |= {name: given.get(name) for name in ("prefetch_queue_depth", "bytes_per_sample_hint")}
    if own["on_gpu"]:
        own |= {"cuda_stream": given.get("cuda_stream"), "use_copy_kernel": bool(given.get("use_copy_kernel"))}
    return SourceSpec(**own)


def _describe(call: Call) -> tuple[Params, Params]:
    """Describes a Python source by its kind alone: the user's functions are not inspected."""
    spec: SourceSpec = call.source
    cycle = check_cycle(spec.cycle)
    each = {name: _said(getattr(spec, name)) for name in ("dtype", "ndim", "layout")}
    own = {name: getattr(spec, name) for name in ("batch", "batch_info", "repeat_last", "num_outputs")}
    if spec.kind is SourceKind.SPLIT_FACTORY:  # each worker's part, or a single one
        own["parallel"] = spec.parallel
    usual = {"cycle": "no", "batch_info": False, "repeat_last": False, "num_outputs": None, **dict.fromkeys(each)}
    return {"source": spec.kind.name, **own, "cycle": cycle, **each}, usual


def _said(values: Sequence[object]) -> Sequence[Any] | None:
    # An empty layout means not given.
    return None if all(value in (None, "") for value in values) else values


class _ExternalSource(Operator):
    """Makes one operator for each input that is fed, and one behind it if samples must appear on a GPU."""

    def add_to_graph(self, inputs: Sequence[object], arguments: Params) -> DataNode | list[DataNode]:
        """See `Operator`."""
        given = {**dict(zip(self.positional, inputs, strict=False)), **arguments}
        if len(inputs) > 2 or len(given) < len(inputs) + len(arguments):
            raise ConfigTypeError(
                f"{self.display_name} takes source and num_outputs by position, each once; got {len(inputs)}"
            )
        if "on_gpu" in given:
            raise ConfigKeyError(f"{self.display_name} has no argument 'on_gpu'; did you mean device=?")
        device = given.pop("device", "cpu")
        if not isinstance(device, str) or device not in ("cpu", "gpu"):
            raise ConfigError(f'device of {self.display_name} must be "cpu" or "gpu", got {device!r}')
        if given.get("name") is not None and given.get("num_outputs") is not None:
            raise ConfigError("`num_outputs` is not compatible with named external sources: leave one of them out")
        if device == "gpu" and not given.get("parallel"):
            given["on_gpu"] = True
        made: Any
        if given.get("source") is None and given.get("num_outputs") is not None:
            made = self._fed(given)
        else:
            made = super().add_to_graph((), given)
        if device == "cpu":
            return made
        return [_to_device(node) for node in made] if isinstance(made, list) else _to_device(made)

    def from_saved(self, inputs: Any, params: Any, hints: Any, device: str) -> Call:
        """See `Operator`."""
        if params.get("source") is None and params.get("num_outputs") is not None:
            raise ConfigError(
                f"{self.display_name} has a call for each input that is fed, got {params['num_outputs']!r:.80}"
            )
        return super().from_saved(inputs, params, hints, device)

    def unsaved(self, call: Call) -> str | None:
        """See `Operator`."""
        if call.params["source"] is None:
            return None
        return (
            "it has a source, which is Python and is not saved: leave source= out, give it a name=, and hand batches to "
            "feed_input; or read files with fn.readers.file"
        )

    def _fed(self, given: MutableParams) -> list[DataNode]:
        """Makes a source for each of several inputs, so that each is fed by itself."""
        count = _COUNT.read(self.word("num_outputs"), given.pop("num_outputs"))
        hint = check_hint(given.pop("bytes_per_sample_hint", None), count)
        each = {name: _for_each(name, given.pop(name, None), count) for name in ("dtype", "ndim", "layout")}
        each["bytes_per_sample_hint"] = hint if isinstance(hint, tuple) else (hint,) * count
        own = [{name: values[index] for name, values in each.items()} for index in range(count)]
        return [super(_ExternalSource, self).add_to_graph((), {**given, **one}) for one in own]


external_source = declare(
    _ExternalSource(
        name="external_source",
        doc="""Reads data from Python; DALI's `fn.external_source`.

    A sample is a NumPy array (or one of torch, jax or DLPack on the CPU). A batch is an array `[n, ...]`, a list of
    samples, or a TensorList of another pipeline, with at most `batch_size` samples. A callable should depend only on
    its argument, and draw random numbers from its `rng`. With `parallel=True` it is copied to worker processes, and may
    be asked for samples past the end. Iterables and generator functions are started where they run, when their first
    data are requested. In sample mode an incomplete batch at the end is dropped, unless the source is an object with
    `__len__`, which is then the number of samples per epoch.

    With device="gpu", samples appear on the GPU. Whole batches (not `parallel`) may be there already: arrays of CuPy or
    torch, `jax.Array`s, TensorLists of another pipeline, or anything with `__dlpack__` or `__cuda_array_interface__`.
    They never pass through the host. They have at least one sample.

    Two pipelines may share a node. Each pipeline is fed separately, and each calls a function of the index separately.
    A function without arguments is called by both. An iterator belongs to one of them.
    """,
        params=_PARAMS,
        positional=("source", "num_outputs"),
        devices=("cpu",),
        outputs=lambda params: params["num_outputs"],
        returns="A node, or a list of `num_outputs` of them.",
        raises={"ConfigTypeError": "the source is of another kind, or has another signature"},
        prepare=_prepare,
        source=_spec,
        describe=_describe,
    )
)


@operator(
    "external_source.gpu",
    namespace="",
    display="fn.external_source",
    inputs=[ANY],
    devices=("gpu",),
    keeps_extents=True,
    transparent=True,
)
def _to_device(_context: Context, value: BatchValue) -> BatchValue:
    """Puts the samples of an external source on the device."""
    import jax.numpy as jnp

    # Copies into memory of XLA's own, also if the user's array was handed over without a copy.
    return dataclasses.replace(value, data=jnp.copy(value.data))
