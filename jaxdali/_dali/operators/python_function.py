"""Python functions in a graph, called on the host between two programs of the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali._feed.ring.originals import as_source_error
from jaxdali.errors import ConfigError, ConfigTypeError, OutputError
from ..graph.call import Call, DataNode, MutableParams, Params
from ..graph.declarations import declare
from ..graph.scope import current_scope
from .argument_kinds import FLAG, OUTPUT_LAYOUTS, Kind, integer
from .declaration import REQUIRED, Input, Operator, Static

__all__ = ["python_function"]

Samples = Sequence[np.ndarray]


def _function(word: str, value: object) -> Callable[..., object]:
    if not callable(value):
        raise ConfigTypeError(f"{word} must be a function of NumPy's arrays, got {value!r:.80}")
    return value


def _prepare(params: MutableParams) -> MutableParams:
    layouts, count = params["output_layouts"], params["num_outputs"]
    if isinstance(layouts, tuple) and len(layouts) > count:
        raise ConfigError(
            f"fn.python_function(output_layouts=) has {len(layouts)} layouts, but there are {count} outputs"
        )
    return params


def _check(display_name: str, _inputs: Sequence[DataNode], _params: Params, device: str | None) -> None:
    if device == "gpu":
        raise ConfigError(
            f'{display_name}(device="gpu") is not supported: its function is given NumPy\'s arrays, on the host. Leave '
            "device= out, or give a function of jax.Arrays to jaxdali.plugin.jax.fn.jax_function, which runs on the GPU"
        )


def _describe(call: Call) -> tuple[Params, Params]:
    # A function is identified by its name, which is the same in every process.
    function = call.params["function"]
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", type(function).__qualname__)
    usual = {"num_outputs": 1, "batch_processing": False, "output_layouts": None}
    return {**call.params, "function": f"{getattr(function, '__module__', None)}.{name}"}, usual


def _layouts_of(params: Params) -> list[str]:
    """Returns the layout of each output; those that were left out have none."""
    layouts, count = params["output_layouts"], params["num_outputs"]
    several = [layouts] * count if isinstance(layouts, str) else list(layouts or ())
    return [*several, *[""] * (count - len(several))]


def _call(call: Call, inputs: Sequence[Samples], samples: int) -> list[list[np.ndarray]]:
    """Calls the function of a call on the samples of each input: once per sample, or once with all of them."""
    params = call.params
    function, count, where = params["function"], params["num_outputs"], f"the function of {call.description}"
    try:
        if params["batch_processing"]:
            made = function(*(list(batch) for batch in inputs))
        else:
            made = [function(*(batch[k] for batch in inputs)) for k in range(samples)]
    except (Exception, SystemExit) as error:
        if isinstance(error, RuntimeError) or is_interruption(error):
            error.add_note(f"in {where}")
            raise
        made = as_source_error(error, f"{type(error).__name__}: {error}, in {where}")
        raise made.with_traceback(error.__traceback__) from error
    if count == 0:
        return []
    if params["batch_processing"]:
        batches = _several(made, count, where, "lists of samples")
        return [_samples(index, batch, samples, where) for index, batch in enumerate(batches)]
    rows = [_several(one, count, where, "arrays") for one in made]
    return [_samples(index, [row[index] for row in rows], samples, where) for index in range(count)]


def _several(made: object, count: int, where: str, of_what: str) -> Sequence[object]:
    """Returns what was returned for each output; a single output may be in a tuple."""
    if count == 1 and not (isinstance(made, tuple) and len(made) == 1):
        if isinstance(made, tuple):
            raise OutputError(f"{where} returned {len(made)} values; say num_outputs={len(made)}")
        return [made]
    if not isinstance(made, tuple | list) or len(made) != count:
        got = f"{len(made)} values" if isinstance(made, tuple | list) else type(made).__name__
        raise OutputError(f"{where} must return a tuple of {count} {of_what}, as num_outputs={count} says; got {got}")
    return made


def _samples(index: int, batch: object, samples: int, where: str) -> list[np.ndarray]:
    """Returns the samples of an output, as arrays of one type and number of axes."""
    if not isinstance(batch, list | tuple | np.ndarray) or len(batch) != samples:
        got = f"{len(batch)} samples" if isinstance(batch, list | tuple | np.ndarray) else type(batch).__name__
        raise OutputError(f"output {index} of {where} must be a list of {samples} samples, got {got}")
    found = []
    for one in batch:
        array = None if one is None else np.asarray(one)
        if array is None or array.dtype.kind not in "buif":
            raise OutputError(f"output {index} of {where} must be an array of numbers, got {one!r:.80}")
        found.append(np.ascontiguousarray(array).reshape(array.shape))
    for number, array in enumerate(found):
        if (array.dtype, array.ndim) != (found[0].dtype, found[0].ndim):
            raise OutputError(
                f"the samples of output {index} of {where} must have one type and number of axes: the first is "
                f"{found[0].dtype} with {found[0].ndim}, number {number} is {array.dtype} with {array.ndim}"
            )
    return found


class _PythonFunction(Operator):
    def add_to_graph(self, inputs: Sequence[object], arguments: Params) -> DataNode:
        if arguments.get("num_outputs") == 0 and current_scope() is not None:
            arguments = {"preserve": True, **arguments}  # since nothing can depend on it
        return super().add_to_graph(inputs, arguments)

    def unsaved(self, _call: Call) -> str | None:
        return "it is a function of Python's"


python_function = declare(
    _PythonFunction(
        name="python_function",
        doc="""Calls a Python function with NumPy arrays; DALI's `fn.python_function`.

    It is slow. The pipeline's program is cut in two at the function. Between the two parts, every batch is copied to
    the host, waited for, and copied back. Images made before the function are computed separately. Python code that
    needs nothing from the device belongs in a source (`fn.external_source(parallel=True)`), whose workers run alongside
    training. Functions of `jax.Array`s belong in `jaxdali.plugin.jax.fn.jax_function`, which is compiled into the
    program.

    The function is called on the thread that takes batches, in their order, as many batches ahead as the pipeline
    computes. It is called once per batch or once per sample, in a branch with the samples that take it; but until there
    was one, with all samples, because nothing else tells the types of its outputs. It owns its arrays and may write to
    them. An exception that it raises is raised with the batch for which it was called, as a `SourceError` that is of
    its type, too. With `num_outputs=0` it is called although nothing depends on it.
    """,
        inputs=[Input("data", "arguments of the function, in this order", optional=True, several=True)],
        params=[
            Static(
                "function",
                Kind("Callable[..., Any]", _function, (np.flipud, np.fliplr)),
                REQUIRED,
                "a function that takes one array for each input: a sample. It returns an array, or a tuple with one "
                "array for each output. Samples may differ in shape, but not in type and number of axes",
            ),
            Static(
                "num_outputs", integer(0, 64), 1, "number of arrays that the function returns; 0: its result is ignored"
            ),
            Static(
                "batch_processing",
                FLAG,
                False,
                "call the function once per batch: it takes a list of samples for each input, and returns a list of "
                "samples, or a tuple with such a list for each output",
            ),
            Static(
                "output_layouts",
                OUTPUT_LAYOUTS,
                None,
                'layouts of the outputs, such as "HWC": one for all, or a list. An output that is not listed has none',
            ),
        ],
        positional=("function", "num_outputs"),
        devices=("cpu",),
        outputs=lambda params: None if params["num_outputs"] == 1 else params["num_outputs"],
        returns="A node, or a list of `num_outputs` of them.",
        raises={"OutputError": "the function returned something else; when the batch is handed out"},
        prepare=_prepare,
        check=_check,
        describe=_describe,
        on_host=_call,
        layouts=_layouts_of,
    )
)
