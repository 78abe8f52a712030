"""Pipelines: a graph drawn by a function, run batch by batch. Importing this loads no jax."""

from .decorator import do_not_convert as do_not_convert
from .decorator import pipeline_def as pipeline_def
from .node import DataNode as DataNode
from .options import PipelineOptions as PipelineOptions
from .pipeline import Pipeline as Pipeline
from .pipeline import session_of as session_of
from .subscript import newaxis as newaxis

__all__ = ["DataNode", "Pipeline", "PipelineOptions", "do_not_convert", "newaxis", "pipeline_def", "session_of"]
