"""The classes of `ops`: derived from, composed, and called again."""

from __future__ import annotations

import functools
import pathlib
import tempfile

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali import ConfigError, ConfigTypeError, Pipeline, fn, ops, types


@functools.cache
def folder() -> pathlib.Path:
    """Four images in two classes."""
    root = pathlib.Path(tempfile.mkdtemp())
    for number in range(4):
        path = root / f"{number % 2}" / f"{number}.jpg"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pillow_jpeg(6, 5, seed=number))
    return root


class Decode(ops.decoders.Image):
    """A derived class as programs write them, with attributes of its own."""

    def __init__(self, device="cpu", **given):
        super().__init__(device=device, output_type=types.RGB, **given)
        self.operator = self.arguments = self.device = self.name = None

    def __call__(self, files, **given):
        self.last = super().__call__(files, **given)
        return self.last


class Flip(ops.Flip):
    pass


def files():
    return fn.readers.file(file_root=folder())[0]


def test_a_derived_class_is_the_operator():
    decode = Decode(affine=False)
    node = decode(files(), name="decoded")
    assert node is decode.last and node.call.operator is fn.decoders.image.operator and node.name == "decoded"
    assert isinstance(decode, ops.decoders.Image) and not isinstance(decode, ops.Flip)
    with pytest.raises(ConfigError, match=r"ops\.Flip has no argument 'horizontl'; did you mean horizontal"):
        Flip(horizontl=1)


def test_a_class_derived_from_an_old_name():
    class Reader(ops.FileReader):
        def __init__(self, **given):
            super().__init__(file_root=folder(), **given)

    pipe = Pipeline(batch_size=2, num_threads=1)
    with pipe, pytest.warns(DeprecationWarning, match="ops.FileReader is the old name of ops.readers.File"):
        pipe.set_outputs(*Reader()(name="Reader"))
    with pipe:
        assert pipe.epoch_size("Reader") == 4


def test_each_call_draws_anew():
    with Pipeline(batch_size=4, num_threads=1, seed=3) as pipe:
        draw = ops.random.Uniform(range=[0.0, 1.0])
        pipe.set_outputs(draw(), draw(), *draw([fn.external_source(lambda: np.zeros((4, 1)))] * 2))
        first, second, third, fourth = ([float(out.at(k).squeeze()) for k in range(4)] for out in pipe.run())
    assert first != second and third == fourth and third not in (first, second)


def images():
    return fn.decoders.image(files())


def test_compose():
    with Pipeline(batch_size=2, num_threads=1) as pipe:
        chain = ops.Compose([ops.decoders.Image(), ops.Compose((ops.Resize(size=(4, 5)),)), ops.CropMirrorNormalize()])
        pipe.set_outputs(chain(files()), ops.Compose([ops.CropMirrorNormalize()])(images(), mirror=0))
        (out, _), again = pipe.run(), chain(files())
    assert out.at(0).shape == (3, 4, 5) and again.call.operator is fn.crop_mirror_normalize.operator


def test_outputs_of_a_composed_operator_are_the_inputs_of_the_next():
    made = ops.Compose([ops.readers.File(file_root=folder()), lambda files, labels: (labels, files)])()
    assert [node.index for node in made] == [1, 0]
    with pytest.raises(ConfigError, match="takes 1 input"):
        ops.Compose([ops.readers.File(file_root=folder()), ops.decoders.Image()])()


@pytest.mark.parametrize("wrong", [[], (), ops.Flip(), 3, [ops.Flip(), 3], None])
def test_compose_wants_operators(wrong):
    with pytest.raises(ConfigTypeError, match=r"ops.Compose expects a list of operators, such as ops.Flip\(\), got"):
        ops.Compose(wrong)
