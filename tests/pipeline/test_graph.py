"""Which graphs can be defined."""

import io
from collections.abc import Iterable

import front_sources
import numpy as np
import pytest
from file_graphs import constant, draw, sources
from jpeg_files import pillow_jpeg
from PIL import Image

from jaxdali import DecodeError, GraphError, Pipeline, SourceDataError, StateError, fn, pipeline_def, types
from jaxdali._dali.pipeline.pipeline import session_of
from jaxdali._dali.planner.shared_files import split_files

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")


# OUTPUTS


@pytest.mark.parametrize("outputs", [(), [], [[], ()]])
def test_no_outputs(outputs):
    with pytest.raises(GraphError, match="the pipeline has no outputs"):
        draw(lambda files, labels: outputs)


def test_lists_of_outputs_are_flattened():
    pipe = draw(lambda files, labels: [files, [(labels,)]])
    files, labels = pipe.run()
    assert files.dtype == types.UINT8 and labels.dtype == types.INT32


def test_a_graph_as_graphviz_draws_it(tmp_path):
    with Pipeline(batch_size=1) as pipe:
        size = fn.random.uniform(range=(3, 5), name="size")
        first = fn.external_source(name='a "b"')
        pipe.set_outputs(fn.resize(first, resize_x=size, resize_y=4, name="resize"), first)
    path = tmp_path / "graph.dot"
    pipe.save_graph_to_dot_file(path, use_colors=True)
    lines = [line.strip() for line in path.read_text().splitlines()]
    assert lines[0] == "digraph pipeline {" and lines[-1] == "}"
    assert {'"size" -> "resize";', '"a \\"b\\"" -> "resize";', '"size" [color="blue"];'} <= set(lines)
    with pytest.warns(DeprecationWarning, match="show_ids"):
        pipe.save_graph_to_dot_file(path, show_tensors=True, show_ids=True)
    text = path.read_text()
    assert '"size" -> "size[0]" [label=0];' in text and '"size[0]" -> "resize";' in text and "color" not in text


def test_a_node_may_be_returned_twice():
    def graph(files, labels):
        images = fn.decoders.image(files)
        return images, labels, images, labels

    first, labels, again, labels_again = draw(graph).run()
    for k in range(2):
        np.testing.assert_array_equal(first.at(k), front_sources.pixels(k))
        np.testing.assert_array_equal(again.at(k), front_sources.pixels(k))
    np.testing.assert_array_equal(labels.as_array(), labels_again.as_array())


@pytest.mark.parametrize(
    "thing", ["HWC", None, {"image": 1}, np.array(["a"]), [1, "x"], [[1], [2, 3]], types.UINT8, 1j]
)
def test_an_output_that_is_neither_node_nor_constant(thing):
    words = f"output 1 of the pipeline is a {type(thing).__name__}, expected a DataNode or a constant"
    with pytest.raises(GraphError, match=words):
        draw(lambda files, labels: (labels, thing))


def test_a_node_of_another_pipeline():
    nodes = []
    lender = draw(lambda files, labels: nodes.extend([files, labels]) or labels)
    borrower = draw(lambda files, labels: (nodes[1], fn.resize(fn.decoders.image(nodes[0]), size=4)))
    for _ in range(2):
        (labels,), (found, images) = lender.run(), borrower.run()
        np.testing.assert_array_equal(found.as_array(), labels.as_array())
        assert images.as_array().shape == (2, 4, 4, 3)


def test_names_are_unique():
    twice = draw(lambda f, n: [fn.random.uniform(name="x"), fn.random.coin_flip(name="x"), n])
    words = (
        r"'x' is used twice .* fn.random.uniform \(x\), .*test_graph.py:\d+, and by fn.random.coin_flip, .*:\d+; names"
    )
    with pytest.raises(GraphError, match=words):
        twice.build()
    with pytest.raises(GraphError, match="must be text, got 3"):
        draw(lambda f, n: fn.resize(n, size=3, name=3))


def test_names_of_the_nodes():
    def graph(files, labels):
        images = fn.decoders.image(files, device="mixed")
        assert files.name.endswith("[0]") and labels.name.endswith("[1]")
        assert images.name == "__Image_1" and images.device == "mixed"
        assert repr(images) == 'DataNode(name="__Image_1", device="mixed")'
        resized = fn.resize(images, size=4, name="small")
        assert (resized.name, resized.device) == ("small", "gpu")
        assert labels.device == "cpu"
        return resized

    draw(graph)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fn.external_source(lambda: np.int32(1), batch=False),
        fn.random.uniform,
        fn.random.coin_flip,
    ],
)
def test_operators_outside_of_a_pipeline(call):
    node = call()
    inside, outside = draw(lambda files, labels: call()), draw(lambda files, labels: node)
    np.testing.assert_array_equal(outside.run()[0].as_array(), inside.run()[0].as_array())


