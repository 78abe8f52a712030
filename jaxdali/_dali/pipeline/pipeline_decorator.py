"""The decorator that turns a function into a factory of pipelines."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, overload

from jaxdali.errors import ConfigError, ConfigTypeError, GraphNotImplementedError
from ..control.function_conversion import convert_here
from ..planner.options import PipelineOptions
from .pipeline import Pipeline, session_of

__all__ = ["pipeline_def"]


@overload
def pipeline_def(fn: Callable[..., object], /) -> Callable[..., Pipeline]: ...
@overload
def pipeline_def(
    *, enable_conditionals: bool = False, debug: bool = False, **options: Any
) -> Callable[[Callable[..., Any]], Callable[..., Pipeline]]: ...
def pipeline_def(
    fn: Callable[..., Any] | None = None, *, enable_conditionals: bool = False, debug: bool = False, **options: Any
) -> Any:
    """Turns a function that defines a graph into a factory of pipelines; DALI's decorator.

    The factory takes the function's own arguments, and those of `Pipeline`, which override those given here.

    Args:
        fn: returns the pipeline's outputs: a DataNode, or a tuple or list of them. They may include constants, see
            `Pipeline.set_outputs`.
        enable_conditionals: `fn`, and the functions of yours that it calls, may branch on nodes with one number per
            sample: `if`, `elif`, `else`, `and`, `or`, `not`, `... if ... else ...`. Both branches are computed for all
            samples, and their results are selected, so random draws in a branch do not depend on which samples take it.
            Values must have the same type, layout and number of axes in both; their extents may differ. What a branch
            requires of data is required only of the samples that take it; files are always decoded. `while`, `assert`
            and comprehensions take no nodes, nor does an `if` that is left by `break`, `continue`, or a `return` out of
            a loop. The factory takes this argument, too.
        debug: DALI's debug mode, for looking at batches: `fn` is called for each batch, and every operator is computed
            when it is called. Its nodes have `get()`, a TensorList, and `shape()`, a list of tuples, so that Python may
            print them, stop at a breakpoint, and branch on them. Operators take TensorLists and lists of arrays, one
            per sample, in place of nodes, also as arguments. Each call of `fn` must call the same operators in the same
            order, with the same constants. The batches are those of the pipeline without it, except for random draws
            before the first reader. It is slow: nothing runs ahead, sources run in this process, and each operator is a
            program of its own, so that images are computed at every step. There are `run` and iterators of one device,
            but nothing that needs a graph: no `schedule_run`, checkpoints or `serialize`. With `enable_conditionals`,
            nodes in a branch hold all samples. The factory takes this argument, too.
        options: arguments of `Pipeline`.

    Returns:
        The factory; without `fn`, a decorator that makes one of a function.

    Raises:
        TypeError: `fn` has a variadic keyword argument, or a factory is called with an unknown argument; or `fn`
            evaluates whether a node is true (`if node:`, `node and other`, `not node`) where that has no answer; the
            text says where.
        ConfigError: `options` has a name that Pipeline does not have.

    Example:
        >>> import numpy as np
        >>> from jaxdali import fn, pipeline_def
        >>> @pipeline_def(batch_size=2)
        ... def tens():
        ...     return fn.external_source(lambda sample: np.int32([sample.idx_in_epoch]), batch=False) * 10
        >>> tens().run()[0].as_array().tolist()
        [[0], [10]]
    """
    switches = {"enable_conditionals": enable_conditionals, "debug": debug}
    _check_switches(switches)
    if fn is None:
        return functools.partial(_make_factory, options=options, switches=switches, level=2)
    return _make_factory(fn, options=options, switches=switches, level=3)


def _make_factory(
    fn: Callable[..., object], options: dict[str, Any], switches: dict[str, Any], level: int
) -> Callable[..., Pipeline]:
    """Makes the factory. `switches`: arguments of the decorator. `level`: the number of frames from this one up to the
    user's.
    """
    if not callable(fn):
        raise ConfigTypeError(f"a pipeline is defined by a function, got {fn!r:.80}")
    parameters = inspect.signature(fn).parameters
    for parameter in parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            raise ConfigTypeError(
                f"{fn.__name__} has a variadic keyword argument (**{parameter.name}), so that its arguments and those of "
                "Pipeline cannot be told apart; name them"
            )
    mine = PipelineOptions.names()
    for name in parameters:
        if name in mine:
            warnings.warn(
                f"the argument {name!r} of {fn.__name__} shadows the Pipeline argument of that name, which can now be "
                "given only in @pipeline_def(...); rename it",
                stacklevel=level,
            )
    PipelineOptions.check_names(options)

    @functools.wraps(fn)
    def factory(*args: object, **kwargs: object) -> Pipeline:
        given = {name: kwargs.pop(name) for name in switches if name not in parameters and name in kwargs}
        _check_switches(given)
        branches, debug = ({**switches, **given}[name] for name in switches)
        own = {name: value for name, value in kwargs.items() if name in parameters}
        rest = {name: value for name, value in kwargs.items() if name not in parameters}
        for name in rest:
            if name not in mine:
                import difflib  # loaded here because every program runs this function

                close = difflib.get_close_matches(name, [*parameters, *mine], 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise ConfigTypeError(f"neither {fn.__name__} nor Pipeline has an argument {name!r}{hint}")
        pipeline = Pipeline(**{**options, **rest})
        session_of(pipeline).options.require_batch_size()
        if debug:
            from .debug_pipeline import debugged  # loaded here because only debug mode needs it

            return debugged(pipeline, lambda: convert_here(fn)(*args, **own), bool(branches))
        with pipeline.definition() as scope:
            scope.converts = bool(branches)
            outputs = convert_here(fn)(*args, **own)
            if outputs is None:
                raise GraphNotImplementedError(f"{fn.__name__} returned nothing; return the pipeline's outputs")
            pipeline.set_outputs(*(outputs if isinstance(outputs, tuple) else (outputs,)))
        return pipeline

    return factory


def _check_switches(switches: dict[str, Any]) -> None:
    for name, value in switches.items():
        if value not in (True, False, None):
            raise ConfigError(f"{name} must be True or False, got {value!r:.80}")
