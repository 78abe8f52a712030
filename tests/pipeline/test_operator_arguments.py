"""Which arguments of operators are honoured, and with which words others are refused."""

import front_sources
import numpy as np
import pytest
from file_graphs import draw, sources

from jaxdali import ConfigError, DataNode, Pipeline, fn, pipeline_def, types

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")

decode, resize, cmn = fn.decoders.image, fn.resize, fn.crop_mirror_normalize


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda f, n: decode(f, device="gpu"), 'use device="mixed"'),
        (lambda f, n: decode(f, output_type=2), "must be one of types.RGB, .*got 2"),
        (lambda f, n: decode(f, adjust_orientation=3), r"\(adjust_orientation=\) must be True or False, got 3"),
        (lambda f, n: decode(f, dtype=types.UINT32), r"\(dtype=\) must be one of types.UINT8, .*got .*UINT32.*fn.cast"),
        (lambda f, n: decode(f, preserve=3), r"fn.decoders.image\(preserve=\) must be True or False, got 3"),
        (lambda f, n: decode(f, typo=3), "fn.decoders.image has no argument 'typo'"),
        (lambda f, n: resize(n), "takes one of size=, resize_x= and resize_y=, .*; got none"),
        (lambda f, n: resize(n, size=3, resize_x=4), "got size and resize_x and resize_y"),
        (lambda f, n: resize(n, resize_shorter=3, mode="not_larger"), "a mode of its own, got mode='not_larger'"),
        (lambda f, n: resize(n, size=3, interp_type=0), "must be one of types.INTERP_NN, .*got 0"),
        (lambda f, n: resize(n, size=3, roi_start=n), "belong together"),
        (lambda f, n: resize(n, size=3, max_size=-1), "must not be negative"),
        (lambda f, n: resize(n, size=(1, 2, 3, 4)), "expects"),
        (lambda f, n: resize(n, size=(n, 3)), "must be a number, several, or a node"),
        (lambda f, n: resize(n, size=3, dtype=np.uint8), "write types.UINT8"),
        (lambda f, n: resize(n, size=3, device="mixed"), "must be one of cpu, gpu, got 'mixed'"),
        (lambda f, n: cmn(n, crop=3, crop_h=3), "both crop= and crop_h="),
        (lambda f, n: cmn(n, crop_h=3), "one of crop_h= and crop_w= only"),
        (lambda f, n: cmn(n, output_layout="NHWC"), r"\(output_layout=\) must be one of CHW, HWC, .*got 'NHWC'"),
        (lambda f, n: cmn(n, rounding="up"), r"\(rounding=\) must be one of round, truncate, got 'up'"),
        (lambda f, n: cmn(n, fill_values=[[3.0]]), "a number, or one per channel"),
        (lambda f, n: cmn(n, out_of_bounds_policy="wrap"), "must be one of error, pad, constant"),
        (lambda f, n: cmn(n, pad_output=3), "must be True or False"),
        (lambda f, n: fn.random.uniform(range=(1, 1, 1)), "Invalid range"),
        (lambda f, n: fn.random.uniform(range=3), r"Invalid range 3 in fn.random.uniform\(range=\): expected"),
        (lambda f, n: fn.random.uniform(range=(0, 1), values=[1]), "both range= and values="),
        (lambda f, n: fn.random.uniform(seed=n), "known when the pipeline is defined"),
        (lambda f, n: fn.random.uniform(seed="a"), r"fn.random.uniform\(seed=\) must be an integer, .*, got 'a'"),
        (lambda f, n: fn.random.coin_flip(seed=-5), r"fn.random.coin_flip\(seed=\) must be an integer, .*, got -5"),
        (lambda f, n: fn.random.coin_flip(dtype=n), "known when the pipeline is defined"),
    ],
)
def test_refused(call, words):
    with pytest.raises(ConfigError, match=words):
        draw(call)


def test_dalis_defaults_are_accepted():
    def graph(files, labels):
        fn.external_source(
            lambda: 1,
            batch=False,
            **dict.fromkeys(["cycle", "cuda_stream", "use_copy_kernel", "blocking", "no_copy"]),
            repeat_last=False,
            batch_info=False,
        )
        images = decode(
            files,
            output_type=types.RGB,
            dtype=types.UINT8,
            adjust_orientation=True,
            preserve=False,
        )
        images = resize(images, size=[8, 8], interp_type=types.INTERP_LINEAR, mode="default")
        return cmn(images, out_of_bounds_policy="error", pad_output=False, fill_values=0)

    assert isinstance(draw(graph), Pipeline)


@pytest.mark.parametrize(
    "hint",
    ["hw_decoder_load", "hybrid_huffman_threshold", "affine", "device_memory_padding", "preallocate_width_hint"],
)
def test_hints_that_change_no_pixel_are_accepted(hint):
    (images,) = draw(lambda files, labels: decode(files, **{hint: 3})).run()
    for k in range(2):
        np.testing.assert_array_equal(images.at(k), front_sources.pixels(k))


def test_a_shorter_list_of_declarations_leaves_the_rest_open():
    @pipeline_def(batch_size=2)
    def mine():
        return sources(dtype=[types.UINT8], ndim=[1], layout=["X"])

    files, labels = mine().run()
    assert (files.layout(), labels.layout()) == ("X", "")


def test_num_outputs_of_one_is_a_list():
    @pipeline_def(batch_size=1)
    def mine():
        nodes = fn.external_source(lambda: (np.int32(3), "left out"), num_outputs=1, batch=False)
        assert isinstance(nodes, list) and all(isinstance(node, DataNode) for node in nodes)
        return nodes

    assert mine().run()[0].at(0) == 3