# NODES


def test_a_node_decides_no_if():
    with pytest.raises(
        TypeError, match=r"`... if ... else ...` at .*test_graph.py:\d+ asks whether DataNode\(.*is true"
    ):
        draw(lambda files, labels: files if labels else labels)


def test_a_node_is_not_unpacked():
    def graph(files, labels):
        # Programs tell one output from several so.
        assert not isinstance(files, Iterable)
        assert [isinstance(node, Iterable) for node in (fn.cast(labels, dtype=types.FLOAT), labels + 1)] == [False] * 2
        return [*fn.decoders.image(files)]

    with pytest.raises(TypeError, match="object is not iterable"):
        draw(graph)


def test_the_list_of_a_source_is_two_sets_of_inputs_and_labels_are_no_files():
    @pipeline_def(batch_size=1, num_threads=1)
    def mine():
        return tuple(fn.decoders.image(sources()))

    with pytest.raises(SourceDataError, match=r"an encoded image is .* returned int32"):
        mine().run()


@pytest.mark.parametrize("debug", [False, True], ids=["", "debug"])
def test_an_array_is_the_file_of_every_sample(debug):
    file, small = np.frombuffer(png(0), np.uint8), {"crop": (3, 4)}

    @pipeline_def(batch_size=2, debug=debug)
    def mine():
        same = fn.constant(idata=file.tolist(), dtype=types.UINT8)
        first = types.Constant(file) if debug else file  # in debug mode an array is a batch
        return (
            fn.decoders.image(first),
            fn.crop(fn.decoders.image(types.Constant(file)), **small),
            fn.decoders.image(same),
        )

    image = np.asarray(Image.open(io.BytesIO(png(0))))
    whole, cut, again = mine().run()
    for k in range(2):
        np.testing.assert_array_equal(whole.at(k), image)
        np.testing.assert_array_equal(cut.at(k), image[1:4, 2:6])
        np.testing.assert_array_equal(again.at(k), image)


def test_an_array_that_is_no_file():
    with pytest.raises(SourceDataError, match=r"an encoded image is .* returned float32"):
        draw(lambda files, labels: fn.decoders.image(np.zeros(3))).run()
    with pytest.raises(DecodeError, match="CORRUPT"):
        draw(lambda files, labels: fn.decoders.image(np.zeros(3, np.uint8))).run()
    pipe = draw(lambda files, labels: fn.decoders.image(np.zeros(3, np.uint8), on_error="zeros"))
    assert not pipe.run()[0].at(0).any()


# PLANNING


def test_a_source_that_nobody_needs_is_not_called():
    def fails(info):
        raise AssertionError("called")

    def graph(files, labels):
        fn.resize(fn.external_source(fails, batch=False), size=3)
        return labels

    draw(graph).run()


def test_a_pipeline_without_sources():
    pipe = draw(lambda files, labels: (fn.random.uniform(), 7), batch_size=3)
    drawn = []
    for _ in range(2):
        draws, sevens = pipe.run()
        drawn += draws.as_array().tolist()
        assert sevens.as_array().tolist() == [7, 7, 7]
    assert len(set(drawn)) == 6


def test_only_sources_are_decoded():
    with pytest.raises(GraphError, match=r"takes files from a source, got the output of fn.resize"):
        draw(lambda files, labels: fn.decoders.image(fn.resize(labels, size=3)))


def png(k):
    stream = io.BytesIO()
    Image.fromarray(np.random.default_rng(k).integers(0, 256, (5 + k, 7, 3), np.uint8)).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("batch", [False, True], ids=["samples", "batches"])
@pytest.mark.parametrize("debug", [False, True], ids=["", "debug"])
def test_files_that_are_decoded_may_be_used_otherwise(workers, batch, debug):
    files = [front_sources.file(0), np.frombuffer(png(0), np.uint8), np.frombuffer(png(1), np.uint8)]
    source = (lambda: files) if batch else lambda info: files[info.idx_in_batch]

    @pipeline_def(batch_size=3, num_threads=2, py_num_workers=workers, debug=debug)
    def mine():
        node = fn.external_source(source, batch=batch)
        twice = fn.decoders.image(node), fn.decoders.image(node, output_type=types.GRAY)
        return *twice, node, fn.peek_image_shape(node), node[:3], fn.python_function(node, function=len_of)

    with mine() as pipe:
        for _ in range(2):
            images, gray, bytes_of, shapes, begins, lengths = pipe.run()
            for k, file in enumerate(files):
                np.testing.assert_array_equal(bytes_of.at(k), file)
                np.testing.assert_array_equal(begins.at(k), file[:3])
                assert tuple(np.asarray(shapes.at(k))) == images.at(k).shape == (*gray.at(k).shape[:2], 3)
                assert int(np.asarray(lengths.at(k))) == len(file)


