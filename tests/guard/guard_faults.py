"""Old faults of the package: what is written in a file today, and what was written there while the fault was in it."""

from __future__ import annotations

import dataclasses
import pathlib

__all__ = ["FAULTS", "Change", "Fault", "put_back"]


@dataclasses.dataclass(frozen=True)
class Change:
    """What stands in a file once, today and with the fault.

    Attributes:
        path: of the file, below the package.
        now: whole lines, or a part of one, that occur only once in it.
        before: what was there.
    """

    path: str
    now: str
    before: str


@dataclasses.dataclass(frozen=True)
class Fault:
    """An old fault.

    Attributes:
        why: what was wrong.
        tests: the files of the tests that came with the fix; they run first.
        changes: what puts it back.
    """

    why: str
    tests: tuple[str, ...]
    changes: tuple[Change, ...]


FAULTS: dict[str, Fault] = {
    "index below 0": Fault(
        "an index below 0 gave the last image without its objects, and a clip of another file",
        ("tests/source/test_indices.py",),
        (
            Change(
                "_feed/source/coco.py",
                "        if not 0 <= index < len(self):\n"
                '            raise IndexError(f"index {index} of {len(self)} images")\n',
                "",
            ),
            Change(
                "_feed/source/video.py",
                "        if not 0 <= index < len(self):\n"
                '            raise IndexError(f"index {index} of {len(self)} clips")\n',
                "",
            ),
        ),
    ),
    "region behind its array": Fault(
        "a region that begins behind its array was an array of nothing",
        ("tests/readers/test_numpy_reader.py",),
        (
            Change(
                "_feed/source/numpy_files.py",
                "            if stops[axis] < starts[axis]:\n",
                "            if end is None and size is None:\n"
                "                stops[axis] = max(stops[axis], starts[axis])\n"
                "            if stops[axis] < starts[axis]:\n",
            ),
        ),
    ),
    "empty list": Fault(
        "an empty list was taken for a leaf",
        ("tests/loader/test_loader_ragged.py",),
        (Change("_loader/sample_spec.py", "    if structure.empty_lists:\n", "    if False:\n"),),
    ),
    "bounds and values": Fault(
        "bounds of a draw were ignored where they were given for each sample, beside the values to draw from",
        ("tests/random/test_draws.py",),
        (Change("_device/random/draws.py", "(traced or np.ndim(minval) or np.ndim(maxval) or ", "(traced or "),),
    ),
    "byte order mark": Fault(
        "a list of files that begins with a byte order mark named a file that is not there",
        ("tests/readers/test_mixed_up_files.py",),
        (
            Change(
                "_dali/readers/listing.py",
                'open(path, encoding="utf-8-sig", errors',
                'open(path, encoding="utf-8", errors',
            ),
        ),
    ),
    "times of frames": Fault(
        "times of frames did not count from the first frame of their file",
        ("tests/readers/test_video_reader.py",),
        (Change("_feed/source/video.py", "shown[there] - shown[0]", "shown[there]"),),
    ),
    "directories of TIFF": Fault(
        "only the first directory of a TIFF file was bounded",
        ("tests/test_hostile_images.py",),
        (Change("_base/formats/pixel_decoding.py", "(directory, *directory.further())", "(directory,)"),),
    ),
    "checked bools": Fault(
        "enable_checkpointing was not checked as other bools are",
        ("tests/pipeline/test_options.py",),
        (Change("_dali/planner/options.py", '("set_affinity", "enable_checkpointing", ', '("set_affinity", '),),
    ),
    "stored orientation": Fault(
        "images decoded in workers were turned where they were asked for as they are stored",
        ("tests/pipeline/test_orientation.py",),
        (Change("_base/formats/pixel_decoding.py", "if turn is None or as_stored else", "if turn is None else"),),
    ),
    "batch size of a sampler": Fault(
        "a sampler of another batch size was accepted",
        ("tests/source/test_pack.py",),
        (Change("_loader/loader_arguments.py", "    if own != batch_size:\n", "    if own is None:\n"),),
    ),
    "given widths": Fault(
        "the shape of a leaf with given widths was that of the first sample",
        ("tests/loader/test_loader_ragged.py",),
        (Change("_loader/augment_program.py", "    if column.extents:\n", "    if False:\n"),),
    ),
    "memory of feeds": Fault(
        "memory of feeds was not measured where statistics of it were asked for",
        ("tests/pipeline/test_memory_statistics.py",),
        (Change("_dali/planner/feed_setup.py", "        measured=options.enable_memory_stats,\n", ""),),
    ),
}


def put_back(package: pathlib.Path, fault: Fault) -> dict[str, str]:
    """Returns the text with the fault of each file that it changes, by its path below the package.

    Args:
        package: the folder of jaxdali's sources.

    Raises:
        ValueError: a text does not stand once in its file, as it is written today: see what the file has in its place,
            and write that into FAULTS, or another fault.
    """
    texts: dict[str, str] = {}
    for change in fault.changes:
        text = texts.get(change.path) or (package / change.path).read_text()
        if (found := text.count(change.now)) != 1:
            raise ValueError(
                f"{change.path} has {change.now!r} {found} times, not once; mend the entry of {fault.why!r}"
            )
        texts[change.path] = text.replace(change.now, change.before)
    return texts
