"""A saved pipeline gives the same batches after loading; what cannot be saved is named; the file has no code."""

import base64
import json
import os
import subprocess
import sys
from operator import attrgetter

import front_sources
import numpy as np
import pytest

import jaxdali.fn
from jaxdali import ConfigError, GraphError, Pipeline, StateError, fn, math, newaxis, pipeline_def, types
from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.graph.json_values import to_plain
from jaxdali._dali.operators.declaration import REQUIRED
from jaxdali._dali.operators.old import OLD_NAMES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("saved")
    for k in range(6):
        (root / "ab"[k % 2]).mkdir(exist_ok=True)
        (root / "ab"[k % 2] / f"{k}.jpg").write_bytes(bytes(front_sources.file(k)))
    return root


def training(root, **options):
    """Decodes and augments files, like a pipeline for training."""

    @pipeline_def(batch_size=4, py_num_workers=0, **options)
    def mine():
        files, labels = fn.readers.file(file_root=root, random_shuffle=True, name="files", pad_last_batch=True)
        images = fn.decoders.image(files, output_type=types.RGB)
        images = fn.random_resized_crop(images, size=(8, 8), random_area=[0.3, 1.0])
        bright = fn.random.uniform(range=(0.5, 1.5))
        images = fn.brightness_contrast(images, brightness=bright)
        mirror = fn.random.coin_flip(probability=0.5, seed=3)
        return fn.crop_mirror_normalize(images, mirror=mirror, mean=[1.0, 2.0, 3.0], dtype=types.FLOAT), labels, bright

    return mine()


def graph_of_everything_else():
    @pipeline_def(batch_size=3, output_dtype=[types.FLOAT, None, None, None, None])
    def mine():
        x = fn.external_source(name="x", layout="XY", dtype=types.FLOAT)
        table = np.arange(6, dtype=np.int16).reshape(3, 2)
        scaled = x * np.float32(1.5) + types.Constant([1, 2], dtype=types.INT32) - table
        place = fn.random.uniform(values=np.array([0, 1, 2]), dtype=types.INT32)
        part = scaled[place, ..., newaxis("Z")]
        table[:] = 0  # the graph keeps the values from when it was defined
        return (
            math.clamp(scaled, 0.25, 3),
            part,
            x.shape(dtype=types.INT32),
            scaled[::-1, -1:],
            types.Constant(7, layout=""),
        )

    return mine()


def batches(pipe, count=4):
    return [
        [np.stack([sample for sample in map(np.asarray, out)]).tolist() for out in pipe.run()] for _ in range(count)
    ]