def len_of(file):
    return np.int32(len(file))


def test_a_graph_with_shared_files_may_be_planned_again():
    pipe = draw(lambda files, labels: (fn.decoders.image(files), files))
    shared = split_files(session_of(pipe).definition.graph())
    again = split_files(session_of(pipe).definition.graph())
    assert [[node.index for node in nodes] for nodes in shared.values()] == [[0]]
    assert [[node.index for node in nodes] for nodes in again.values()] == [[0]]


def test_files_may_be_decoded_twice():
    graph = lambda files, labels: [fn.decoders.image(files), fn.decoders.image(files)]  # noqa: E731
    first, second = draw(graph).run()
    for k in range(2):
        np.testing.assert_array_equal(first.at(k), second.at(k))


def test_parallel_without_workers():
    @pipeline_def(batch_size=2, py_num_workers=0)
    def mine():
        return sources(parallel=True)

    with pytest.raises(GraphError, match="py_num_workers was set to `0`: set it to 1 or more"):
        mine().build()


def test_an_error_of_an_operator_says_where_it_was_written():
    pipe = draw(lambda files, labels: fn.resize(labels, size=(3, 4)))
    with pytest.raises(GraphError, match=r"fn.resize expects images \[H, W, C\]") as caught:
        pipe.run()
    assert any("in fn.resize" in note and __file__ in note for note in caught.value.__notes__)


# DEFINITION BY HAND


def test_with_draws_first_and_closes_then():
    pipe = Pipeline(batch_size=2)
    with pipe:
        node = constant(3.0)
        pipe.set_outputs(node, [node])
    assert [out.as_array().tolist() for out in pipe.run()] == [[3, 3], [3, 3]]
    with pipe:
        pipe.run()
    with pytest.raises(StateError, match="the pipeline is closed; make a new one"):
        pipe.run()


def test_a_block_that_begins_with_outputs_goes_on_with_the_graph():
    pipe = draw(lambda files, labels: labels)
    with pipe:
        pipe.set_outputs(constant(3.0))
    with pipe:
        assert pipe.run()[0].as_array().tolist() == [3, 3]
    with pytest.raises(StateError, match="the pipeline is closed; make a new one"):
        pipe.run()


def test_a_pipeline_whose_outputs_were_never_set():
    pipe = Pipeline(batch_size=2)
    with pipe:
        constant()
    with pytest.raises(GraphError, match=r"no outputs; .*call set_outputs"):
        pipe.build()


def test_a_graph_is_fixed_once_it_is_built():
    pipe = draw(lambda files, labels: labels)
    pipe.build()
    pipe.build()
    with pytest.raises(StateError, match="cannot set_outputs: the pipeline is built"):
        pipe.set_outputs()
    with pytest.raises(StateError, match="cannot define the graph"):
        pipe.definition()


def test_calls_on_a_closed_pipeline():
    pipe = draw(lambda files, labels: labels)
    pipe.close()
    pipe.close()
    for call in (pipe.run, pipe.build, pipe.start_py_workers, pipe.run_arrays):
        with pytest.raises(StateError, match="the pipeline is closed; make a new one"):
            call()


def test_a_sink_is_computed_although_nobody_gets_it():
    asked = []

    def source(iteration):
        asked.append(iteration)
        return np.full((2, 3), iteration, np.int32)

    def files(iteration):
        return [b"no image", b"no image"] if iteration == 2 else [pillow_jpeg(8, 8)] * 2

    pipe = Pipeline(batch_size=2, prefetch_queue_depth=1)
    with pipe:
        pipe.add_sink(fn.external_source(source) + 1)
        pipe.add_sink(fn.decoders.image(fn.external_source(files)))
        pipe.set_outputs(fn.external_source(lambda iteration: np.full((2, 1), 10 * iteration)))
    for iteration in range(2):
        (found,) = pipe.run()
        assert np.asarray(found[0]) == 10 * iteration and asked == list(range(iteration + 1))
    with pytest.raises(DecodeError):
        pipe.run()
    with pytest.raises(GraphError, match="add_sink expected a DataNode, got 3"):
        Pipeline(batch_size=2).add_sink(3)
