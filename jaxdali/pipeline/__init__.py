"""Pipelines: a function defines a graph, which is run batch by batch. Importing this loads no jax."""

from ..control import do_not_convert as do_not_convert
from ..graph.call import DataNode as DataNode
from ..graph.newaxis import newaxis as newaxis
from ..planner.options import OperatorConcurrency as OperatorConcurrency
from ..planner.options import PipelineOptions as PipelineOptions
from ..planner.options import StreamPolicy as StreamPolicy
from .decorator import pipeline_def as pipeline_def
from .pipeline import Pipeline as Pipeline
from .pipeline import session_of as session_of

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
