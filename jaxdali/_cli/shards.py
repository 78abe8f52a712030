"""Shards of each format, as `view` and `bench` read them."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._feed.source.file_format import FileFormat
from jaxdali.errors import ConfigError, SourceDataError
from .image_inputs import Content, size_of_files
from .source_rows import rows

__all__ = ["arrays", "coco", "content_of", "databases"]

# The frames of a clip that `bench` reads, and the clips of a batch: 200 MB for 1920 x 1080 pixels.
_FRAMES, _CLIPS = 8, 4
# The limit on the bytes of a batch of arrays.
_BATCH_BYTES = 1 << 28
_LARGEST_BATCH = 64
# The number of samples of an archive that are searched for file extensions.
_LOOKED_AT = 16


def content_of(source: Callable[..., Any], form: FileFormat, paths: Sequence[str]) -> Content:
    """Reads files with the reader of their format; with their source, a class of `jaxdali.source`, if there is none."""
    read = _READERS.get(form.name)
    return rows(source, form, paths) if read is None else read(paths)


def _tfrecords(paths: Sequence[str]) -> Content:
    """Reads TFRecord files: all features of the first Example, but those of several strings, which are no array; decodes
    the first feature that is an image.
    """
    from jaxdali import fn
    from jaxdali._base.formats.format_names import recognise
    from jaxdali._feed.records.example import features_of, parse_example
    from jaxdali._feed.records.tfrecord_file import first_payload
    from jaxdali._feed.source.tfrecord import TFRecords

    example = first_payload(paths[0])
    try:
        found = features_of(example)
        values = parse_example(example, found)
    except SourceDataError as error:
        raise SourceDataError(f"{paths[0]}, its first record: {error}") from None
    features = {name: feature for name, feature in found.items() if not isinstance(values[name], list)}
    if not features:
        lists = f" but {', '.join(map(repr, found))}, lists of strings, which are no arrays" if found else ""
        raise ConfigError(f"{paths[0]}: its first Example has no feature{lists}, so there is nothing to read")
    image = next((name for name, value in values.items() if isinstance(value, bytes) and recognise(value)), None)
    names = [name for name in features if name != image]
    names = names if image is None else [image, *names]
    indices = _indices(paths)

    def nodes(name: str) -> list[Any]:
        read = fn.readers.tfrecord(path=list(paths), index_path=indices, features=features, name=name)
        return [read[one] for one in names]

    return Content(
        **{"kind": "TFRecord", "unit": "records" if image is None else "images", "paths": paths, "nodes": nodes},
        encoded=image is not None,
        data=lambda: TFRecords(paths, {image: features[image]} if image is not None else features, indices),
        shown=operator.itemgetter(image),
        bytes_of=lambda: size_of_files(paths),
        why=_no_image(paths[0], "feature of its first record", list(found)) if image is None else None,
    )


def _archives(paths: Sequence[str]) -> Content:
    """Reads tar archives: the kinds of files in the first samples; decodes images."""
    from jaxdali import fn
    from jaxdali._feed.source.webdataset import WebDataset

    extensions = _extensions(paths[0])
    plain = [ext for ext in extensions if _is_image(ext) and "." not in ext]
    image = ";".join(plain) or next(filter(_is_image, extensions), None)
    others = [ext for ext in extensions if ext not in plain and ext != image]
    wanted = others if image is None else [image, *others]
    indices = _indices(paths)

    def nodes(name: str) -> list[Any]:
        found = fn.readers.webdataset(paths=list(paths), ext=wanted, index_paths=indices, name=name)
        return list(found) if isinstance(found, list | tuple) else [found]

    return Content(
        **{"kind": "WebDataset", "unit": "samples" if image is None else "images", "paths": paths, "nodes": nodes},
        encoded=image is not None,
        data=lambda: WebDataset(paths, [image or wanted[0]], indices),
        shown=operator.itemgetter(image),
        bytes_of=lambda: size_of_files(paths),
        why=_no_image(paths[0], "file of its first samples", extensions) if image is None else None,
    )


def _record_files(paths: Sequence[str]) -> Content:
    """Reads MXNet's RecordIO files of images."""
    from jaxdali import fn
    from jaxdali._feed.source.recordio import RecordIO

    indices = _indices(paths, replaced=True)
    return Content(
        **{"kind": "RecordIO", "unit": "images", "paths": paths, "encoded": True},
        nodes=lambda name: fn.readers.mxnet(path=list(paths), index_path=indices, name=name),
        data=lambda: RecordIO(paths, indices),
        shown=operator.itemgetter("image"),
        bytes_of=lambda: size_of_files(paths),
    )


