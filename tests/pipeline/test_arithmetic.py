"""Arithmetic with nodes in pipelines: operators, constants, broadcasting, and errors that name their place."""

import numpy as np
import pytest
from front_pipelines import make
from node_graphs import run

from jaxdali import ConfigError, GraphError, SourceDataError, fn, math, newaxis, pipeline_def, types

# Some graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")

HERE = __file__.rsplit("/", 1)[-1]


def listed(outputs):
    return [(output.dtype.name, [np.asarray(sample).tolist() for sample in output]) for output in outputs]


BYTES = np.array([[1, 255], [0, 7]], np.uint8)


def test_constants_take_a_type_by_rules():
    def draw(x):
        return (
            *(x + 1, 1 + x, x * 2.5, x - True, x + np.uint8(1), x * np.int16(2), np.float32(2) * x),
            *(
                x + types.Constant(1, dtype=types.UINT8),
                x.__add__([1, 2]),
                np.array([1, 2], np.float32) + x,
                x / 2,
                7 // (x | 1),
            ),
        )

    assert listed(run(draw, BYTES)) == [
        ("INT32", [[2, 256], [1, 8]]),
        ("INT32", [[2, 256], [1, 8]]),
        ("FLOAT", [[2.5, 637.5], [0, 17.5]]),
        ("UINT8", [[0, 254], [255, 6]]),
        ("UINT8", [[2, 0], [1, 8]]),
        ("INT16", [[2, 510], [0, 14]]),
        ("FLOAT", [[2, 510], [0, 14]]),
        ("UINT8", [[2, 0], [1, 8]]),
        ("INT32", [[2, 257], [1, 9]]),
        ("FLOAT", [[2, 257], [1, 9]]),
        ("FLOAT", [[0.5, 127.5], [0, 3.5]]),
        ("INT32", [[7, 0], [7, 1]]),
    ]


