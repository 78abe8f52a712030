"""Pipelines: a graph drawn by a function, run batch by batch. Importing this loads no jax."""

from .definition import pipeline_def as pipeline_def
from .node import DataNode as DataNode
from .pipeline import Pipeline as Pipeline

__all__ = ["DataNode", "Pipeline", "pipeline_def"]
