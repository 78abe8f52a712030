"""Pipelines that compute with nodes."""

from jaxdali import Pipeline, fn


def _giver(batch):
    return lambda: batch


def run(draw, *batches, layouts=None, size=None, **options):
    """The outputs of a graph whose sources return whole batches: arrays or lists."""
    size = size or len(batches[0])
    pipe = Pipeline(**{"batch_size": size, "seed": 1, "prefetch_queue_depth": 1, **options})
    layouts = layouts or [None] * len(batches)
    with pipe:
        nodes = [
            fn.external_source(_giver(batch), batch=True, layout=layout)
            for batch, layout in zip(batches, layouts, strict=True)
        ]
        outputs = draw(*nodes)
        pipe.set_outputs(*(outputs if isinstance(outputs, list | tuple) else [outputs]))
    return pipe.run()