def test_every_operator():
    def draw(x, y):
        return (
            *(x + y, x - y, x * y, x / y, x // y, x % y, x**y, x & y, x | y, x ^ y, x << 1, 1 << x, x >> 1, 64 >> x),
            *(
                x == y,
                x != y,
                x < y,
                x <= y,
                x > y,
                x >= y,
                3 == x,
                3 < x,
                -x,
                +x,
                ~x,
                abs(x),
                2**x,
                9 % x,
                9 - x,
                6 / x,
            ),
            *(3 & x, 3 | x, 3 ^ x, math.min(x, 2), math.max(x, y), math.clamp(x, 2, 4), math.sqrt(x), math.pow(x, 2)),
        )

    a, b = np.array([[-7, 3, 5]], np.int32), np.array([[2, 3, -3]], np.int32)
    found = [output[0] for _, output in listed(run(draw, a, b))]
    # As in C++: quotients are truncated towards zero, and the remainder has the dividend's sign.
    assert found == [
        *([-5, 6, 2], [-9, 0, 8], [-14, 9, -15], [-3.5, 1, np.float32(-5 / 3)], [-3, 1, -1], [-1, 0, 2], [49, 27, 0]),
        *([0, 3, 5], [-5, 3, -3], [-5, 0, -8], [-14, 6, 10], [0, 8, 32], [-4, 1, 2], [0, 8, 2]),
        *([False, True, False], [True, False, True], [True, False, False], [True, True, False], [False, False, True]),
        *(
            [False, True, True],
            [False, True, False],
            [False, False, True],
            [7, -3, -5],
            [-7, 3, 5],
            [6, -4, -6],
            [7, 3, 5],
        ),
        *([0, 8, 32], [2, 0, 4], [16, 6, 4], [np.float32(-6 / 7), 2, np.float32(1.2)]),
        *([1, 3, 1], [-5, 3, 7], [-6, 0, 6], [-7, 2, 2], [2, 3, 5], [2, 3, 4]),
        *([pytest.approx(np.nan, nan_ok=True), np.float32(3**0.5), np.float32(5**0.5)], [49, 9, 25]),
    ]


def test_names_devices_and_layouts():
    def draw(x):
        y = x + 1
        assert (y.name, y.device) == ("__Add_1", "cpu")
        assert (fn.resize(y, size=2, device="gpu") * 2).device == "gpu"
        return y, x > 1, math.sqrt(x), x * np.ones((2, 3, 3), np.float32), x[0] + x

    images = np.ones((2, 2, 3, 3), np.uint8)
    assert [output.layout() for output in run(draw, images, layouts=["HWC"])] == ["HWC"] * 5


def test_samples_broadcast():
    column, row, single = np.uint8([[[1], [2]]]), np.uint8([[1, 2, 3]]), np.uint8([9])
    outputs = run(lambda c, r, s: [c + r, c + s, s + r, s * r[newaxis]], column, row, single)
    assert [output.at(0).tolist() for output in outputs] == [
        *([[2, 3, 4], [3, 4, 5]], [[10], [11]], [10, 11, 12], [[9, 18, 27]]),
    ]


def test_samples_of_different_shapes():
    ragged = [np.full((n, 2), n, np.uint8) for n in (3, 4, 40)]
    rows = [np.full((n if n != 4 else 1, 2), 10, np.uint8) for n in (3, 4, 40)]
    wide = np.ones((3, 1, 2), np.uint8)
    sums, products, flags = run(lambda x, y, z: [x + y, z * x, x // x == 1], ragged, rows, wide)
    assert [sample.tolist() for sample in map(np.asarray, sums)] == [[[n + 10] * 2] * n for n in (3, 4, 40)]
    assert products.shape() == [(3, 2), (4, 2), (40, 2)]
    # Beyond the samples the canvas is zero; nothing must be divided by these zeros.
    assert all(np.asarray(sample).all() for sample in flags)


def test_draws_are_computed_with_and_computed_with_draws():
    def graph(files, labels):
        factor = fn.random.uniform(range=(0, 1)) * 0.5 + 1
        flag = fn.random.coin_flip() == 1
        images = fn.resize(fn.decoders.image(files), size=8, dtype=types.FLOAT)
        one = types.Constant(1.0)
        scaled = fn.brightness_contrast(images, brightness=factor * 2 - labels, contrast=one)
        return images, scaled, factor, labels, fn.flip(images, horizontal=flag), flag

    images, scaled, factors, labels, flipped, flags = make(graph).run()
    for k in range(4):
        factor, image = factors.at(k), images.at(k)
        assert 1 <= factor < 1.5
        np.testing.assert_array_equal(scaled.at(k), image * (factor * 2 - labels.at(k)[()]).astype(np.float32).item(0))
        np.testing.assert_array_equal(flipped.at(k), image[:, ::-1] if flags.at(k) else image)


def test_an_argument_is_one_value_a_sample():
    ragged = [np.ones((n, 2), np.float32) for n in (1, 2)]
    with pytest.raises(ConfigError, match=r"contrast has shape .* expected a scalar or one value per sample"):
        run(lambda x, y: fn.brightness_contrast(x, contrast=y), BYTES, ragged)


# ERRORS


def test_what_is_no_operand():
    for wrong in ("text", None, object(), 1j):
        with pytest.raises(
            TypeError, match=f"operator `\\+` got {type(wrong).__name__}, expected a DataNode, a number"
        ):
            run(lambda x, wrong=wrong: x + wrong, BYTES)
        with pytest.raises(TypeError, match="operator `==` got"):
            run(lambda x, wrong=wrong: x == wrong, BYTES)
    with pytest.raises(ConfigError, match=r"out of range for int32; give types\.Constant another"):
        run(lambda x: x + (1 << 40), BYTES)
    with pytest.raises(TypeError, match="at least one DataNode"):
        math.min(2, 3)


def test_arithmetic_outside_of_a_pipeline():
    kept = []
    inside = run(lambda x: kept.append(x) or x < 3, BYTES)
    outside = kept[0] < 3
    np.testing.assert_array_equal(run(lambda x: outside, BYTES), inside)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda x, y: x + y, r"Can't broadcast shapes \(2, 3\) and \(3, 2\) in operator `\+`"),
        (lambda x, y: (x > 1) + (x > 2), "cannot be booleans"),
        (lambda x, y: x & 2.5, "must be of integral type"),
    ],
)
def test_an_error_says_where_it_was_written(draw, words):
    with pytest.raises(GraphError, match=words) as caught:
        run(draw, np.ones((1, 2, 3), np.uint8), np.ones((1, 3, 2), np.uint8))
    assert any(f"{HERE}:" in note and "in operator `" in note for note in caught.value.__notes__)


