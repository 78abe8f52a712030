"""What sources may return, and which data make only one batch fail."""

import front_sources
import image_reference as reference
import jax
import numpy as np
import pytest
from front_pipelines import make, of
from front_sources import FILES

from jaxdali import ConfigError, DecodeError, SourceDataError, SourceError, fn, pipeline_def, types

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")


def test_outputs_of_a_source_lie_in_its_slot():
    pipe = make(lambda files, labels: (labels, files))
    labels, files = pipe.run()
    for k in range(4):
        np.testing.assert_array_equal(files.at(k), front_sources.file(k))
        assert not files.at(k).flags.writeable and not labels.at(k).flags.writeable
    for _ in range(2):  # these batches were requested after the first one's shape was known
        labels, _ = pipe.run()
    assert np.shares_memory(labels.as_array(), labels.at(2))
    with pytest.raises(ValueError, match="read-only"):
        labels.at(0)[0] = 1


def test_ragged_arrays():
    def sample(info):
        return np.arange(info.idx_in_epoch % 3, dtype=np.float32).reshape(-1, 1)

    (out,) = of(sample, lambda node: fn.brightness_contrast(node, brightness=2.0)).run()
    assert out.shape() == [(0, 1), (1, 1), (2, 1), (0, 1)]
    for k in range(4):
        np.testing.assert_array_equal(out.at(k), 2 * np.arange(k % 3)[:, None])


def test_several_sources_of_both_kinds():
    @pipeline_def(batch_size=2, py_num_workers=1, py_start_method="spawn")
    def mine():
        one = fn.external_source(lambda info: np.int32(info.idx_in_epoch), parallel=True)
        two = fn.external_source(lambda info: np.int32(-info.idx_in_epoch), batch=False)
        three = fn.external_source(lambda info: np.float32(info.iteration), parallel=True)
        four = fn.external_source(lambda: np.bool_(True), batch=False)
        return four, three, two, one

    with mine() as pipe:
        for iteration in range(4):
            got = [out.as_array().tolist() for out in pipe.run()]
            first = 2 * iteration
            signs = [[True] * 2, [iteration] * 2, [-first, -first - 1], [first, first + 1]]
            assert got == signs


@pytest.mark.parametrize(
    ("sample", "dtype"),
    [
        (np.uint8(3), types.UINT8),
        (np.bool_(True), types.BOOL),
        (np.float16([1.5, 2.5]), types.FLOAT16),
        (np.float64([1.5]), types.FLOAT64),
        (np.int64(1 << 40), types.INT64),
        (np.zeros((2, 0), np.int8), types.INT8),
    ],
    ids=lambda value: str(getattr(value, "dtype", "")),
)
def test_types_come_back_as_they_were(sample, dtype):
    (out,) = of(lambda: sample).run()
    assert out.dtype == dtype and out.shape() == [sample.shape] * 4
    np.testing.assert_array_equal(out.as_array(), np.stack([sample] * 4))


def test_64_bits_are_narrowed_for_the_device_where_they_fit():
    largest = (1 << 31) - 1
    pipe = of(
        lambda info: np.int64(largest - (info.idx_in_epoch == 6)),
        lambda node: (node, fn.brightness_contrast(node)),
    )
    with jax.enable_x64(False):
        wide, narrow = pipe.run()
        assert (wide.dtype, narrow.dtype) == (types.INT64, types.INT32)
        assert pipe.run_arrays()[0].tolist() == [largest, largest, largest - 1, largest]


