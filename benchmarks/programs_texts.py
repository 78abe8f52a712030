"""The programs of tests/programs at training size: batches of 32, and endless loops.

A program's text is changed in a few places, in the same way for both systems: sizes and numbers of batches, and values
that grow with the requests to a source. What it asks of operators is unchanged.
"""

from __future__ import annotations

import pathlib
import re

__all__ = ["BATCH", "PROGRAMS", "enlarged", "kinds_of", "yields_of"]

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "tests" / "programs"
BATCH = 32

# Replacements in each program's text. If pipelines come one after the other, the first one is measured.
_EDITS: dict[str, list[tuple[str, str]]] = {
    "augmented_now_and_then": [
        ("(None, Augmentation(0.2, 0.7))", "(Augmentation(0.2, 0.7),)"),
        ("enumerate(batches)", "enumerate(_forever(batches))"),
    ],
    "auto_augmented_vit": [
        ("training_pipeline(data", "_forever(training_pipeline(data"),
        ("**options)", "**options))"),
    ],
    "batch_callback": [("BatchCallback(4, 12)", "BatchCallback(32, 256)")],
    "caffe_training": [("CaffeReadPipeline(3,", "CaffeReadPipeline(32,")],
    "checkpoints": [("    yield found\n", "    while True:\n        for found in loader:\n            yield found\n")],
    "coco_ssd": [("COCOPipeline(2,", "COCOPipeline(32,")],
    "common_pipeline": [("ReadPipeline(3,", "ReadPipeline(32,")],
    "constants": [("10 * info.idx_in_epoch", "10 * (info.idx_in_epoch % 20)")],
    "ct_windows": [("batch in range(2)", "batch in range(1 << 40)"), ("range(3)", "range(32)")],
    "current_pipeline": [("in (2, 3)", "in (32,)"), ("yield pipe.run()", "while True:\n            yield pipe.run()")],
    "cut_out": [("] * 3", "] * 32"), ("range(3)", "range(32)")],
    "cycled_source": [("s in range(2)", "s in range(32)")],
    "derived_iterator": [('epoch_size("Reader"), 4)', 'epoch_size("Reader"), 32)')],
    "detection_patches": [('*.jpg"))[:6]', '*.jpg"))')],
    "drawn_of_a_list": [("[RAMP] * 6", "[RAMP] * 32")],
    "endless_training": [('"/train", 3, 2', '"/train", 32, 2')],
    "epochs_of_batch_info": [("iteration == 2", "iteration == 64"), ("(3, 2)", "(32, 2)")],
    "fed_by_name": [
        ("in (4, 1, 3)", "in iter(lambda: 32, 0)"),
        ("requests = requests[count:]", "requests = requests[count:] + requests[:count]"),
    ],
    "fed_by_run": [("np.arange(6,", "np.arange(64,"), ("reshape(3, 2)", "reshape(32, 2)"), ("] * 3", "] * 32")],
    "file_list_reader": [("in loader:", "in _forever(loader):")],
    "free_nodes": [("Pipeline(3,", "Pipeline(32,")],
    "generator_source": [
        ("i in range(3)", "i in range(1 << 40)"),
        ("i * 12, i * 12 + 12", "i * 96, i * 96 + 96"),
        ("reshape(4, 3)", "reshape(32, 3)"),
    ],
    "insightface": [("dali_data_iter(4,", "dali_data_iter(32,")],
    "key_points": [("row in range(3)", "row in range(32)"), ("4 + row", "4 + row % 8")],
    "lane_masks": [('"/train", 3,', '"/train", 32,')],
    "math_functions": [("+ info.idx_in_epoch", "+ info.idx_in_epoch % 30")],
    "meta_and_sizes": [("yield pipe.run()", "while True:\n            yield pipe.run()")],
    "method_pipeline": [('"/val", 32, 4)', '"/val", 32, 32)')],
    "mixup_by_arithmetic": [("Draws(4)", "Draws(32)")],
    "multi_crop": [("enumerate(loader)", "enumerate(_forever(loader))")],
    "mxnet_record_io": [("HybridTrainPipe(3,", "HybridTrainPipe(32,")],
    "nnunet_augmentation": [("range(2)]", "range(32)]"), ("12 + row, 16 - row", "12 + row % 2, 16 - row % 2")],
    "nnunet_numpy": [("GenericPipeline(2,", "GenericPipeline(32,")],
    "numpy_in_memory": [
        ("(10, 24", "(320, 24"),
        ("rand(10, 2)", "rand(320, 2)"),
        ("load_batches(4)", "load_batches(32)"),
    ],
    "op_sets": [("SegmentationPipeline(3)", "SegmentationPipeline(32)")],
    "ops_multiplexing": [('"/train", 3)', '"/train", 32)')],
    "paddle_style": [('"/val", 4,', '"/val", 32,')],
    "parallel_fork": [("iteration >= 3", "iteration >= 1 << 20"), ("in range(4)]", "in range(32)]")],
    "parallel_sources": [
        ("EPOCH = 4", "EPOCH = 1 << 20"),
        ("3), info.idx_in_epoch,", "3), info.idx_in_epoch % 251,"),
        ("Batches(3)", "Batches(32)"),
    ],
    "pipeline_with_length": [('"/val", 3)', '"/val", 32)'), ("range(len(pipe) // pipe.batch)", "iter(int, 1)")],
    "python_in_the_middle": [("PythonPipe(3,", "PythonPipe(32,")],
    "reordered_clips": [("batch in range(2)", "batch in range(1 << 40)"), ("row in range(3)", "row in range(32)")],
    "rotated_boxes": [("row in range(2)", "row in range(32)")],
    "run_directly": [("range(4)", "range(32)")],
    "sample_callback": [("(paths, 3)", "(paths, 32)")],
    "satellite_bands": [("iteration >= 2", "iteration >= 1 << 40")],
    "saved_pipeline": [("file][:3]", "file][:32]")],
    "shards_in_classes": [("ShardedPipe(2,", "ShardedPipe(32,")],
    "single_output": [("yield pipe.run()", "while True:\n        yield pipe.run()")],
    "statistics_of_images": [("range(3)", "range(32)")],
    "subscripts": [("6 + info.idx_in_epoch", "6 + info.idx_in_epoch % 8")],
    # Without shuffling, all files of a batch may be of one class.
    "triplets": [("pad_last_batch=True)", "pad_last_batch=True, random_shuffle=True, seed=1)")],
    "two_stages": [("reader, 3, 6000", "reader, 1 << 40, 1 << 20")],
    "two_views": [("Strengths(2, 4)", "Strengths(2, 32)")],
    "unet3d_training": [("TrainPipeline(2,", "TrainPipeline(32,"), ("((1.0, False), (0.4, True))", "((0.4, True),)")],
    "unet3d_volumes": [
        ("k in range(4)", "k in (k % 4 for k in range(1 << 40))"),
        ("[volume, volume + 7]", "[volume + k for k in range(32)]"),
        (
            "[(volume % 3).astype(np.uint8), (volume % 2).astype(np.uint8)]",
            "[(volume % 3).astype(np.uint8)] * 32",
        ),
        ("GenericPipeline(2,", "GenericPipeline(32,"),
    ],
    "validation_crop": [('"/val", 4,', '"/val", 32,'), ("in loader:", "in _forever(loader):")],
    "video_clips": [("(4 + k, 24, 30 + 2 * k, 3)", "(4 + k % 4, 24, 30 + 2 * k, 3)"), ("range(2)", "range(32)")],
    "volumes": [("VolumeSource(6, 4, 2)", "VolumeSource(32 * 64, 4, 32)")],
    "webdataset_clip": [("in iterator:", "in _forever(iterator, iterator.reset):")],
    "wide_areas": [('"/train", 4,', '"/train", 32,')],
    "yolo_mosaic": [("Neighbours(3)", "Neighbours(32)")],
}
# The main function is repeated from these lines on.
_AGAIN = {
    "run_directly": "    images, thumbnails, labels = pipe.run()\n",
    "saved_pipeline": '    pipe.feed_input("DALI_INPUT_0"',
}
# Programs with several pipelines, which are measured one by one.
_KINDS = {
    "auto_augmented_vit": {
        name: [('("autoaugment", "randaugment", "trivialaugment")', f'("{name}",)')]
        for name in ("autoaugment", "randaugment", "trivialaugment")
    }
}
# How often a program yields arrays of the same batch, if not once.
_YIELDS = {"run_directly": 3, "statistics_of_images": 2}
_NO_PROGRAMS = {"claims", "facts", "formats_of_data", "kinds", "record", "running"}
PROGRAMS = sorted(
    path.stem for path in FOLDER.glob("*.py") if path.stem not in _NO_PROGRAMS and not path.stem.startswith("test_")
)

