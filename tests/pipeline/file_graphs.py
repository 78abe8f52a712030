"""Pipelines that begin with a source of files and labels."""

import front_sources
import numpy as np

from jaxdali import fn, pipeline_def


def draw(graph, **options):
    """Builds the pipeline of a graph; the first line of its function is a source of files and labels."""

    @pipeline_def(**{"batch_size": 2, "seed": 1, **options})
    def mine():
        return graph(*sources())

    return mine()


def sources(**options):
    return fn.external_source(front_sources.files_and_labels, num_outputs=2, batch=False, **options)


def constant(value=1.0):
    return fn.external_source(lambda: np.float32(value), batch=False)
