"""The pages of operators and galleries: everything has a summary and an example, which runs and gives what its page says."""

from __future__ import annotations

import dataclasses
import inspect
import pathlib
import re
import sys

import house_rules
import pytest
from lmdb_files import datum, tensor, tensors, write_lmdb
from operator_cases import ALL, COMPOSED
from recordio_files import image_record, write_recordio
from tfrecord_files import write_tfrecord
from tiers import gate
from video_files import write_video
from webdataset_files import write_tar

from jaxdali import augment, auto_aug, image
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.operator_functions import summary

sys.path.append(str(house_rules.ROOT / "docs"))

from gallery.assets import check_results, drawn, picture_names
from gallery.files import write_files
from gallery.groups import GALLERIES, OPERATORS, all_examples
from gallery.pages import pages
from gallery.pictures import LARGEST_BYTES, images
from gallery.programs import program
from gallery.running import inside, printed, run

GROUPS = {
    f"{page} {group.title}": group for page, groups in (("fn", OPERATORS), *GALLERIES.items()) for group in groups
}
# What is drawn is checked where the site is built, which the gate does, too.
_UNDRAWN = {name for name, group in GROUPS.items() if any(example.drawing is None for example in group.examples)}
GATE = sorted(name for name in _UNDRAWN if not name.startswith("auto_aug"))
NAMES = sorted({one.name for one in ALL.values() if one.namespace == "fn"} | COMPOSED)


def test_every_operator_and_function_of_images_has_an_example():
    shown = [example.name for example in all_examples()]
    assert sorted({name.removeprefix("fn.") for name in shown if name.startswith("fn.")}) == NAMES
    # It writes programs, and makes nothing of images.
    functions = {name for name in image.__all__ if inspect.isroutine(getattr(image, name))} - {"custom_call_targets"}
    wanted = {f"image.{name}" for name in functions} | {f"image.affine.{name}" for name in image.affine.__all__}
    wanted |= {f"augment.{name}" for name in augment.__all__}
    wanted |= {f"auto_aug.augmentations.{name}" for name in auto_aug.augmentations.__all__}
    assert wanted <= {*shown}


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_is_a_short_sentence(name):
    text = summary(operators()[name])
    assert re.fullmatch(r"[A-Z][a-z]+,? [^.]*(`[^`]*`[^.]*)*\.", text) and len(text) <= 100 and "DALI's `" not in text
    assert text.split()[0].rstrip(",").endswith("s"), "it says what the operator does"


def files_of_readers(folder: pathlib.Path) -> None:
    """Writes what pages call the user's own files."""
    picture = (folder / "lake.jpg").read_bytes()
    write_video(folder / "boat.mp4", 12, 48, 64)
    write_tfrecord(folder / "train.tfrecord", [{"image": picture, "label": [k]} for k in range(3)])
    parts = {"jpg": picture, "cls": b"7"}
    write_tar(folder / "train.tar", {f"{k}.{end}": data for k in range(3) for end, data in parts.items()})
    write_recordio(folder / "train.rec", [image_record([k], picture) for k in range(3)])
    write_lmdb(folder / "caffe_lmdb", [datum(picture, k) for k in range(3)])
    write_lmdb(folder / "caffe2_lmdb", [tensors(tensor("string", [picture]), tensor("int32", [k])) for k in range(3)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The working directory of programs."""
    folder = tmp_path_factory.mktemp("gallery")
    write_files(folder)
    files_of_readers(folder)
    with inside(folder):
        yield folder


@pytest.mark.parametrize("name", gate(GROUPS, GATE))
def test_examples_give_what_pages_say_and_change_what_pictures_show(name, folder):
    examples = GROUPS[name].examples
    for example, results in run([example for example in examples if not example.fed]).items():
        assert all(len(data) <= LARGEST_BYTES for data in drawn(example, results).values()), example.name
    for example in examples:
        if example.fed:
            check_results(example, [line.rstrip() for line in printed(program(example)).splitlines()])


IMAGES_ARE_SHOWN = ("fn Sizes", "fn Levels", "fn Filters", "fn Affine", "image", "augment", "auto_aug")


def test_what_changes_images_has_pictures():
    alone = {
        example.name
        for name, group in GROUPS.items()
        if name.startswith(IMAGES_ARE_SHOWN)
        for example in group.examples
        if example not in picture_names()
    }
    # Numbers, the same image, and what only decodes.
    assert alone == {
        "auto_aug.augmentations.identity",
        "image.affine.adjugate",
        "image.affine.transformed",
        "image.decode",
    }


def test_a_wrong_result_and_a_picture_of_nothing_are_found(folder):
    (example,) = [one for one in all_examples() if one.name == "fn.copy"]
    ((_, results),) = run([example]).items()
    with pytest.raises(ValueError, match=r"fn.copy gives \['FLOAT \(2,\)'\], and its page says \['UINT8"):
        check_results(example, ["FLOAT (2,)"])
    with pytest.raises(ValueError, match=r"nothing is to be seen of fn.copy"):
        drawn(dataclasses.replace(example, drawing=images), results)


# One a kit, and one with each of what programs import.
WHOLE = {"fn.rotate": 1, "fn.readers.tfrecord": 0, "image.flip": 1, "fn.filter": 0}


@pytest.mark.parametrize("name", WHOLE)
def test_a_program_prints_what_stands_below_it(name, folder):
    example = [one for one in all_examples() if one.name == name][WHOLE[name]]
    text = program(example)
    lines = [line.rstrip() for line in printed(text).splitlines()]  # a sample without a layout ends with a space
    check_results(example, lines)
    assert len(lines) == len(re.findall(r"^# ", text, re.MULTILINE))


def test_pages_refer_to_what_is_there():
    written = pages({})
    index = written["operators/index.md"]
    for name in NAMES:
        assert (
            f"](fn.{name}.md){{ #fn{name.replace('.', '').lower()} }}" in index and f"operators/fn.{name}.md" in written
        )
    assert "### image.affine.shear" in written["gallery/image.md"]
    rotate = written["operators/fn.rotate.md"]
    assert "| `angle` | `float | np.ndarray` | required |" in rotate and "May be a node" in rotate
    assert "pictures/fn.rotate-2-after.webp" in rotate and "jaxdali.ops.Rotate" in rotate
    assert "clip them: x + width" in written["operators/fn.random_bbox_crop.md"], "its row of docs/differences.md"
