"""Reads NumPy's files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import numpy as np

from jaxdali._feed.records.index_files import read_text
from jaxdali._feed.source.numpy_files import POLICIES, NumpyFiles, Window, find_arrays
from jaxdali._feed.storage.urls import absolute, joined
from jaxdali.errors import ConfigError
from ...graph.call import Call, DataNode, Params
from ...graph.declarations import declare, operator_named
from ..argument_kinds import NUMBER, NUMBERS, PATH, Kind, choice, several
from ..declaration import Operator, Param, PerSample, Static
from .reader_params import ACCEPTED, READING, SHARDING, TEXT, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["numpy_reader"]

# Arguments of the region, and what they are to `fn.slice`.
_REGION = {
    f"{relative}roi_{name}": f"{relative}{name}" for name in ("start", "end", "shape") for relative in ("", "rel_")
}


def _fractions(word: str, value: object) -> tuple[float, ...]:
    found = NUMBERS.read(word, value)
    found = found if isinstance(found, tuple) else (found,)
    if not found or not all(isinstance(one, float) and abs(one) < 1 << 31 for one in found):
        raise ConfigError(f"{word} must be a number for each axis, got {value!r:.80}")
    return found


def _whole(word: str, value: object) -> tuple[int, ...]:
    found = _fractions(word, value)
    if any(one != int(one) for one in found):
        raise ConfigError(f"{word} must be whole numbers, got {value!r:.80}")
    return tuple(map(int, found))


def _none_or(read: Callable[[str, object], tuple[float, ...]]) -> Callable[[str, object], tuple[float, ...]]:
    return lambda word, value: () if isinstance(value, list | tuple) and not value else read(word, value)


_FRACTIONS = Kind("float | Sequence[float]", _none_or(_fractions), ((0.5,), (0.5, 0.25)))
_WHOLE = Kind("int | Sequence[int]", _none_or(_whole), ((1,), (1, 2)))
_AXES = Kind("int | Sequence[int]", _none_or(_whole), (0, 1))

_PARAMS: tuple[Param, ...] = (
    Static(
        "file_root",
        PATH,
        None,
        "a folder that is searched for files, and the folders right in it, but none deeper; or the folder to which relative "
        "paths refer",
    ),
    Static("file_filter", TEXT, "*.npy", "only with `file_root` alone: a pattern that file names must match"),
    Static("files", several(PATH), None, "paths or URLs of the files"),
    Static(
        "file_list",
        PATH,
        None,
        "path of a text file with one path per line. Without `file_root`, paths are relative to its folder",
    ),
    PerSample(
        "roi_start",
        None,
        "where the region to read begins in each array; one number per axis, or one for all. If an argument of the region "
        "is a node, arrays are read whole, and cut by `fn.slice`",
        _WHOLE,
    ),
    PerSample("rel_roi_start", None, "where the region begins, in fractions of the array", _FRACTIONS),
    PerSample("roi_end", None, "where the region ends (exclusive)", _WHOLE),
    PerSample("rel_roi_end", None, "where the region ends, in fractions of the array", _FRACTIONS),
    PerSample("roi_shape", None, "size of the region, instead of its end", _WHOLE),
    PerSample("rel_roi_shape", None, "size of the region, in fractions of the array, instead of its end", _FRACTIONS),
    Static(
        "roi_axes",
        _AXES,
        (),
        "axes that these arguments refer to; negative ones count from the last. By default all axes",
    ),
    Static(
        "out_of_bounds_policy",
        choice(*POLICIES, any_case=True, also={"constant": "pad"}),
        "error",
        "what happens if the region exceeds the array: an error, padding with `fill_value`, or the region is cut off",
    ),
    Static("fill_value", NUMBER, 0.0, 'value of the padding with `out_of_bounds_policy`="pad"'),
    *SHARDING,
    *hints("of the array", 1),
)


def _window(given: Params) -> Window | None:
    found = {}
    groups = {
        "start": ("roi_start", "rel_roi_start"),
        "end": ("roi_end", "rel_roi_end"),
        "shape": ("roi_shape", "rel_roi_shape"),
    }
    for name, (plain, relative) in groups.items():
        if given[plain] is not None and given[relative] is not None:
            raise ConfigError(f"{plain} and {relative} cannot be given together")
        if given[plain] is not None or given[relative] is not None:
            found[name] = given[plain] if given[relative] is None else given[relative]
            found[f"rel_{name}"] = given[relative] is not None
    if "end" in found and "shape" in found:
        raise ConfigError("the end and the shape of a region cannot be given together; give one of them")
    # A list without numbers says nothing about any axis.
    found = {name: value for name, value in found.items() if value != ()}
    if not found:
        return None
    return Window(axes=given["roi_axes"], **found, policy=given["out_of_bounds_policy"], fill=given["fill_value"])


def _files(given: Params) -> list[str]:
    root, files, file_list = (given[name] for name in ("file_root", "files", "file_list"))
    if files is not None and file_list is not None:
        raise ConfigError("File paths can be provided through `files` or `file_list` but not both.")
    if files is not None:
        if not files:
            raise ConfigError("`files` specified an empty list.")
        return [joined(absolute(root or ""), file) for file in files]
    if file_list is not None:
        base = os.path.dirname(absolute(file_list)) if root is None else absolute(root)
        return [joined(base, os.fsdecode(line)) for line in read_text(absolute(file_list)).splitlines() if line.strip()]
    if root is None:
        raise ConfigError("`file_root` argument is required when not using `files` or `file_list`.")
    found = find_arrays(absolute(root), given["file_filter"])
    if not found:
        raise ConfigError(f"No files found in {root!r} or its folders that match {given['file_filter']!r}")
    return found


def _spec(given: Params) -> ReaderSpec:
    return reader_spec("numpy", NumpyFiles(_files(given), _window(given), **caching(given)), given, outputs=1)


class _NumpyReader(Operator):
    """Reads arrays whole if the region depends on data, since workers know no nodes."""

    def add_to_graph(self, inputs: Sequence[object], arguments: Params, first: Call | None = None) -> object:
        if not any(isinstance(arguments.get(name), DataNode) for name in _REGION):
            return super().add_to_graph(inputs, arguments, first)
        region = {
            _REGION[name]: value
            for name, value in arguments.items()
            if name in _REGION and value is not None and (isinstance(value, DataNode) or np.size(value))
        }
        cut = {name: arguments.get(name) for name in ("roi_axes", "out_of_bounds_policy", "fill_value")}
        rest = {name: value for name, value in arguments.items() if name not in (*_REGION, *cut)}
        axes, fill = cut["roi_axes"], cut["fill_value"]
        return operator_named("slice")(
            super().add_to_graph(inputs, rest, first),
            **region,
            axes=() if axes is None else axes,  # no axes are all axes
            out_of_bounds_policy=cut["out_of_bounds_policy"],
            fill_values=fill,
        )


numpy_reader = declare(
    _NumpyReader(
        name="readers.numpy",
        doc=f"""Reads arrays from NumPy's files, forever; DALI's `fn.readers.numpy`.

    Two readers with one `seed` stay in step, as of images and of labels.

    {READING}""",
        params=_PARAMS,
        accepted={
            **ACCEPTED,
            "lazy_init": "files are listed when the operator is written",
            "cache_header_information": "a header is read with its array",
            "register_buffers": "files are read by the host",
            "use_o_direct": "files are read through the system's cache",
        },
        devices=("cpu",),
        returns="A node: the array of each file, rows first, of bools, integers, or floats of 16 to 64 bits.",
        raises={
            "OSError": "a folder or the list cannot be read. That of a file comes as SourceError from `run`, with its path",
            "SourceDataError": "from `run`: a file is not an array of numbers, is cut off, or has not what is wanted",
        },
        source=_spec,
        describe=describe_reader,
    )
)
