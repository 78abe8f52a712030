"""Passes files that came from no source to decoders."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from jaxdali._base.cpus import decode_processes
from jaxdali._base.dtypes import UINT8
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._feed.source.push_source import FedSource
from jaxdali._run.executor.host_stage import HostStage
from ..graph.call import Call, DataNode
from .feed_setup import make_feeds
from .graph_decoding import reads_as_stored
from .options import PipelineOptions
from .plan import FeedPlan, Plan

__all__ = ["EncodedFiles"]


class EncodedFiles:
    """Puts files that came from no source into a slot for a decoder. Files other than JPEG are decoded on their way
    there.

    Args:
        files: the node of the files.
        users: the decoder calls that take it.
    """

    def __init__(self, files: DataNode, users: Sequence[Call], options: PipelineOptions):
        self._fed = FedSource(blocking=False, repeat_last=False, no_copy=True)
        self.column = Column(
            name=files.name,
            encoded=True,
            dtype=UINT8,
            ndim=1,
            fed=self._fed,
            max_image_pixels=options.max_image_pixels,
            decoders=decode_processes(options.num_threads) if options.worker_count else 1,
            threads=1 if options.worker_count else decode_processes(options.num_threads),
            as_stored=reads_as_stored(files, users),
        )
        plan = FeedPlan(users[0], self._fed, [self.column], parallel=False, depth=0, length=None, sample_bytes=0)
        options = dataclasses.replace(options, py_num_workers=0)
        self._batch_size = options.batch_size
        self._host = HostStage(make_feeds(Plan([plan], {}, []), options), options.batch_size)

    def put(self, files: Sequence[np.ndarray]) -> HostColumn:
        """Returns the column of a batch of files. The column holds its slot as long as it exists.

        Raises:
            SourceDataError: the files are not bytes.
        """
        self._fed.feed(list(files), self._batch_size)
        (batch,) = self._host.take().batches
        return batch.columns[0]

    def close(self) -> None:
        """Releases the slots."""
        self._host.close()
