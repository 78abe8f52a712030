"""Files that are decoded and also used otherwise, for example returned beside their images.

Files that are not JPEG become pixels where they are read, so their bytes are stored once more, in a column of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.call import Call, DataNode
from ..graph.graph import Graph
from .graph_decoding import takes_files

__all__ = ["split_files"]


def split_files(graph: Graph) -> dict[Call, list[DataNode]]:
    """Gives the calls that read files a node of their own, if a source's files are also used otherwise.

    Returns:
        For each source, these nodes. Each stands for the output of the same index.
    """
    readers: dict[DataNode, list[Call]] = {}
    for call in graph.calls:
        # A graph may be planned again, after an error.
        if takes_files(call) and call.inputs[0].call.source is not None:
            files = call.inputs[0].call.outputs[call.inputs[0].index]
            call.inputs = (files, *call.inputs[1:])
            readers.setdefault(files, []).append(call)
    found: dict[Call, list[DataNode]] = {}
    for files, calls in readers.items():
        if _used_otherwise(files, graph):
            alone = DataNode(files.call, files.index, files.numbered)
            for call in calls:
                call.inputs = (alone, *call.inputs[1:])
            found.setdefault(files.call, []).append(alone)
    return found


def _used_otherwise(files: DataNode, graph: Graph) -> bool:
    returned: Sequence[DataNode] = [*graph.outputs, *graph.sinks]
    arguments = (node for call in graph.calls for node in call.dependencies[takes_files(call) :])
    return any(node is files for node in (*returned, *arguments))
