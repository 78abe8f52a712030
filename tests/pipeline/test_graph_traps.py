"""Graphs that are written or used in unexpected ways."""

import copy
import pickle
import threading

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali import ConfigError, NoInputError, Pipeline, fn
from jaxdali._dali.graph.graph import find_graph
from jaxdali._dali.graph.graph_identity import identify
from jaxdali._dali.graph.scope import Scope
from jaxdali._dali.planner.graph_recipes import Recipes
from jaxdali.pipeline import session_of


def run(pipe, count=2):
    """Returns the values of a few batches: a list per run, of a list per output."""
    return [[np.stack([np.asarray(sample) for sample in out]).tolist() for out in pipe.run()] for _ in range(count)]


def test_a_copy_of_a_node_is_the_node():
    node = fn.random.uniform()
    assert copy.copy(node) is node and copy.deepcopy([node])[0] is node
    with pytest.raises(TypeError, match=r"cannot be pickled; save the pipeline with Pipeline.serialize"):
        pickle.dumps(node)


def test_whoever_asks_for_the_graph_early_changes_nothing():
    found, asked = [], []

    def source():
        asked.append(len(found))
        return np.zeros((1, 1))

    for early in (False, True):
        outside = fn.random.uniform()
        pipe = Pipeline(batch_size=1, seed=3)
        with pipe:
            pipe.set_outputs(outside, fn.external_source(name="fed"))
        if early:
            assert pipe.epoch_size() == {}
            pipe.feed_input("fed", np.zeros((1, 1)))
        with pipe:
            fn.random.uniform()
            fn.external_source(source, batch=True, preserve=True)
        if not early:
            pipe.feed_input("fed", np.zeros((1, 1)))
        with pipe:
            found.append(float(np.asarray(pipe.run()[0].at(0))))
    assert found[0] == found[1]
    assert set(asked) == {0, 1}, "what is to be preserved is asked"


def test_images_that_are_an_argument_begin_no_chain():
    files = fn.external_source(lambda: [np.frombuffer(pillow_jpeg(6, 8), np.uint8)] * 2)
    mean = fn.resize(fn.decoders.image(files), size=(1, 1))
    images = fn.external_source(lambda: np.full((2, 4, 4, 3), 200, np.uint8), layout="HWC")
    pipe = Pipeline(batch_size=2)
    pipe.set_outputs(fn.crop_mirror_normalize(images, mean=mean, crop=(2, 2)))
    with pipe, pytest.raises(ConfigError, match="mean has shape"):
        pipe.run()


def test_long_graphs():
    node = fn.external_source(name="x")
    for _ in range(3000):
        node = node + 1
    pipe = Pipeline(batch_size=1, seed=1)
    pipe.set_outputs(node)
    graph = session_of(pipe).definition.graph()
    assert len(graph.calls) == 3001 and len({call.name for call in graph.calls}) == 3001
    files = fn.external_source(name="y")
    images = fn.decoders.image(files, canvas=(8, 8))
    for _ in range(3000):
        images = fn.brightness_contrast(images)
    pipe.set_outputs(images)
    first, *calls = session_of(pipe).definition.graph().calls
    recipes = Recipes(calls, {first.outputs[0]: 0}, calls[-1].outputs, 64)
    assert recipes.canvas_of(calls[-1].outputs[0]) == (8, 8) and 300 < len(recipes.ended) < 400


@pytest.mark.parametrize("write", [fn.random.coin_flip, fn.external_source, fn.readers.file])
def test_a_node_is_no_device(write):
    with pytest.raises(ConfigError, match=r"device of fn\..* must be .*got DataNode"):
        write(device=fn.random.uniform())


def test_a_checkpoint_knows_readers_whatever_else_is_written(tmp_path):
    (tmp_path / "a").mkdir()
    for k in range(5):
        (tmp_path / "a" / f"{k}.jpg").write_bytes(bytes([k]))
    options = {"enable_checkpointing": True, "seed": 2, "batch_size": 2}

    def write(unused, **more):
        pipe = Pipeline(**options, **more)
        with pipe:
            for _ in range(unused):
                fn.external_source(name=f"unused{unused}")
            pipe.set_outputs(fn.readers.file(file_root=tmp_path)[1])
        return pipe

    first = write(0)
    run(first, 1)
    again = write(1, checkpoint=first.checkpoint())
    assert run(first, 3) == run(again, 3)
    first.close()
    again.close()


def test_threads_that_feed_find_one_graph():
    nodes = [fn.external_source(name=f"x{k}") for k in range(2)]
    total = nodes[0] + nodes[1]
    for _ in range(300):
        total = total + 0
    for _ in range(5):
        pipe = Pipeline(batch_size=1)
        pipe.set_outputs(total)
        threads = [threading.Thread(target=pipe.feed_input, args=(f"x{k}", np.full((1, 1), k + 1))) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        graph = session_of(pipe).definition.graph()
        sources = [call.source.source for call in graph.calls if call.source is not None]
        assert len(sources) == 2 and not any(source.untouched for source in sources)
        pipe.close()


def test_a_definition_that_failed_once_draws_the_same():
    class Mine(Pipeline):
        fails = True

        def define_graph(self):
            drawn = fn.random.uniform()
            if Mine.fails:
                raise OSError("not there yet")
            return drawn

    pipe = Mine(batch_size=1, seed=4)
    with pytest.raises(OSError, match="not there yet"):
        pipe.build()
    Mine.fails = False
    fresh = Mine(batch_size=1, seed=4)
    with pipe, fresh:
        assert run(pipe, 1) == run(fresh, 1)


def test_a_node_of_a_saved_pipeline_is_not_its_own():
    node = fn.external_source(name="x")
    pipe = Pipeline(batch_size=1, seed=1)
    pipe.set_outputs(node + 1)
    again = Pipeline.deserialize(pipe.serialize())
    with pytest.raises(NoInputError, match="it belongs to another pipeline; give its name, 'x'"):
        again.feed_input(node, np.zeros((1, 1)))
    again.close()


def test_equal_numbers_are_equal_however_they_are_written():
    images = fn.external_source(name="x", layout="HWC")

    def digest(**arguments):
        return identify(find_graph([fn.crop_mirror_normalize(images, **arguments)], [], Scope()), {}).digest

    for same in (
        [{"mean": 0}, {"mean": 0.0}, {}, {"mean": np.float32(0)}],
        [{"mean": [1, 2, 3]}, {"mean": (1.0, 2.0, 3.0)}, {"mean": np.array([1, 2, 3])}],
        [{"mirror": 1}, {"mirror": True}, {"mirror": np.int64(1)}],
        [{"scale": 1}, {"scale": 1.0}, {}],
        [{"crop": 3}, {"crop": (3, 3)}, {"crop_h": 3, "crop_w": 3}],
    ):
        assert len({digest(**arguments) for arguments in same}) == 1
    assert digest(mean=0) != digest(mean=1)