_FOREVER = """

def _forever(batches, reset=None):
    while True:
        yield from batches
        if reset is not None:
            reset()
"""


def kinds_of(name: str) -> list[str]:
    """The kinds of a program that are measured separately; most programs have one, without a name."""
    return list(_KINDS.get(name, [""]))


def yields_of(name: str) -> int:
    """How often a program yields arrays of each batch."""
    return _YIELDS.get(name, 1)


def enlarged(name: str, kind: str, package: str) -> str:
    """The text of a program for one of the packages, with batches of `BATCH`, and endless.

    Raises:
        ValueError: the program has changed such that an edit does not apply.
    """
    text = (FOLDER / f"{name}.py").read_text()
    for old, new in [*_EDITS.get(name, []), *_KINDS.get(name, {}).get(kind, [])]:
        if old not in text:
            raise ValueError(f"{name}.py has no {old!r}: see _EDITS")
        text = text.replace(old, new)
    text = re.sub(r'\b(batch_size(?:=|": )|(?<=\n)batch_size = |(?<=\n)BATCH = )\d+', rf"\g<1>{BATCH}", text)
    text, begin, main = text.partition("def main(data):\n")
    main = re.sub(r"^( +for [\w, ]+ in )range\(\w+\):", r"\1range(1 << 40):", main, flags=re.MULTILINE)
    main = re.sub(r"^ +if step == 1:\n +break\n", "", main, flags=re.MULTILINE)
    if again := _AGAIN.get(name):
        main, line, rest = main.partition(again)
        main += "    while True:\n" + "".join(f"    {one}" for one in (line + rest).splitlines(keepends=True))
    if package == "nvidia.dali":
        # DALI's JAX iterator lacks this policy, and epochs here consist of whole batches.
        text, main = (part.replace("LastBatchPolicy.PARTIAL", "LastBatchPolicy.FILL") for part in (text, main))
    return (text + begin + main + _FOREVER).replace("nvidia.dali", package)
