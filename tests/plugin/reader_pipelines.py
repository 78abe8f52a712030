"""Pipelines over files whose labels are their indices."""

from __future__ import annotations

import os

from jaxdali import fn, pipeline_def


def labels_of(length, batch_size, shard_id=0, num_shards=1, device_id=None, depth=2, **arguments):
    """A pipeline of the indices of `length` (empty) files, `int32[N, 1]`, read by a reader called "reader"."""

    @pipeline_def(batch_size=batch_size, py_num_workers=0, device_id=device_id, seed=4, prefetch_queue_depth=depth)
    def mine():
        files = [os.devnull] * length
        _, labels = fn.readers.file(files=files, name="reader", shard_id=shard_id, num_shards=num_shards, **arguments)
        return labels

    return mine()