def test_layouts_that_do_not_match():
    images = np.ones((1, 2, 2, 2), np.uint8)
    with pytest.raises(GraphError, match=r"must be equal or one must be a suffix of the other. Got HWC and CHW"):
        run(lambda x, y: x + y, images, images, layouts=["HWC", "CHW"])


@pytest.mark.parametrize("divide", [lambda a, b: a // b, lambda a, b: a % b])
def test_an_integer_is_not_divided_by_zero(divide):
    zero_in_the_second = np.array([[2, 3], [1, 0]], np.int8)
    with pytest.raises(
        SourceDataError, match=rf"Integer division by zero, in operator `(//|%)` at .*{HERE}:\d+"
    ) as caught:
        run(divide, BYTES, zero_in_the_second)
    assert caught.value.sample_index == 1
    with pytest.raises(SourceDataError, match="Integer division by zero"):
        run(lambda a: divide(a, 0), BYTES)
    # Floats can be divided by 0, and the smallest integer by -1, which crashes DALI.
    floats, smallest = run(lambda a: [a / 0, np.int32(-(2**31)) // (a * 0 - 1)], BYTES)
    assert floats.as_array().tolist() == [[np.inf, np.inf], [pytest.approx(np.nan, nan_ok=True), np.inf]]
    assert smallest.as_array().tolist() == [[-(2**31)] * 2] * 2


def test_samples_that_do_not_go_together():
    with pytest.raises(
        SourceDataError, match=r"Can't broadcast shapes of the operands of operator `\*` at .*axis 0"
    ) as caught:
        one, two, other = (np.ones((rows, 2), np.float32) for rows in (2, 3, 4))
        run(lambda x, y: x * y, [one, two], [one, other])
    assert caught.value.sample_index == 1


def test_a_pipeline_computes_the_same_after_a_checkpoint_of_the_same_graph_only():
    def factory(addend):
        @pipeline_def(batch_size=2, seed=1, enable_checkpointing=True)
        def mine():
            return fn.external_source(lambda info: np.int32(info.idx_in_epoch), batch=False) + addend

        return mine

    pipe = factory(3)()
    pipe.run()
    record = pipe.checkpoint()
    assert factory(3)(checkpoint=record).run()[0].as_array().tolist() == [5, 6]
    with pytest.raises(ConfigError, match="from another pipeline"):
        factory(4)(checkpoint=record).run()


def test_shapes_are_nodes():
    pipe = make(lambda files, labels: (fn.decoders.image(files).shape(), fn.decoders.image(files)))
    shapes, images = pipe.run()
    assert [shape.tolist() for shape in map(np.asarray, shapes)] == [list(shape) for shape in images.shape()]
    (small,) = run(lambda x: x.shape(dtype=types.UINT8), BYTES)
    assert (small.dtype, small.as_array().tolist()) == (types.UINT8, [[2], [2]])


def test_every_function_of_the_module_runs():
    x = np.array([[0.25, 0.5]], np.float32)
    two = {"min", "max", "pow", "fpow", "atan2"}

    def draw(node):
        return [
            getattr(math, name)(*([node, 2] if name in two else [node, 0, 1] if name == "clamp" else [node]))
            for name in math.__all__
        ]

    for name, output in zip(math.__all__, run(draw, x), strict=True):
        assert output.dtype == types.FLOAT and output.shape() == [(2,)], name
