"""`jaxdali index`: where the records of files lie, written down beside them, for readers of this library and DALI's."""

from __future__ import annotations

import argparse
import os
import sys

from ..errors import ConfigError
from .names import shown

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="of TFRecords, NAME.rec of RecordIO, or NAME.tar of WebDataset"
    )
    parser.add_argument("--output", metavar="FOLDER", help="where the indices go (default: beside each file)")


def run(arguments: argparse.Namespace) -> int:
    """Writes FILE.idx for each file: where its records lie, so that no reader has to look for them."""
    from ..records.index_files import write_text

    if arguments.output is not None and not os.path.isdir(arguments.output):
        raise ConfigError(f"--output {shown(arguments.output)}: there is no such folder; make it first")
    for number, path in enumerate(arguments.files, 1):
        text, count = _index(path)
        folder, name = os.path.split(path)
        index = os.path.join(folder if arguments.output is None else arguments.output, f"{name}.idx")
        write_text(index, text)
        print(f"{number}/{len(arguments.files)} {shown(index)}: {count} records", file=sys.stderr, flush=True)
    return 0


def _index(path: str) -> tuple[str, int]:
    """The text of an index, and how many records it has."""
    if path.endswith(".rec"):
        from ..records.recordio import index_recordio

        places = index_recordio(path)
        return "".join(f"{key}\t{offset}\n" for key, (offset, _) in enumerate(places.tolist())), len(places)
    if path.endswith(".tar"):
        from ..records.webdataset import samples_in_tar, samples_text

        return samples_text(samples_in_tar(path), path)
    from ..records.index_files import places_text
    from ..records.tfrecord import index_tfrecord

    places = index_tfrecord(path)
    return places_text(places), len(places)
