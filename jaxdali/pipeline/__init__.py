"""Pipelines: a function defines a graph, which is run batch by batch. Importing this loads no jax."""

from jaxdali._dali.control.function_conversion import do_not_convert as do_not_convert
from jaxdali._dali.graph.call import DataNode as DataNode
from jaxdali._dali.graph.newaxis import newaxis as newaxis
from jaxdali._dali.pipeline.pipeline import Pipeline as Pipeline
from jaxdali._dali.pipeline.pipeline import session_of as session_of
from jaxdali._dali.pipeline.pipeline_decorator import pipeline_def as pipeline_def
from jaxdali._dali.planner.options import OperatorConcurrency as OperatorConcurrency
from jaxdali._dali.planner.options import PipelineOptions as PipelineOptions
from jaxdali._dali.planner.options import StreamPolicy as StreamPolicy

__all__ = [
    "DataNode",
    "OperatorConcurrency",
    "Pipeline",
    "PipelineOptions",
    "StreamPolicy",
    "do_not_convert",
    "newaxis",
    "pipeline_def",
    "session_of",
]


def __dir__() -> list[str]:
    return __all__