def test_a_training_pipeline_gives_the_same_batches(folder, tmp_path):
    saved = tmp_path / "pipeline"
    with training(os.fspath(folder)) as pipe:  # its seed is drawn
        record = pipe.serialize(filename=saved)
        expected = batches(pipe)
        calls = pipe._jaxdali_session.definition.graph().calls
        site = next(call.site for call in calls if call.operator.name == "brightness_contrast")
    assert saved.read_bytes() == record
    with Pipeline.deserialize(record) as pipe:
        assert pipe.serialize() == record
        assert pipe.epoch_size("files") == 6
        assert site in [call.site for call in pipe._jaxdali_session.definition.graph().calls]
        assert batches(pipe) == expected
    # In a process that has imported no part of the pipeline.
    program = (
        "import sys, jaxdali, numpy as np\n"
        "with jaxdali.Pipeline.deserialize(filename=sys.argv[1]) as pipe:\n"
        "    found = [[np.stack(list(map(np.asarray, out))).tolist() for out in pipe.run()] for _ in range(4)]\n"
        "print(found)"
    )
    printed = subprocess.run([sys.executable, "-c", program, saved], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == repr(expected)


def test_what_is_given_comes_in_place_of_what_was_saved(folder):
    with training(os.fspath(folder), seed=5, enable_checkpointing=True) as pipe:
        record = pipe.serialize()
        first, second = batches(pipe, 2), pipe.checkpoint()
        then = batches(pipe, 1)
    with Pipeline.deserialize(record, batch_size=2, seed=6) as pipe:
        assert (pipe.max_batch_size, pipe.seed) == (2, 6)
        assert batches(pipe, 1) != first[:1]
    # A checkpoint of the original fits the loaded pipeline.
    with Pipeline.deserialize(record, checkpoint=second, seed=None) as pipe:
        assert batches(pipe, 1) == then


def test_every_kind_of_value_comes_back():
    def outputs(pipe):
        x = np.linspace(0, 1, 2 * 3 * 2, dtype=np.float32).reshape(2, 3, 2)
        return [[np.asarray(s) for s in out] + [out.layout()] for out in pipe.run(x=x)]

    with graph_of_everything_else() as pipe:
        record = pipe.serialize()
        expected = outputs(pipe)
        assert expected[1][-1] == "YZ" and expected[0][-1] == "XY"
    with Pipeline.deserialize(record) as pipe:
        assert pipe.output_dtype() == [types.FLOAT, None, None, None, None]
        for found, wanted in zip(outputs(pipe), expected, strict=True):
            assert found.pop() == wanted.pop()
            np.testing.assert_array_equal(found, wanted, strict=True)
    empty = Pipeline()
    assert (empty.max_batch_size, empty.num_threads) == (None, None)
    empty.deserialize_and_build(record)
    assert (empty.max_batch_size, empty.num_threads, empty.seed) == (pipe.max_batch_size, pipe.num_threads, pipe.seed)
    for found, wanted in zip(outputs(empty), expected, strict=True):
        np.testing.assert_array_equal(found[:-1], wanted, strict=True)
    empty.close()
    own = Pipeline(batch_size=2, seed=11)
    own.deserialize_and_build(record)
    assert (own.max_batch_size, own.seed, own.num_outputs) == (2, 11, 5)
    own.close()
    with pytest.raises(GraphError, match="has a graph already"):
        own.deserialize_and_build(record)


def test_sinks_are_saved():
    pipe = Pipeline(batch_size=2, seed=1)
    with pipe:
        pipe.add_sink(fn.external_source(name="checked") + 1)
        pipe.set_outputs(fn.random.uniform())
    again = Pipeline.deserialize(pipe.serialize())
    again.feed_input("checked", np.zeros((2, 1), np.float32))
    again.run()
    with pytest.raises(StateError, match=r"feed_input\('checked', data\)"):
        again.run()
    again.close()


def test_python_is_not_saved():
    @pipeline_def(batch_size=2)
    def mine(source):
        return fn.external_source(source, batch=True)

    for source in (lambda: np.zeros((2, 1)), [np.zeros((2, 1))]):
        with pytest.raises(GraphError, match=r"\(__ExternalSource_0\), defined at .*test_serialize.py.*feed_input"):
            mine(source).serialize()

    class Legacy(Pipeline):
        def define_graph(self):
            return fn.random.uniform()

        def iter_setup(self):
            pass

    with pytest.raises(GraphError, match="iter_setup of Legacy is Python"):
        Legacy(batch_size=2).serialize()
    with pytest.raises(TypeError, match="did you mean filename="):
        Legacy(batch_size=2).serialize("file")  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="no outputs"):
        Pipeline(batch_size=2).serialize()


def damaged(**changes):
    record = json.loads(graph_of_everything_else().serialize())
    return json.dumps({**record, **changes})


def damaged_graph(**changes):
    record = json.loads(graph_of_everything_else().serialize())
    return json.dumps({**record, "graph": {**record["graph"], **changes}})


def call(operator, **params):
    """A call as it is saved, with defaults for what is not given."""
    declared = getattr(operators().get(operator), "params", ())
    usual = {one.name: None if one.default is REQUIRED else one.default for one in declared if not one.hint}
    given = {**{name: to_plain(value, {}) for name, value in usual.items()}, **params}
    own = {"device": "cpu", "name": "x", "named": True, "preserve": False, "site": "x:1", "number": 0}
    return {"operator": operator, "inputs": [], "params": given, "hints": {}, **own}


def node(number=0, output=0):
    return {"is": "node", "call": number, "output": output}


def of_calls(*calls, **changes):
    return damaged_graph(**{"calls": calls, "outputs": [node()], "sinks": [], **changes})


def test_a_call_that_was_written_by_hand_is_read():
    flip = {**call("flip"), "name": "y", "inputs": [node()]}
    image = np.arange(12, dtype=np.uint8).reshape(1, 2, 2, 3)
    # An earlier version may have had fewer parameters: the others have their defaults.
    for params in (flip["params"], {}):
        record = of_calls(call("external_source"), {**flip, "params": params}, outputs=[node(1)])
        pipe = Pipeline.deserialize(record, batch_size=1, output_dtype=None)
        np.testing.assert_array_equal(pipe.run(x=image)[0][0], image[0, :, ::-1])
        pipe.close()


