"""Reads images from MXNet's RecordIO files."""

from __future__ import annotations

from jaxdali._feed.source.recordio import RecordIO
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import PATH, several
from ..declaration import REQUIRED, Operator, Param, Static
from .reader_params import ACCEPTED, CONTAINERS, READING, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["mxnet_reader"]

_PARAMS: tuple[Param, ...] = (
    Static("path", several(PATH), REQUIRED, "paths or URLs of the RecordIO files"),
    Static(
        "index_path",
        several(PATH),
        None,
        'an index file for each of `path`, with lines "KEY OFFSET", made by `im2rec`, `rec2idx` or `jaxdali index`; '
        "or a single one whose offsets count through all files. If it is not given, the records are located when the "
        "operator is created",
    ),
    *CONTAINERS,
    *hints("of an image and of its labels", 2),
)


def _spec(given: Params) -> ReaderSpec:
    data = RecordIO(given["path"], given["index_path"], **caching(given))
    return reader_spec("mxnet", data, given, outputs=2)


mxnet_reader = declare(
    Operator(
        name="readers.mxnet",
        doc=f"""Reads images and their labels from MXNet's RecordIO files, forever; DALI's `fn.readers.mxnet`.

    They come in the order of the files.

    {READING}""",
        params=_PARAMS,
        accepted={**ACCEPTED, "lazy_init": "indices are read when the operator is written"},
        devices=("cpu",),
        outputs=lambda _params: 2,
        returns="Two nodes: the bytes of the images, `uint8[size]`, and the labels, `float32[n]`, one or more.",
        raises={
            "OSError": "a file or an index cannot be read",
            "SourceDataError": "from `run`: a record is damaged; names the file and the byte",
        },
        source=_spec,
        describe=describe_reader,
    )
)