def test_64_bits_that_do_not_fit_are_an_error_not_another_number():
    pipe = of(
        lambda info: np.int64(3 << (30 if info.idx_in_epoch == 2 else 0)),
        lambda node: fn.brightness_contrast(node, contrast_center=0),
    )
    with jax.enable_x64(False):
        words = f"int64 values from 3 to {3 << 30}, which do not fit int32; set jax_enable_x64"
        with pytest.raises(SourceDataError, match=words):
            pipe.run()
        assert pipe.run()[0].as_array().tolist() == [3] * 4


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (FILES[0][: len(FILES[0]) // 2], "TRUNCATED: the image is truncated"),
        (bytes(range(200)), "CORRUPT: the image is corrupt, or not an image"),
        (b"", "the image"),
    ],
    ids=["truncated", "garbage", "empty"],
)
@pytest.mark.parametrize("bad", [0, 5])
def test_after_a_bad_image_comes_the_next_batch(data, words, bad):
    def sample(info):
        k = info.idx_in_epoch
        return np.frombuffer(data, np.uint8) if k == bad else front_sources.file(k)

    pipe = of(sample, lambda node: fn.resize(fn.decoders.image(node), size=8, name="small"))
    for iteration in range(3):
        if bad // 4 != iteration:
            images = pipe.run()[0]
            expected = reference.resize(front_sources.pixels(4 * iteration)[None], (8, 8))[0]
            assert np.abs(images.at(0) - expected.astype(int)).max() <= 1
            continue
        with pytest.raises(DecodeError, match=words) as caught:
            pipe.run()
        error = caught.value
        assert (error.sample_index, error.iteration, error.epoch) == (bad, iteration, 0)
        assert error.output.startswith("__ExternalSource")


def test_several_bad_images_are_counted():
    pipe = of(lambda: np.zeros(9, np.uint8), fn.decoders.image)
    with pytest.raises(DecodeError, match=r"CORRUPT: .*\(3 more in this batch\)"):
        pipe.run()


def test_an_image_that_is_too_large():
    pipe = make(lambda files, labels: fn.decoders.image(files), max_image_pixels=48 * 64 - 1)
    with pytest.raises(DecodeError, match=r"TOO_LARGE: .*max_image_pixels") as caught:
        pipe.run()
    assert caught.value.sample_index == 0


def test_a_batch_that_needs_too_large_a_canvas():
    limit = 4 * 3 * 64 * 64  # enough for a batch without the image that is 70 pixels wide
    pipe = make(lambda files, labels: (fn.decoders.image(files), labels), max_canvas_bytes=limit)
    words = (
        r"canvas of 64x96 for 4 images \(73728 bytes, max_canvas_bytes is 49152\); the largest "
        r"image is sample \d with .*Resize in the source, lower the batch size or raise max_canvas_"
    )
    with pytest.raises(ConfigError, match=words):
        pipe.run()
    images, labels = pipe.run()
    np.testing.assert_array_equal(images.at(3), front_sources.pixels(7))
    np.testing.assert_array_equal(labels.at(3), front_sources.label(7))


def test_what_a_source_raises_ends_the_epoch():
    def sample(info):
        if (info.idx_in_epoch, info.epoch_idx) == (5, 0):
            raise KeyError("mine")
        return np.int32(info.idx_in_epoch)

    pipe = of(sample)
    assert pipe.run()[0].as_array().tolist() == [0, 1, 2, 3]
    for _ in range(2):
        with pytest.raises(KeyError, match="mine") as caught:
            pipe.run()
        assert "sample 5, iteration 1, epoch 0" in "".join(caught.value.__notes__)
    pipe.reset()
    assert pipe.run()[0].as_array().tolist() == [0, 1, 2, 3]
    assert pipe.run()[0].as_array().tolist() == [4, 5, 6, 7]


def test_what_a_source_must_not_return():
    with pytest.raises(SourceDataError, match="Unsupported callback return type: str"):
        of(lambda: "text").run()
    with pytest.raises(SourceError, match="Sample must have the same type"):
        of(lambda info: np.zeros(1, [np.int8, np.int16][info.idx_in_batch % 2])).run()
    with pytest.raises(SourceDataError, match="must have the same number of dimensions"):
        of(lambda info: np.zeros([1] * (1 + info.idx_in_batch))).run()
