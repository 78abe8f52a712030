"""The decorator that turns a function into a factory of pipelines."""

from __future__ import annotations

import difflib
import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, overload

from ..errors import ConfigError
from ..planner.options import PipelineOptions
from .pipeline import Pipeline

__all__ = ["do_not_convert", "pipeline_def"]


_F = TypeVar("_F")


def do_not_convert(function: _F) -> _F:
    """Returns `function`; DALI's decorator that keeps a source from being rewritten. Nothing is rewritten here."""
    return function


@overload
def pipeline_def(fn: Callable[..., Any], /) -> Callable[..., Pipeline]: ...
@overload
def pipeline_def(
    *, enable_conditionals: bool = False, **options: Any
) -> Callable[[Callable[..., Any]], Callable[..., Pipeline]]: ...
def pipeline_def(fn: Callable[..., Any] | None = None, *, enable_conditionals: bool = False, **options: Any) -> Any:
    """Makes a function that draws a graph into a factory of pipelines; DALI's decorator.

    The factory takes the function's own arguments, and those of `Pipeline`, which win over those given here.

    Args:
        fn: returns the pipeline's outputs: a DataNode, or a tuple or list of them. Among them may be constants,
            see `Pipeline.set_outputs`.
        enable_conditionals: `fn` may branch on nodes, as in DALI. It is accepted of a function that does not; a branch on a
            node is refused where it stands, with or without this. The factory takes it, too.
        options: arguments of `Pipeline`.

    Raises:
        TypeError: `fn` has a variadic keyword argument, or a factory is called with an argument that nobody has; or `fn`
            asks whether a node is true (`if node:`, `node and other`, `not node`), and the text says where.
        ConfigError: `options` has a name that Pipeline does not have.
    """
    _check_switch(enable_conditionals)
    if fn is None:
        return functools.partial(_make_factory, options=options, level=2)
    return _make_factory(fn, options=options, level=3)


def _make_factory(fn: Callable[..., Any], options: dict[str, Any], level: int) -> Callable[..., Pipeline]:
    """`level`: how many frames above this function's the user is."""
    parameters = inspect.signature(fn).parameters
    for parameter in parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            raise TypeError(
                f"{fn.__name__} has a variadic keyword argument (**{parameter.name}), so that its arguments and those of "
                "Pipeline cannot be told apart; name them"
            )
    mine = PipelineOptions.names()
    for name in parameters:
        if name in mine:
            warnings.warn(
                f"the argument {name!r} of {fn.__name__} shadows the Pipeline's of the same name, which can now be "
                "given in @pipeline_def(...) only; rename it",
                stacklevel=level,
            )
    PipelineOptions.check_names(options)

    @functools.wraps(fn)
    def factory(*args: Any, **kwargs: Any) -> Pipeline:
        if "enable_conditionals" not in parameters:
            _check_switch(kwargs.pop("enable_conditionals", False))
        own = {name: value for name, value in kwargs.items() if name in parameters}
        rest = {name: value for name, value in kwargs.items() if name not in parameters}
        for name in rest:
            if name not in mine:
                close = difflib.get_close_matches(name, [*parameters, *mine], 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise TypeError(f"neither {fn.__name__} nor Pipeline has an argument {name!r}{hint}")
        pipeline = Pipeline(**{**options, **rest})
        with pipeline.definition():
            outputs = fn(*args, **own)
            if outputs is None:
                raise ConfigError(f"{fn.__name__} returned nothing; return the pipeline's outputs")
            pipeline.set_outputs(*(outputs if isinstance(outputs, tuple) else (outputs,)))
        return pipeline

    return factory


def _check_switch(enable_conditionals: Any) -> None:
    if enable_conditionals not in (True, False, None):
        raise ConfigError(f"enable_conditionals must be True or False, got {enable_conditionals!r:.80}")