NO_PIPELINES = [
    (b"junk", r"Error parsing serialized pipeline: .*got b'junk'"),
    (b"\xff\xfe", "Error parsing serialized pipeline"),
    ("[" * 100000, "Error parsing serialized pipeline"),
    ("[]", "Error parsing"),
    (b"", "Error parsing"),
    (damaged(version=1), "version 1; this jaxdali reads 'jaxdali.pipeline', version 2: .*/versions/#what-is-saved"),
    (damaged(version=3), "version 3; this jaxdali reads 'jaxdali.pipeline', version 2: .*/versions/#what-is-saved"),
    (damaged(format="other"), "of format 'other'"),
    (damaged(options={"bach_size": 2}), "no argument 'bach_size'; did you mean batch_size"),
    (damaged(seed="x"), "seed must be an integer"),
    (damaged(graph=[3]), "Error parsing"),
    (damaged(graph={}), "KeyError: 'calls'"),
    (damaged_graph(calls=[3]), "Error parsing"),
    (damaged_graph(outputs=[node(99)]), "IndexError"),
    (damaged_graph(outputs=[{"is": "code", "name": "os.system"}]), "KeyError: 'code'"),
    # Names are looked up in a table that has only operators.
    (of_calls(call("os.system")), "there is no operator 'os.system'; a later jaxdali may"),
    (of_calls(call("external_source.__globals__")), "there is no operator 'external_source.__globals__'"),
    (of_calls(call("random.uniform", range={"is": "array", "dtype": "O", "shape": [1], "data": ""})), "array of obj"),
    (
        of_calls(call("random.uniform", rang=3)),
        "fn.random.uniform has the parameters .* got .*'rang'.* a later version may have more",
    ),
    (
        of_calls({**call("random.uniform"), "hints": {"rang": 3}}),
        "fn.random.uniform has the parameters .* got .*'rang'",
    ),
    (of_calls({**call("transforms.translation", offset=1.0), "params": {}}), "missing"),
    (of_calls(call("external_source", source=[[1]])), "'x' of fn.external_source is Python"),
    (of_calls(call("external_source", source="print()")), "must be callable|is Python"),
]


# The documents contain random seeds, so test ids are numbers.
@pytest.mark.parametrize(("record", "words"), NO_PIPELINES, ids=range(len(NO_PIPELINES)))
def test_what_is_no_saved_pipeline(record, words):
    with pytest.raises(ConfigError, match=words):
        Pipeline.deserialize(record)


UNIFORM, FLIP = call("random.uniform"), call("flip")


def number(**changes):
    return {"is": "array", "dtype": "<f4", "shape": [1], "data": "AACAPw==", **changes}


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (damaged(version=True), "version True"),
        (damaged(seed=None), "seed must be an integer"),
        (damaged(options=[1]), "Error parsing"),
        (damaged(options={"batch_size": 1 << 31}), "Invalid batch size: 2147483648; .* at most 16777216"),
        (
            damaged(options={"batch_size": 1, "prefetch_queue_depth": 10**9}),
            "prefetch_queue_depth must be .* at most 4096",
        ),
        (
            damaged(options={"batch_size": 1, "bytes_per_sample": 1 << 50}),
            "bytes_per_sample must be .* at most 17179869184",
        ),
        (damaged(options={"batch_size": 1, "max_image_pixels": 1 << 70}), "max_image_pixels must be"),
        (damaged(options={"batch_size": 1, "stream_policy": number()}), "stream_policy|Error parsing"),
        (of_calls(UNIFORM, outputs=[5]), "expected a list of nodes"),
        (of_calls(UNIFORM, outputs=["x"]), "expected a list of nodes"),
        (of_calls(UNIFORM, outputs=[]), "expected a list of nodes"),
        (of_calls(UNIFORM, sinks=[5]), "expected a list of nodes"),
        (of_calls(UNIFORM, outputs=[node(-1)]), r"an integer from 0 to 2\*\*31 - 1, got -1"),
        (of_calls(UNIFORM, outputs=[node(True)]), "got True"),
        (of_calls(*[UNIFORM] * 10_001), "10001 calls, expected at most 10000"),
        (of_calls(UNIFORM, UNIFORM), "two calls of the saved pipeline are called 'x'"),
        (of_calls({**UNIFORM, "operator": ["list"]}), "there is no operator "),
        (of_calls({**UNIFORM, "site": 3}), "written at 3"),
        (of_calls({**UNIFORM, "name": ""}), "a call with the name ''"),
        (of_calls({**UNIFORM, "name": None}), "a call with the name None"),
        (of_calls({**UNIFORM, "number": -1}), "the number of x must be"),
        (of_calls({**UNIFORM, "number": 1 << 64}), "the number of x must be"),
        (of_calls({**UNIFORM, "number": None}), "the number of x must be"),
        (of_calls({**UNIFORM, "device": "mixed"}), "device of fn.random.uniform must be one of cpu, gpu, got 'mixed'"),
        # A call's inputs must come before it.
        (of_calls({**FLIP, "inputs": [node()]}), "IndexError"),
        (of_calls(FLIP), "fn.flip works on DataNodes, got nothing"),
        (of_calls(UNIFORM, {**FLIP, "name": "y", "inputs": [node()] * 2}), r"fn.flip takes 1 input\(s\), got 2"),
        (of_calls(UNIFORM, {**FLIP, "name": "y", "inputs": node()}), "expected a list of nodes"),
        (of_calls(call("random.uniform", shape=[1 << 62])), "at most 2147483647 numbers in a sample"),
        (of_calls(call("random.uniform", shape=[1 << 20, 1 << 20])), "at most 2147483647 numbers in a sample"),
        (of_calls(call("random.uniform", shape=[-1])), "no negative extent"),
        (of_calls(call("random.uniform", range=[0, 10**4000])), "Invalid range"),
        (of_calls(call("random.uniform", values=number(shape=[-1]))), "got -1"),
        (of_calls(call("random.uniform", values=number(shape=[0, 1 << 62]))), "integer from 0 to"),
        (of_calls(call("random.uniform", values=number(dtype="f8,f8"))), "an array of"),
        (of_calls(call("random.uniform", values=number(dtype=None))), "not understood"),
        (
            of_calls(call("external_source", num_outputs=1 << 30)),
            "has a call for each input that is fed, got 1073741824",
        ),
        (of_calls(call("random.uniform", range=json.loads("[" * 40 + "]" * 40))), "nested more than 32 deep"),
        (" " * (257 << 20), "257.*|bytes, expected at most"),
        ("[" + "[],[]," * (6 << 20) + "0]", "values, expected at most"),
        (5, "int is neither bytes nor text"),
    ],
    ids=lambda value: value[-60:] if isinstance(value, str) else repr(value),
)
def test_a_document_from_elsewhere_is_refused(record, words):
    with pytest.raises(ConfigError, match=words):
        Pipeline.deserialize(record)


