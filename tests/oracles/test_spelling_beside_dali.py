"""DALI's spelling compared with DALI: input sets, constants as inputs, conversions, old names, composed operators."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import SYSTEMS, counted, folder, forms, graph, images, load, results

pytestmark = [pytest.mark.dali, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def pixels(dali):
    return dali.fn.external_source(images(), layout="HWC")


def files(dali):
    return dali.fn.readers.file(file_root=folder(), file_filters="*.png")


def composed(dali):
    ops, types = dali.ops, dali.types
    chain = [
        ops.ImageDecoder(device="cpu", output_type=types.RGB, memory_stats=True, split_stages=True),
        ops.CropMirrorNormalize(output_dtype=types.FLOAT, output_layout=types.NHWC, image_type=types.RGB, crop=(2, 2)),
    ]
    return ops.Compose(chain)(files(dali)[0])


def derived(dali):
    class Decode(dali.ops.ImageDecoder):
        def __init__(self, **given):
            super().__init__(device="cpu", **given)
            self.arguments = self.operator = None

    reader = dali.ops.FileReader(file_root=folder(), file_filters="*.png")
    jpegs, labels = reader(name="Reader")
    return Decode()(jpegs), labels


def windows(dali):
    data = files(dali)[0]
    crop = dali.fn.image_decoder_crop(data, crop=(2, 3))
    part = dali.fn.image_decoder_slice(data, rel_start=(0.25, 0.25), rel_end=(0.75, 0.75))
    return crop, part, dali.fn.experimental.decoders.image(data)


CONVERSIONS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32")
EQUAL = {
    "sets": lambda dali: tuple(dali.fn.flip([pixels(dali), pixels(dali)], vertical=1)),
    "sets of a class": lambda dali: tuple(dali.ops.Crop(crop=(1, 2))([pixels(dali), pixels(dali), pixels(dali)])),
    "sets of two outputs": lambda dali: tuple(
        node for pair in dali.fn.resize([pixels(dali), pixels(dali)], size=4, save_attrs=True) for node in pair
    ),
    "a set and a constant": lambda dali: tuple(
        dali.fn.cast([pixels(dali), dali.types.Constant([3])], dtype=dali.types.FLOAT)
    ),
    "a number": lambda dali: dali.fn.cast(3, dtype=dali.types.FLOAT),
    "an array": lambda dali: dali.fn.cast(np.array([1, 2, 3], np.int16), dtype=dali.types.FLOAT),
    "a list": lambda dali: dali.fn.cast([1, 2, 3], dtype=dali.types.UINT8),
    "a constant": lambda dali: dali.fn.cast(dali.types.Constant(300).uint8(), dtype=dali.types.INT32),
    "conversions": lambda dali: tuple(
        dali.fn.external_source(counted(dtype=np.uint8)) + getattr(dali.types.Constant(3.7), name)()
        for name in CONVERSIONS
        if name not in ("int64", "uint64", "float16")  # jax without x64 has no 64 bits; DALI has no sums of 16 bits
    ),
    "saturated constants": lambda dali: tuple(dali.types.Constant(value).uint8() for value in (300, -1, 2.7, True)),
    "computed constants": lambda dali: (
        *(
            (lambda three: (three / 2, 2 - three, three[1], -three, three < 4, three == 4))(
                dali.types.Constant([3, 4, 5])
            )
        ),
        dali.types.Constant(np.array([8, 6]), dtype=dali.types.FLOAT) // 4 + dali.types.Constant(2.0, shape=[2]),
        pixels(dali) * dali.types.Constant([2, 3, 1]),
    ),
    "numbers of NumPy": lambda dali: tuple(
        made
        for number in (np.array(3), np.int64(3), np.array(3, np.uint8), np.array([3]), np.array(2, np.uint64))
        for made in (
            pixels(dali) + number,
            dali.types.Constant(number) * pixels(dali),
            dali.types.Constant(number),
            dali.types.Constant(number, device="cpu"),
            dali.fn.stack(number, number),
            dali.fn.stack(dali.types.Constant(number), number) if number.dtype == np.uint8 else number,
        )
    ),
    "fractions of NumPy": lambda dali: (dali.fn.copy(np.float64(0.5)), dali.fn.copy(np.array(0.5)), np.array(0.5)),
    "operands by name": lambda dali: (
        dali.math.clamp(pixels(dali), lo=3, hi=7),
        dali.math.max(left=pixels(dali), right=5),
        dali.math.atan2(x=pixels(dali), y=2.0),
        dali.math.sqrt(input=pixels(dali)),
    ),
    "layouts": lambda dali: tuple(
        dali.fn.crop_mirror_normalize(pixels(dali), output_layout=layout, output_dtype=dali.types.FLOAT16)
        for layout in (dali.types.NCHW, dali.types.NHWC, dali.types.TensorLayout("HWC"))
    ),
    "shapes": lambda dali: (dali.fn.shapes(pixels(dali), dtype=dali.types.INT32), pixels(dali)),
    "seeds of what draws nothing": lambda dali: dali.fn.flip(pixels(dali), seed=3),
    "composed": composed,
    "derived": derived,
    "windows": windows,
}


@pytest.mark.parametrize("name", EQUAL)
def test_outputs_are_equal(name):
    def outputs(dali):
        return EQUAL[name](dali)

    theirs, ours = (results(graph(outputs), system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_drawn_is_drawn_once_for_all_sets(system):
    def outputs(dali):
        uniform = dali.ops.Uniform(range=[0.0, 1.0])
        source = [dali.fn.external_source(counted(3)) for _ in range(2)]
        return (*uniform(source), uniform(source[0]))

    for batch in results(graph(outputs), system)[0]:
        first, second, third = batch
        assert first == second and first != third


@pytest.mark.parametrize("system", SYSTEMS)
def test_deprecated_names_and_arguments_warn(system):
    dali = load(system)
    node = pixels(dali)
    with pytest.warns(DeprecationWarning):
        made = dali.ops.CropMirrorNormalize(output_dtype=dali.types.FLOAT)
    made(node)
    for call in (
        lambda: dali.fn.uniform(range=[0.0, 1.0]),
        lambda: dali.ops.CoinFlip()(),
        lambda: dali.fn.shapes(node),
        lambda: dali.fn.resize(node, size=3, image_type=dali.types.RGB),
        lambda: dali.fn.flip(node, seed=3),
    ):
        with pytest.warns(DeprecationWarning):
            call()
