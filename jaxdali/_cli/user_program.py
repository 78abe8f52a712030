"""Loads a Loader or a Pipeline from a user's program, named as `program.py:name`."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from typing import TYPE_CHECKING, Any

from jaxdali.errors import ConfigError

if TYPE_CHECKING:
    from jaxdali._dali.pipeline.pipeline import Pipeline
    from jaxdali._loader.loader import Loader

__all__ = ["ListBatches", "LoaderBatches", "PipelineBatches", "batches_of", "is_program", "load"]

# The name of the module of a program. It is reserved, so that a program's file may have any name.
_MODULE = "_jaxdali_bench_program"


def is_program(path: str) -> bool:
    """Whether this names a program rather than a folder."""
    return not os.path.isdir(path) and path.partition(":")[0].endswith(".py")


def load(path: str) -> object:
    """Runs a program to its end, not as `__main__`, and returns its `name`; if that is a function, calls it and returns
    the result.

    Raises:
        ConfigError: the file or name does not exist, or the function needs arguments.
        Exception: what the program raises.
    """
    file, _, name = path.partition(":")
    if not name:
        raise ConfigError(f"{path}: choose the Loader or Pipeline in it: {path}:NAME")
    if not os.path.isfile(file):
        raise ConfigError(f"{file}: there is no such file")
    module = _run(os.path.abspath(file))
    try:
        found = getattr(module, name)
    except AttributeError:
        raise ConfigError(f"{file} has no {name!r} at its top level{_others(module)}") from None
    if not callable(found):
        return found
    _check_takes_nothing(found, path)
    return found()  # also a class of pipelines


def _check_takes_nothing(function: Any, path: str) -> None:
    """Raises ConfigError if it cannot be called without arguments."""
    try:
        inspect.signature(function).bind()
    except ValueError:  # a callable without a signature
        return
    except TypeError as error:
        raise ConfigError(
            f"{path} is called without arguments, but {error}: give it a default, or write a function that calls it"
        ) from None


def _run(file: str) -> object:
    import cloudpickle

    sys.path.insert(0, os.path.dirname(file))  # as `python file` does
    spec = importlib.util.spec_from_file_location(_MODULE, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    # Workers cannot import the module by that name, so its objects are pickled by value, like those of __main__.
    cloudpickle.register_pickle_by_value(module)
    spec.loader.exec_module(module)
    return module


def _others(module: object) -> str:
    from jaxdali._dali.pipeline.pipeline import Pipeline
    from jaxdali._loader.loader import Loader

    names = [name for name, value in vars(module).items() if isinstance(value, Loader | Pipeline)]
    return (
        f"; it has {', '.join(names)}"
        if names
        else "; make the Loader or the Pipeline there, or in a function of that name"
    )


def batches_of(found: object, path: str) -> LoaderBatches | PipelineBatches:
    """Returns the batches to measure.

    Raises:
        ConfigError: it is neither a Loader nor a Pipeline.
    """
    from jaxdali._dali.pipeline.pipeline import Pipeline
    from jaxdali._loader.loader import Loader

    if isinstance(found, Loader):
        return LoaderBatches(found)
    if isinstance(found, Pipeline):
        return PipelineBatches(found)
    raise ConfigError(
        f"{path}: expected a jaxdali.Loader, a Pipeline, or a function without arguments that returns one, got "
        f"{type(found).__name__}; for an iterator, name its pipeline"
    )


class LoaderBatches:
    """Batches of a Loader, from its first step on, regardless of its position."""

    kind = "Loader"

    def __init__(self, loader: Loader):
        self.stats = loader.stats
        self.close = loader.close
        self._loader = loader
        loader.seek(0)
        self._steps = loader.enumerate()

    def next(self) -> Any:
        import jax

        try:
            _, batch = next(self._steps)
        except StopIteration:
            self._loader.seek(0)
            self._steps = self._loader.enumerate()
            _, batch = next(self._steps)
        return jax.block_until_ready(batch)


class PipelineBatches:
    """Batches of a Pipeline. Its workers are started first of all."""

    kind = "Pipeline"

    def __init__(self, pipeline: Pipeline):
        self.stats = pipeline.stats
        self.close = pipeline.close
        self._pipeline = pipeline
        pipeline.start_py_workers()

    def next(self) -> Any:
        import jax

        try:
            batch = self._pipeline.run_arrays()
        except StopIteration:
            self._pipeline.reset()
            batch = self._pipeline.run_arrays()
        return jax.block_until_ready(batch)


class ListBatches(PipelineBatches):
    """Batches of a Pipeline whose samples may differ in shape: the first sample of each output."""

    def next(self) -> Any:
        return [output.as_cpu().at(0) for output in self._pipeline.run()]