def test_a_reader_of_a_document_waits_for_nothing(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (os.fspath(tmp_path / "fifo"), "/dev/zero"):
        with pytest.raises(ConfigError, match="expected a regular file"):
            Pipeline.deserialize(of_calls(call("readers.file", file_list=path)))


def test_what_could_not_be_read_again_is_not_written(monkeypatch):
    def saved(value):
        @pipeline_def(batch_size=1)
        def mine():
            return fn.external_source(name="x") + value

        return mine().serialize()

    with pytest.raises(
        GraphError, match=r"operator `\+` .*, defined at .* cannot be saved: an array of 1073741824 bytes"
    ):
        saved(types.Constant(1, shape=[1 << 28]))
    pipe = Pipeline(batch_size=1)
    with pipe:
        pipe.set_outputs(*[fn.random.uniform() for _ in range(10_001)])
    with pytest.raises(GraphError, match="of 10001 calls cannot be saved, at most 10000"):
        pipe.serialize()
    monkeypatch.setattr("jaxdali._dali.graph.document.MOST_BYTES", 100)
    with pytest.raises(
        GraphError, match=r"too large to be saved: it has \d+ bytes, expected at most 100\. Leave long lists"
    ):
        saved(1)


def test_arrays_are_no_pickles():
    shape = {"is": "array", "dtype": "<i8", "shape": [2], "data": base64.b64encode(b"12345678").decode()}
    with pytest.raises(ConfigError, match="cannot reshape"):
        Pipeline.deserialize(of_calls(call("random.uniform", values=shape)))


def test_one_of_the_two_is_given(tmp_path):
    for given in ({}, {"serialized_pipeline": b"", "filename": "x"}):
        with pytest.raises(ConfigError, match="are mutually exclusive"):
            Pipeline.deserialize(**given)
    with pytest.raises(FileNotFoundError):
        Pipeline.deserialize(filename=tmp_path / "no")
    pipe = Pipeline(batch_size=2)
    pipe.close()
    with pytest.raises(StateError):
        pipe.deserialize_and_build(graph_of_everything_else().serialize())


def test_every_function_has_an_operator():
    current = {name for name, operator in operators().items() if operator.namespace == "fn"}
    rooms = {name.rpartition(".")[0] for name in [*current, *OLD_NAMES]}
    modules = {f"{room}." if room else "": attrgetter(f"fn.{room}".rstrip("."))(jaxdali) for room in rooms}
    functions = {
        f"{prefix}{name}"
        for prefix, module in modules.items()
        for name in module.__all__
        if callable(getattr(module, name))
    }
    assert functions == current | {*OLD_NAMES}
