"""A checkpoint fits only the pipeline that it was taken of, in any process; otherwise the error says what differs."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from jaxdali import ConfigError, Pipeline, fn, math, pipeline_def, types
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.argument_kinds import FLAG
from jaxdali._dali.operators.params import Static


def make(graph, checkpoint=None, **options):
    options = {"batch_size": 4, "seed": 7, "py_num_workers": 0, **options}

    @pipeline_def(enable_checkpointing=True, checkpoint=checkpoint, **options)
    def mine():
        return graph(*fn.readers.file(files=[os.devnull] * 8, random_shuffle=True))

    return mine()


def record_of(graph, **options):
    with make(graph, **options) as pipe:
        return pipe.checkpoint()


image = fn.decoders.image
window = fn.decoders.image_random_crop


def normalized(j, **given):
    return fn.crop_mirror_normalize(image(j), **{"crop": (32, 32), "mean": 1.0, "std": 2.0, **given})


def cut(j, **given):
    return fn.random_resized_crop(image(j), **{"size": (32, 32), **given})


PAIRS = {
    "crop": (lambda j, _: fn.crop(image(j), crop=(32, 32)), lambda j, _: fn.crop(image(j), crop=(16, 48))),
    "rounding": (lambda j, _: fn.crop(image(j), crop=33), lambda j, _: fn.crop(image(j), crop=33, rounding="truncate")),
    "crop_pos_x": (lambda j, _: fn.crop(image(j), crop=32), lambda j, _: fn.crop(image(j), crop=32, crop_pos_x=1.0)),
    "crop_mirror_normalize": (lambda j, _: normalized(j), lambda j, _: normalized(j, crop=(30, 30))),
    "mean": (lambda j, _: normalized(j), lambda j, _: normalized(j, mean=9.0)),
    "mirror": (lambda j, _: normalized(j), lambda j, _: normalized(j, mirror=fn.random.coin_flip())),
    "output_layout": (lambda j, _: normalized(j), lambda j, _: normalized(j, output_layout="HWC")),
    "size": (lambda j, _: fn.resize(image(j), size=32), lambda j, _: fn.resize(image(j), size=16)),
    "canvas": (lambda j, _: image(j, canvas=(64, 80)), lambda j, _: image(j, canvas=(100, 100))),
    "on_error": (lambda j, _: image(j, on_error="raise"), lambda j, _: image(j, on_error="zeros")),
    "jpeg_fancy_upsampling": (lambda j, _: image(j), lambda j, _: image(j, jpeg_fancy_upsampling=False)),
    "decoder": (lambda j, _: image(j), lambda j, _: image(j, decoder="cpu")),
    "random_area": (lambda j, _: window(j), lambda j, _: window(j, random_area=(0.5, 0.6))),
    "random_aspect_ratio": (lambda j, _: window(j), lambda j, _: window(j, random_aspect_ratio=(1.0, 1.0))),
    "num_attempts": (lambda j, _: window(j), lambda j, _: window(j, num_attempts=1)),
    "seed of a window": (lambda j, _: window(j, seed=1), lambda j, _: window(j, seed=2)),
    "area of random_resized_crop": (lambda j, _: cut(j), lambda j, _: cut(j, random_area=(0.9, 1.0))),
    "antialias": (lambda j, _: cut(j), lambda j, _: cut(j, antialias=False)),
    "range": (lambda _, n: fn.random.uniform(range=(0.0, 1.0)), lambda _, n: fn.random.uniform(range=(0.0, 3.0))),
    "values": (lambda _, n: fn.random.uniform(values=[0.0, 1.0]), lambda _, n: fn.random.uniform(values=[5.0, 6.0])),
    "shape": (lambda _, n: fn.random.uniform(shape=[2]), lambda _, n: fn.random.uniform(shape=[3])),
    "seed of uniform": (lambda _, n: fn.random.uniform(seed=1), lambda _, n: fn.random.uniform(seed=2)),
    "dtype": (lambda _, n: fn.random.coin_flip(), lambda _, n: fn.random.coin_flip(dtype=types.FLOAT)),
    "constant": (lambda _, n: n + 1, lambda _, n: n + 2),
    "type of a constant": (lambda _, n: n + 1, lambda _, n: n + 1.0),
    "array": (lambda _, n: n + np.arange(3), lambda _, n: n + np.arange(1, 4)),
    "operator": (lambda _, n: n + 2, lambda _, n: n * 2),
    "order of operands": (lambda _, n: n - 2, lambda _, n: 2 - n),
    "subscript": (lambda _, n: n[:8], lambda _, n: n[8:16]),
    "function": (lambda _, n: math.sqrt(n), lambda _, n: math.cbrt(n)),
    "clamp": (lambda _, n: math.clamp(n, 0, 3), lambda _, n: math.clamp(n, 1, 2)),
    "flip": (lambda j, _: fn.flip(image(j)), lambda j, _: fn.flip(image(j), horizontal=0, vertical=1)),
    "output": (lambda _, n: (n, n + 1), lambda _, n: (n + 1, n)),
    "unused draw": (
        lambda _, n: fn.random.uniform(),
        lambda _, n: (fn.random.uniform(), fn.random.uniform())[1],
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_one_argument_makes_another_pipeline(name):
    first, second = PAIRS[name]
    record = record_of(first)
    with pytest.raises(ConfigError, match="is from another pipeline: "):
        make(second, record).build()
    make(first, record).close()


@pytest.mark.parametrize("option", [{"on_error": "zeros"}, {"max_image_pixels": 100}, {"batch_size": 2}], ids=str)
def test_one_option_makes_another_pipeline(option):
    (name,) = option
    with pytest.raises(ConfigError, match=f"is from another pipeline: {name}="):
        make(lambda j, n: n, record_of(lambda j, n: n), **option).build()


def test_what_changes_no_batch_makes_no_other_pipeline():
    def graph(j, n, **given):
        return n, fn.random.uniform(range=(0.5, 2.0), **given), fn.crop(image(j), crop=[8, 8])

    def the_same(j, n):
        uniform = fn.random.uniform(range=np.array([0.5, 2.0]).tolist(), device=None, bytes_per_sample_hint=7)
        return n, uniform, fn.crop(image(j, jpeg_fancy_upsampling=True), crop=(8, 8), rounding="round")

    options = {"prefetch_queue_depth": 5, "py_num_workers": 1, "num_threads": 1, "bytes_per_sample": 100}
    with make(the_same, record_of(graph), **options) as pipe:
        pipe.build()


def test_a_parameter_that_a_later_version_has_makes_no_other_pipeline(monkeypatch):
    def graph(j, n, **given):
        return n, fn.crop(image(j), crop=[8, 8], **given)

    record, crop = record_of(graph), operators()["crop"]
    with make(graph) as pipe:
        saved = pipe.serialize()
    monkeypatch.setitem(vars(crop), "params", [*crop.params, Static("later", FLAG, False, "")])
    make(graph, record).close()
    Pipeline.deserialize(saved, checkpoint=record, seed=None).close()
    with pytest.raises(ConfigError, match=r"has later=true, but in the checkpoint's pipeline it has no later="):
        make(lambda j, n: graph(j, n, later=True), record).build()


DRAWN_ELSEWHERE = """
import os, sys
sys.path[:0] = sys.argv[1:]
from test_checkpoint_identity import record_of, everything
sys.stdout.buffer.write(record_of(everything))
"""


def everything(j, n):
    images = normalized(j, mirror=fn.random.coin_flip(seed=3), dtype=types.FLOAT16, mean=np.arange(3.0))
    return (
        images,
        n[0] * np.float32(2),
        math.clamp(n, 0, types.Constant(5)),
        n.shape(),
        types.Constant([1, 2], layout="X"),
    )


def test_it_is_known_in_every_process():
    folder = os.path.dirname(os.path.abspath(__file__))
    environment = os.environ | {"PYTHONHASHSEED": "3"}
    command = [sys.executable, "-c", DRAWN_ELSEWHERE, folder]
    elsewhere = subprocess.run(command, env=environment, check=True, capture_output=True).stdout
    assert elsewhere == record_of(everything)
    # Also if the graph was read from a file.
    with make(everything) as pipe, Pipeline.deserialize(pipe.serialize(), checkpoint=elsewhere, seed=None) as again:
        assert json.loads(again.checkpoint())["pipeline"] == json.loads(elsewhere)["pipeline"]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            lambda j, n: fn.crop(image(j), crop=(32, 32)),
            lambda j, n: fn.crop(image(j), crop=(16, 48)),
            r"fn\.crop, defined at .*test_checkpoint_identity\.py:\d+, has crop=\[16\.0, 48\.0\], but in "
            r"the checkpoint's pipeline it has crop=\[32\.0, 32\.0\]",
        ),
        (
            lambda j, n: n + 1,
            lambda j, n: n * 1,
            r"call 1 is operator `\*`, .* in the checkpoint's pipeline it is operator `\+`",
        ),
        (
            lambda j, n: n[0],
            lambda j, n: n[0] + 1,
            r"operator `\+`, .* is one call more than the checkpoint's pipeline has",
        ),
        (lambda j, n: n[0] + 1, lambda j, n: n[0], r"the checkpoint's pipeline has one call more, of operator `\+`"),
        (lambda j, n: n[0], lambda j, n: n, "the checkpoint's pipeline has one call more, of the subscript"),
        (lambda j, n: (n, j), lambda j, n: (j, n), "its outputs"),
        (
            lambda j, n: math.sqrt(n),
            lambda j, n: fn.external_source(name="x", layout="HW") + n,
            "call 1 is fn.external_source, .* in the checkpoint's pipeline it is math.sqrt",
        ),
        (
            lambda j, n: fn.random.uniform(values=[*range(100)]),
            lambda j, n: fn.random.uniform(values=[*range(99)]),
            r"has values=\[0.0, 1.0, 2.0, .*\.\.\. #[0-9a-f]{8}, but",
        ),
    ],
)
def test_what_differs_is_named(first, second, words):
    with pytest.raises(ConfigError, match=words):
        make(second, record_of(first)).build()


def test_readers_are_known_by_what_they_read(tmp_path):
    for name in ("0.bin", "1.bin"):
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / "a" / name).write_bytes(b"x")

    def reading(checkpoint=None, **given):
        @pipeline_def(batch_size=1, seed=1, enable_checkpointing=True, checkpoint=checkpoint, py_num_workers=0)
        def mine():
            return tuple(fn.readers.file(**given))

        return mine()

    with reading(file_root=tmp_path, file_filters="*.bin") as pipe:
        record = pipe.checkpoint()
    # The same files, named one by one.
    with reading(record, files=["a/0.bin", "a/1.bin"], labels=[0, 0], file_root=tmp_path) as pipe:
        pipe.build()
    (tmp_path / "a" / "2.bin").write_bytes(b"x")
    with pytest.raises(ConfigError, match=r"fn\.readers\.file, .* has epoch_size=3, .* has epoch_size=2"):
        reading(record, file_root=tmp_path, file_filters="*.bin").build()
    with pytest.raises(ConfigError, match=r"has files=.*, .* has files="):
        reading(record, files=["a/0.bin", "a/2.bin"], labels=[0, 0], file_root=tmp_path).build()
    with pytest.raises(ConfigError, match=r"has random_shuffle=true, .* has no random_shuffle="):
        reading(record, files=["a/0.bin", "a/1.bin"], labels=[0, 0], file_root=tmp_path, random_shuffle=True).build()


def forged(**changes):
    record = json.loads(record_of(lambda j, n: n))
    if isinstance(changes.get("pipeline"), dict):
        changes["pipeline"] = {**record["pipeline"], **changes["pipeline"]}
    return json.dumps({**record, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        *[({name: value}, name) for name in ("epoch", "iteration") for value in ("1", None, -1, 1.5, 2**70, [1], True)],
        *[({"seed": value}, "seed") for value in ("x", -1, 2**64, None, [1], False)],
        ({"streams": None}, "expected an object"),
        ({"streams": {}}, r"has the streams \[\], but the pipeline has \['fn.readers.file 0'\]"),
        *[({"streams": {"fn.readers.file 0": value}}, "fn.readers.file 0") for value in ("1", -5, 2**80, 0.5)],
        # The numbers of this batch's samples would be too large.
        ({"iteration": 1 << 47}, "iteration of the checkpoint"),
        ({"streams": {"fn.readers.file 0": 1 << 47}}, "fn.readers.file 0 of the checkpoint"),
        ({"iterator": "x"}, "expected an object"),
        ({"iterator": [1]}, "expected an object"),
        ({"pipeline": "0" * 32}, "expected an object"),
        ({"pipeline": {"digest": 1}}, "expected text"),
        ({"pipeline": {"calls": 3}}, "checkpoint= expects"),
        ({"pipeline": {"calls": [["fn.crop", {"crop": 1}]]}}, "expected text"),
        ({"pipeline": {"digest": "", "calls": [["\x1b]0;", {}]]}}, r"expected text, got '\\x1b\]0;'"),
        (
            {"pipeline": {"digest": "", "options": {}}},
            "batch_size=4 is given, but the checkpoint's pipeline has batch_size=None",
        ),
        ({"evil": 1}, "got .*evil"),
        ({"version": True}, "version True"),
        ({"version": 2.0}, "version 2.0"),
        *[
            ({"version": other}, f"has version {other}, but this jaxdali resumes only from version 4: start over, or")
            for other in (1, 3, 5)
        ],
    ],
    ids=str,
)
def test_a_record_from_elsewhere_is_refused(changes, words):
    with pytest.raises(ConfigError, match=words):
        make(lambda j, n: n, forged(**changes), seed=None).build()


@pytest.mark.parametrize(
    "record", ["[" * 200_000, '{"a":' * 200_000, "1" * 100_000, "null", b"\xff\xfe\0", " " * (17 << 20), 3]
)
def test_what_is_no_record_is_refused(record):
    with pytest.raises(ConfigError, match=r"expects what Pipeline\.checkpoint"):
        make(lambda j, n: n, record, seed=None)
