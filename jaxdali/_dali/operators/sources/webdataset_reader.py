"""Reads samples from tar archives."""

from __future__ import annotations

from jaxdali._base.dtypes import BOOL, FLOAT, INT32, UINT8, DALIDataType
from jaxdali._feed.source.webdataset import MISSING, WebDataset
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import DTYPE, FLAG, PATH, Kind, numpy_dtype, several
from ..declaration import REQUIRED, Operator, Param, Static
from .reader_params import ACCEPTED, CONTAINERS, READING, TEXT, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["webdataset_reader"]


def _behavior(word: str, value: object) -> str:
    """Reads the argument; as in DALI, it may be in upper case, or an empty string."""
    found = value.lower() or "empty" if isinstance(value, str) else value
    if found not in MISSING:
        raise ConfigError(f"{word} must be one of {', '.join(MISSING)}; got {value!r:.80}")
    return found


def _dtypes(word: str, value: object) -> tuple[DALIDataType, ...]:
    found = several(DTYPE).read(word, value)
    if BOOL in found:
        raise ConfigError(f"{word} cannot be BOOL; take UINT8, and compare with 0")
    return found


_PARAMS: tuple[Param, ...] = (
    Static("paths", several(PATH), REQUIRED, "paths or URLs of the archives; compressed archives are not supported"),
    Static(
        "ext",
        several(TEXT),
        REQUIRED,
        'file extension for each output: everything after the first dot of the name, such as "jpg" or "left.png". '
        'Several alternatives are separated by ";", such as "jpg;jpeg"; the file that comes first in the archive is '
        "used",
    ),
    Static(
        "index_paths",
        several(PATH),
        None,
        "an index file for each of `paths`, made by DALI's `wds2idx` or `jaxdali index`. If it is not given, the "
        "archives are scanned when the operator is created",
    ),
    Static(
        "dtypes",
        Kind("DALIDataType | Sequence[DALIDataType]", _dtypes, ((INT32,), (FLOAT,))),
        None,
        "for each output, the type of the numbers in the file, in little-endian order; by default `UINT8`, the bytes "
        "of the file",
    ),
    Static(
        "missing_component_behavior",
        Kind('Literal["empty", "skip", "error"]', _behavior, ("skip", "error")),
        "empty",
        "what happens if a sample has no file for an output: the output is empty, the sample is skipped, or an error "
        "is raised when the operator is created",
    ),
    Static("case_sensitive_extensions", FLAG, True, "whether extensions are case-sensitive"),
    *CONTAINERS,
    *hints("one number per output", None),
)


def _spec(given: Params) -> ReaderSpec:
    dtypes = given["dtypes"] or (UINT8,) * len(given["ext"])
    data = WebDataset(
        given["paths"],
        given["ext"],
        given["index_paths"],
        [numpy_dtype(dtype) for dtype in dtypes],
        given["missing_component_behavior"],
        given["case_sensitive_extensions"],
        **caching(given),
    )
    return reader_spec("webdataset", data, given, outputs=len(given["ext"]))


def _outputs(params: Params) -> int | None:
    return len(params["ext"]) if len(params["ext"]) > 1 else None


webdataset_reader = declare(
    Operator(
        name="readers.webdataset",
        doc=f"""Reads samples from tar archives, forever; DALI's `fn.readers.webdataset`.

    A sample are files in a row whose names differ behind their first dot only. Names that begin with a dot, links and
    folders do not count.

    Warnings of the logger "jaxdali" name the first sample that has several files for an output, of which the first
    counts, and the first one whose files do not lie together, so that they are two samples that lack some.

    Long names in PAX's archives count whole, where DALI cuts them off at 100 bytes.

    {READING}""",
        params=_PARAMS,
        accepted={**ACCEPTED, "lazy_init": "archives or indices are read when the operator is written"},
        devices=("cpu",),
        outputs=_outputs,
        returns="A node for each of `ext`: what its file holds, `uint8[size]`, or as many numbers of its type.",
        raises={
            "OSError": "an archive or an index cannot be read",
            "SourceDataError": "from `run`: an archive is shorter than its index says",
        },
        source=_spec,
        describe=describe_reader,
    )
)
