"""DALI's old names of operators and arguments."""

from __future__ import annotations

import numpy as np
import pytest
from reader_arguments import READER_BASES

from jaxdali import ConfigError, Pipeline, fn, ops, types
from jaxdali._dali.graph.declarations import operator_named
from jaxdali._dali.operators.classes import operator_of
from jaxdali._dali.operators.old import OLD_NAMES


def attribute(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


def camel(name):
    room, dot, own = name.rpartition(".")
    words = {"coco": "COCO", "mxnet": "MXNet", "tfrecord": "TFRecord"}
    return room + dot + "".join(words.get(part, part.capitalize()) for part in own.split("_"))


def source():
    return fn.external_source(name="x", layout="HWC")


def arguments(name):
    if OLD_NAMES[name] == "readers.video_resize":
        return (), {**READER_BASES["readers.video"](), "resize_x": 8}
    if "reader" in name:
        return (), READER_BASES[OLD_NAMES[name]]()
    if name == "transform_translation":
        return (), {"offset": (1.0, 2.0)}
    if name == "experimental.debayer":
        return (source(),), {"blue_position": (0, 1)}
    if name == "experimental.tensor_resize":
        return (source(),), {"sizes": 4}
    if "resize" in name:
        return (source(),), {"size": 4}
    if name == "experimental.filter":
        return (source(), [[1.0]]), {}
    if name == "experimental.audio_resample":
        return (source(),), {"scale": 2.0}
    inputs = () if name in ("coin_flip", "uniform", "normal_distribution") else (source(),)
    return inputs, ({"crop": 3} if name.endswith("image_crop") or name.endswith("decoder_crop") else {})


@pytest.mark.parametrize("name", OLD_NAMES)
def test_an_old_name_writes_the_operator_and_warns_where_it_is_called(name):
    inputs, given = arguments(name)
    function, kind = attribute(fn, name), attribute(ops, camel(name))
    assert function.operator is operator_of(kind) is operator_named(OLD_NAMES[name])
    made = kind(**given)  # DALI's call warns, too
    for call, display_name in ((function, f"fn.{name}"), (made, f"ops.{camel(name)}")):
        with pytest.warns(
            DeprecationWarning, match=f"^{display_name} is the old name of ({display_name[:2]}|DataNode).*; use that$"
        ) as found:
            node = call(*inputs, **(given if call is function else {}))
        assert [warning.filename for warning in found] == [__file__]
        node = next(iter(node.values())) if isinstance(node, dict) else node
        node = node[0] if isinstance(node, list) else node
        # The old operator that reads and resizes is written as the two operators that it consists of.
        assert node.call.operator is (operator_named("resize") if "reader_resize" in name else function.operator)


def test_an_old_name_may_say_more_than_the_one_that_it_has_now():
    node = source()
    with pytest.warns(DeprecationWarning):
        made = [
            fn.fast_resize_crop_mirror(node, size=4),
            ops.FastResizeCropMirror(size=4)(node),
            fn.fast_resize_crop_mirror(node, size=4, antialias=True),
            ops.FastResizeCropMirror(size=4, antialias=True)(node),
        ]
    assert [one.call.params["antialias"] for one in made] == [False, False, True, True]


def test_modules_list_old_names():
    assert {"file_reader", "uniform", "shapes"} <= set(fn.__all__) and {"FileReader", "Uniform"} <= set(dir(ops))
    assert fn.experimental.decoders.__all__ == ["image", "image_crop", "image_random_crop", "image_slice", "video"]
    assert "ImageRandomCrop" in dir(ops.experimental.decoders) and {"Equalize", "decoders"} <= set(
        dir(ops.experimental)
    )


@pytest.mark.parametrize(
    ("call", "given", "same", "words"),
    [
        (fn.crop_mirror_normalize, {"output_dtype": types.FLOAT16}, {"dtype": types.FLOAT16}, "old name of dtype="),
        (fn.crop, {"crop": 2, "output_dtype": types.INT16}, {"crop": 2, "dtype": types.INT16}, "old name of dtype="),
        (fn.resize, {"size": 2, "image_type": types.RGB}, {"size": 2}, "has no effect any more"),
        (fn.decoders.image, {"split_stages": True}, {}, "has no effect any more"),
        (fn.flip, {"seed": 3}, {}, "no effect on an operator that draws nothing"),
    ],
)
def test_old_arguments_of_functions(call, given, same, words):
    node = source()
    with pytest.warns(DeprecationWarning, match=f"= of fn.{call.operator.name} .*{words}") as found:
        old = call(node, **given)
    assert [warning.filename for warning in found] == [__file__]
    assert old.call.params == call(node, **same).call.params


def test_old_arguments_of_classes_warn_where_they_are_given():
    with pytest.warns(DeprecationWarning, match="output_dtype= of ops.CropMirrorNormalize") as found:
        made = ops.CropMirrorNormalize(output_dtype=types.FLOAT16)
    assert len(found) == 1
    assert made(source()).call.params["dtype"] is types.FLOAT16
    with pytest.warns(DeprecationWarning, match="image_type= of ops.CropMirrorNormalize"):
        made(source(), image_type=types.RGB)


def test_none_says_nothing_and_nothing_is_said_twice():
    assert fn.crop_mirror_normalize(source(), output_dtype=None, image_type=None).call.params["dtype"] is types.FLOAT
    with pytest.raises(ConfigError, match="got both dtype= and output_dtype=, its old name"):
        fn.crop_mirror_normalize(source(), dtype=types.INT16, output_dtype=types.INT16)
    made = ops.CropMirrorNormalize(dtype=types.FLOAT)
    with (
        pytest.warns(DeprecationWarning, match="old name"),
        pytest.raises(ConfigError, match=r"The argument `dtype` of ops\.CropMirrorNormalize was already specified"),
    ):
        made(source(), output_dtype=types.FLOAT)


def test_shapes():
    pipe = Pipeline(batch_size=2)
    with pipe, pytest.warns(DeprecationWarning, match="DataNode.shape"):
        node = fn.external_source(name="x")
        pipe.set_outputs(fn.shapes(node, dtype=types.INT32), ops.Shapes()(node))
    with pipe:
        pipe.feed_input("x", [np.zeros(3), np.zeros(2)])
        for found in pipe.run():
            assert [sample.tolist() for sample in map(found.at, range(2))] == [[3], [2]]