def databases(paths: Sequence[str]) -> Content:
    """Reads LMDB databases of Caffe or Caffe2, depending on the first value."""
    from jaxdali import fn
    from jaxdali._feed.source.lmdb import Caffe, Caffe2

    data: Any = Caffe(paths, label=False)
    try:
        first = data[0]["image"]
    except SourceDataError as error:
        data = Caffe2(paths, label_type=4)
        try:
            first = data[0]["image"]
        except SourceDataError as other:
            raise SourceDataError(
                f"{other}; and as Caffe's Datum: {error}. For databases of anything else, write a source for "
                "jaxdali.Loader or fn.external_source"
            ) from None

    def nodes(name: str) -> list[Any]:
        if isinstance(data, Caffe):
            return list(fn.readers.caffe(path=list(paths), name=name))
        return [fn.readers.caffe2(path=list(paths), label_type=4, name=name)]

    return Content(
        **{"kind": f"LMDB, of {type(data).__name__}", "unit": "images", "paths": paths, "nodes": nodes},
        encoded=isinstance(first, bytes),
        data=lambda: data,
        shown=operator.itemgetter("image"),
        bytes_of=lambda: size_of_files(data.records.paths),
    )


def arrays(paths: Sequence[str]) -> Content:
    """Reads NumPy's files."""
    from jaxdali import fn
    from jaxdali._feed.source.numpy_files import NumpyFiles

    each = max(NumpyFiles(paths[:1])[0].nbytes, 1)
    return Content(
        **{"kind": "NumPy", "unit": "arrays", "paths": paths, "encoded": False},
        nodes=lambda name: [fn.readers.numpy(files=list(paths), name=name)],
        data=lambda: NumpyFiles(paths),
        shown=lambda array: array,
        bytes_of=lambda: size_of_files(paths),
        batch_size=min(max(_BATCH_BYTES // each, 1), _LARGEST_BATCH),
    )


def _videos(paths: Sequence[str]) -> Content:
    """Reads videos: `bench` reads consecutive clips, and `view` shows single frames."""
    from jaxdali import fn
    from jaxdali._feed.source.video import VideoClips

    return Content(
        **{"kind": "video", "unit": "clips", "paths": paths, "encoded": False, "batch_size": _CLIPS},
        nodes=lambda name: [fn.readers.video(filenames=list(paths), sequence_length=_FRAMES, name=name)],
        data=lambda: VideoClips(paths, 1),
        shown=lambda clip: clip["frames"][0],
        bytes_of=lambda: size_of_files(paths),
    )


def coco(annotations: str, root: str) -> Content:
    """Reads a folder of images with annotations in COCO's format."""
    from jaxdali import fn
    from jaxdali._feed.source.coco import COCO

    data = functools.cache(lambda: COCO(root, annotations))
    return Content(
        **{"kind": "COCO", "unit": "images", "paths": [root], "encoded": True, "is_folder": True, "data": data},
        nodes=lambda name: fn.readers.coco(file_root=root, annotations_file=annotations, name=name),
        shown=operator.itemgetter("image"),
        bytes_of=lambda: size_of_files([data().source_info(index) for index in range(len(data()))]),
    )


def _indices(paths: Sequence[str], replaced: bool = False) -> list[str] | None:
    """Returns the index files of all files: PATH.idx, or with `replaced` also the path with its ending replaced. None
    if any is missing.
    """
    from jaxdali._feed.storage.urls import is_remote

    for name in (lambda path: f"{path}.idx", lambda path: f"{os.path.splitext(path)[0]}.idx")[: 1 + replaced]:
        found = [name(path) for path in paths]
        if all(not is_remote(path) and os.path.isfile(path) for path in found):
            return found
    return None


def _extensions(path: str) -> list[str]:
    """Returns the file extensions in the first samples, in the order in which they first occur."""
    from itertools import islice

    from jaxdali._feed.records.tar_samples import samples_in_tar

    found: dict[str, None] = {}
    for sample in islice(samples_in_tar(path), _LOOKED_AT):
        found |= dict.fromkeys(one.ext for one in sample if one.ext)
    if not found:
        raise ConfigError(
            f"{path} has no file with an extension; extensions name the parts of a sample in a tar archive"
        )
    return list(found)


def _is_image(ext: str) -> bool:
    from jaxdali._feed.source.folder import EXTENSIONS

    return f".{ext}".lower().endswith(EXTENSIONS)


def _no_image(path: str, what: str, names: Sequence[str]) -> str:
    return (
        f"{path}: no {what} is an image; there are {', '.join(map(repr, names[:10]))}. `jaxdali bench` measures how fast "
        "they are read"
    )


_READERS: dict[str, Callable[[Sequence[str]], Content]] = {
    "LMDB": databases,
    "NumPy": arrays,
    "RecordIO": _record_files,
    "TFRecord": _tfrecords,
    "WebDataset": _archives,
    "video": _videos,
}
